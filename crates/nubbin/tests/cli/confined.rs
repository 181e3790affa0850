//! Programs that need something outside of the sandbox: campaigns, `reduce-all`, and fuzzers find
//! their failures, or say what was refused.

use crate::graph::engine;
use crate::sandbox::has_sandbox;
use crate::stage::{Ran, Stage};
use serde_json::Value;

/// A program that writes a log before it reads its test, and fails by a signal if there is `boom`
/// in it. Only with `late` in its test does it write another log.
fn program(stage: &Stage) -> String {
    let logs = stage.path("logs");
    std::fs::create_dir_all(&logs).unwrap();
    let logs = logs.display();
    format!(
        "case $(cat \"$1\") in\n\
           *late*) echo run >> {logs}/late.log || exit 4 ;;\n\
           *) echo run >> {logs}/log || exit 4 ;;\n\
         esac\n\
         case $(cat \"$1\") in *boom*) kill -SEGV $$ ;; esac\n"
    )
}

fn with_crashes(files: &[&str]) -> Stage {
    let stage = Stage::confined();
    stage.file("prog.sh", program(&stage));
    for (at, text) in files.iter().enumerate() {
        stage.file(&format!("crashes/{at:02}.txt"), text);
    }
    stage
}

fn reduce_all(stage: &Stage, flags: &str) -> Ran {
    let line = format!("reduce-all crashes {flags} -- sh prog.sh {{}}");
    stage.run(line.split_whitespace())
}

#[test]
fn a_folder_of_files_for_a_program_with_a_log_is_reduced() {
    if !has_sandbox() {
        return;
    }
    for flags in ["", "-q"] {
        let stage = with_crashes(&["a boom", "well", "one more boom"]);
        let log = stage.path("logs/log");
        let ran = reduce_all(&stage, flags).ended(0);
        let flag = format!("`--writable {}`", log.display());
        let ran = ran.said(&[
            "behaves differently in the sandbox",
            "Permission denied",
            &flag,
        ]);
        assert!(!ran.stderr.contains("tells"), "{}", ran.stderr);
        let listed = stage.text("crashes.min/failures.jsonl");
        assert_eq!(listed.lines().count(), 1, "{listed}");
        assert!(listed.contains("\"seen\":2"), "{listed}");
    }
}

#[test]
fn a_folder_of_files_without_a_permission_says_so() {
    if !has_sandbox() {
        return;
    }
    let stage = with_crashes(&["a boom", "well"]);
    let logs = stage.path("logs");
    let flag = format!("`--writable {}`", logs.display());
    for flags in ["--sandbox on", "-q -o other --sandbox on"] {
        reduce_all(&stage, flags).ended(3).said(&[
            // Those of both files, and that of an empty one.
            "3 tests report",
            "Permission denied",
            &flag,
            "`-o DIR`",
        ]);
        assert!(!logs.join("log").exists());
    }
    let flags = format!("--sandbox on --writable {} -o third", logs.display());
    let ran = reduce_all(&stage, &flags).ended(0);
    assert!(!ran.stderr.contains("sandbox"), "{}", ran.stderr);
    let ran = reduce_all(&stage, "--sandbox off -o fourth").ended(0);
    assert!(!ran.stderr.contains("sandbox"), "{}", ran.stderr);
    reduce_all(&stage, "--writable nowhere -o fifth")
        .ended(2)
        .said(&["`--writable nowhere`"]);
}

#[test]
fn a_refusal_that_no_sample_has_met_is_told_at_the_end() {
    if !has_sandbox() {
        return;
    }
    let mut files = vec!["well"; 12];
    files[0] = "boom";
    files[1] = "a late boom";
    let stage = with_crashes(&files);
    let ran = reduce_all(&stage, "-q").ended(0);
    let flag = format!("`--writable {}`", stage.path("logs").display());
    ran.said(&["1 test reports", "late.log: Permission denied", &flag]);
}

/// A campaign `c` with the program, and with these lines in its table.
fn campaign(table: &str) -> Stage {
    let stage = Stage::confined();
    stage.file("c/prog.sh", program(&stage));
    stage.file(
        "c/campaign.toml",
        format!(
            "[program.p]\ncommand = [\"sh\", \"{}\", \"{{}}\"]\n{table}\n\
             [generator.g]\ngenerate = \"random\"\n",
            stage.path("c/prog.sh").display()
        ),
    );
    stage
}

fn run(stage: &Stage, line: &str) -> Ran {
    stage.run(line.split_whitespace())
}

#[test]
fn a_campaign_tries_its_programs_before_their_tests() {
    if !has_sandbox() {
        return;
    }
    let stage = campaign("");
    let key = format!("`writable = [\"{}\"]`", stage.path("logs/log").display());
    let ran = run(&stage, "campaign run c --max-tests 20 -q").ended(0);
    ran.said(&["p behaves differently in the sandbox", &key]);
    let logged = stage.text("logs/log").lines().count();
    assert!(logged >= 20, "{logged}");
    run(&stage, "campaign check c").ended(0).said(&[&key]);
    let status = run(&stage, "campaign status c --json").ended(0);
    let status: Value = serde_json::from_str(&status.stdout).unwrap();
    assert_eq!(status["refused"], serde_json::json!({}));
}

#[test]
fn a_campaign_counts_the_refusals_that_may_hide_failures() {
    if !has_sandbox() {
        return;
    }
    let stage = campaign("sandbox = \"on\"");
    let key = format!("`writable = [\"{}\"]`", stage.path("logs").display());
    let ran = run(&stage, "campaign run c --max-tests 20").ended(0);
    ran.said(&[
        "a test of p reports that the sandbox refused something",
        "p: 20 tests report",
        &key,
    ]);
    let ran = run(&stage, "campaign run c --max-tests 5 -q").ended(0);
    ran.said(&["p: 5 tests report", &key]);
    let status = run(&stage, "campaign status c").ended(0);
    assert!(
        status.stdout.contains("p: 25 tests report") && status.stdout.contains(&key),
        "{}",
        status.stdout
    );
    let status = run(&stage, "campaign status c --json").ended(0);
    let status: Value = serde_json::from_str(&status.stdout).unwrap();
    assert_eq!(status["refused"]["p"]["tests"], 25);
    let line = status["refused"]["p"]["line"].as_str().unwrap();
    assert!(line.contains("Permission denied"), "{line}");
}

#[test]
fn the_paths_of_a_campaign_are_relative_to_its_folder() {
    if !has_sandbox() {
        return;
    }
    let stage = campaign("sandbox = \"on\"\nwritable = [\"../logs\"]");
    let ran = run(&stage, "campaign run c --max-tests 5").ended(0);
    assert!(!ran.stderr.contains("sandbox"), "{}", ran.stderr);
    assert_eq!(stage.text("logs/log").lines().count(), 5);
    let stage = campaign("writable = [\"nowhere\"]");
    let ran = run(&stage, "campaign check c").ended(5);
    ran.said(&["campaign.toml:3:12", "`--writable nowhere`"]);
}

#[test]
fn a_population_names_the_needs_of_its_program() {
    if !has_sandbox() {
        return;
    }
    let stage = Stage::confined();
    stage.file("prog.sh", program(&stage));
    stage.file("seed.txt", "seed");
    let line = |flags: &str| {
        let program = stage.path("prog.sh").display().to_string();
        format!("generate population seed.txt -o out --max-tests 5 {flags} -- sh {program} {{}}")
    };
    let flag = format!("`--writable {}`", stage.path("logs/log").display());
    let ran = run(&stage, &line("-q")).ended(0);
    ran.said(&["the program behaves differently in the sandbox", &flag]);
    std::fs::remove_dir_all(stage.path("out")).unwrap();
    let ran = run(&stage, &line("--sandbox on")).ended(0);
    ran.said(&["reports that the sandbox refused something"]);
}

#[test]
fn an_engine_with_a_log_is_explored() {
    if !has_sandbox() {
        return;
    }
    let stage = Stage::confined();
    let logs = stage.path("logs").display().to_string();
    std::fs::create_dir(&logs).unwrap();
    let engine = engine();
    let body = format!(
        "echo run >> {logs}/log || exit 4\nexec {} \"$@\"",
        engine.display()
    );
    stage.script("engine.sh", &body);
    let script = stage.path("engine.sh").display().to_string();
    stage.file(
        "own.toml",
        format!("command = ['{script}', '{{}}']\nprint = 'print'\nnever = ['gate.quit']\nexit = [0, 1]\n"),
    );
    let flag = format!("`--writable {logs}/log`");
    let ran = run(&stage, "graph explore --engine own.toml -o g.json").ended(0);
    ran.said(&["behaves differently in the sandbox", &flag]);
    let demanded = "graph explore --engine own.toml -o other.json --sandbox on";
    let ran = run(&stage, demanded).ended(4);
    ran.said(&["reports that the sandbox refused something", &flag]);
}
