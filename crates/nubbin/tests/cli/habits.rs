//! Habits of people who come from other reducers.

use crate::guide::repository;
use crate::stage::Stage;
use regex::Regex;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::Stdio;

#[test]
fn command_lines_of_other_reducers_are_understood() {
    for args in [
        "./test.sh input.txt",
        "test.sh input.txt",
        "reduce ./test.sh input.txt",
        "--seed 3 ./test.sh input.txt",
        "reduce -q ./test.sh input.txt",
        "reduce --test test.sh input.txt",
        "input.txt --test test.sh",
        "input.txt -- ./test.sh",
        "reduce input.txt -- grep -q crash @@",
        "reduce input.txt -n 1 -- ./test.sh",
        "reduce input.txt -n1 -- ./test.sh",
        "reduce input.txt --n 1 -- ./test.sh",
    ] {
        let stage = Stage::with_crash("a crash b");
        let ran = stage.run(args.split(' '));
        let ran = ran.ended(0);
        let is_own = args.starts_with("reduce --test") || args.contains("--n ");
        let is_told = ran.stderr.contains("running `nubbin reduce ")
            || ran.stderr.contains("`-n` is the number of workers");
        let is_quiet = args.contains("-q") || args.contains("@@");
        assert_eq!(is_told, !is_own && !is_quiet, "{args}: {}", ran.stderr);
        assert_eq!(stage.text("input.min.txt"), "crash", "{args}");
    }
}

#[test]
fn an_input_without_a_test_is_answered_with_command_lines() {
    // The stage adds no flag of its own.
    let stage = Stage::confined();
    stage.file("input.txt", "a crash b");
    stage.script("test.sh", "grep -q crash input.txt");
    stage.file("other.txt", "b");
    stage.file("crashes/1", "a");
    stage.file("crashes/2", "b");
    for (args, line) in [
        (
            "reduce input.txt",
            "nubbin reduce input.txt --test ./test.sh",
        ),
        (
            "input.txt",
            "nubbin reduce input.txt --exit 1 -- PROGRAM {}",
        ),
        (
            "reduce input.txt other.txt",
            "nubbin reduce input.txt other.txt --stderr 'the message' -- PROGRAM {}",
        ),
        (
            "reduce crashes/1 crashes/2",
            "nubbin reduce-all crashes -- PROGRAM {}",
        ),
        (
            "input.txt test.sh",
            "nubbin reduce input.txt --test ./test.sh",
        ),
    ] {
        let ran = stage.run(args.split(' ')).ended(2);
        ran.said(&["no test is given", line]);
    }
    // Such a line works.
    let ran = stage.run("reduce input.txt --test ./test.sh".split(' '));
    ran.ended(0);
    // A word that is not a file is an unknown command.
    let ran = stage.run("shrinks input.txt".split(' ')).ended(2);
    ran.said(&["`nubbin` has no command `shrinks`"]);
}

#[test]
fn a_pattern_of_two_at_signs_is_left_alone() {
    let stage = Stage::new();
    stage.file("input.txt", "a @@ b");
    let ran = stage.run("reduce input.txt -- grep -q @@ input.txt".split(' '));
    ran.ended(0);
    assert_eq!(stage.text("input.min.txt"), "@@");
}

/// Runs nubbin with this standard input.
fn fed(stage: &Stage, args: &str, input: &str) -> std::process::Output {
    let mut command = stage.nubbin(args.split(' '));
    let piped = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_dash_is_standard_input_and_standard_output() {
    let stage = Stage::with_crash("not used");
    let ran = fed(&stage, "reduce - -- grep -q crash {}", "a crash b\n");
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(0), "{said}");
    assert_eq!(ran.stdout, b"crash");
    assert!(said.contains("10 bytes to 5"), "{said}");
    // No file is named.
    let summary = said.replace("and the result once more", "");
    assert!(!summary.contains("result"), "{said}");
    let ran = fed(
        &stage,
        "reduce - -q -o small --stdin -- grep -q crash",
        "a crash b\n",
    );
    assert_eq!((ran.status.code(), &*ran.stdout), (Some(0), &b""[..]));
    assert_eq!(stage.text("small"), "crash");
    stage.file("x", "a crash b");
    let ran = stage
        .run("reduce x -o - -- grep -q crash {}".split(' '))
        .ended(0);
    assert_eq!(ran.stdout, "crash");
    let mut there = stage.names();
    there.sort();
    assert_eq!(there, [".nubbin", "input.txt", "small", "test.sh", "x"]);
}

#[test]
fn standard_output_has_the_result_alone() {
    let stage = Stage::with_crash("a crash b");
    for (args, word) in [
        ("reduce input.txt input.txt -o - -- ./test.sh", "one file"),
        ("reduce input.txt -o - --stats - -- ./test.sh", "--stats"),
        ("reduce - input.txt -- ./test.sh", "together"),
    ] {
        stage.run(args.split(' ')).ended(2).said(&[word]);
    }
}

#[test]
fn in_place_keeps_the_original_beside_the_result() {
    let stage = Stage::with_crash("a crash b");
    let ran = stage.run("reduce --in-place --test ./test.sh input.txt".split(' '));
    ran.ended(0)
        .said(&["input.txt is replaced; the original is "]);
    assert_eq!(stage.text("input.txt"), "crash");
    assert_eq!(stage.text("input.txt.orig"), "a crash b");
    assert!(!stage.path("input.min.txt").exists());
    // The backup is of the first original.
    let ran = stage.run("reduce --in-place --test ./test.sh input.txt".split(' '));
    ran.ended(6).said(&["input.txt.orig` exists"]);
    assert_eq!(stage.text("input.txt.orig"), "a crash b");
    let ran = stage.run("reduce --in-place -o out --test ./test.sh input.txt".split(' '));
    ran.ended(2);
}

#[test]
fn in_place_leaves_an_original_that_changes_during_the_run() {
    let stage = Stage::new();
    stage.file("input.txt", "a crash b");
    let path = stage.path("input.txt");
    let edits = format!(
        "grep -q crash input.txt && echo edited > '{}'",
        path.display()
    );
    stage.script("test.sh", &edits);
    let args = "reduce --in-place --test ./test.sh input.txt";
    let ran = stage.run(args.split(' '));
    ran.ended(6)
        .said(&["was changed during the run", "input.min.txt"]);
    assert_eq!(stage.text("input.txt"), "edited\n");
    assert!(!stage.path("input.txt.orig").exists());
}

#[test]
fn the_result_is_formatted_if_it_still_fails() {
    let stage = Stage::with_crash("a crash b");
    let run = |format: &str, out: &str| {
        let args = [
            "reduce",
            "input.txt",
            "-o",
            out,
            "--format",
            format,
            "--test",
            "./test.sh",
        ];
        stage.run(args).ended(0)
    };
    run("sed 's/^/>> /'", "one");
    assert_eq!(stage.text("one"), ">> crash");
    run("sed 's/$/ !/' {}", "two");
    assert_eq!(stage.text("two"), "crash !");
    for (format, why) in [
        ("tr a-z A-Z", "the formatted text does not fail"),
        ("echo broken >&2; exit 3", "ended with exit code 3: broken"),
        ("true", "prints nothing"),
    ] {
        run(format, "three").said(&["the result is not formatted", why]);
        assert_eq!(stage.text("three"), "crash");
    }
}

#[test]
fn the_end_of_a_run_is_reported_to_a_command() {
    let stage = Stage::with_crash("a crash b");
    let log = stage.path("log");
    let command = format!(
        "echo \"$NUBBIN_MESSAGE; $NUBBIN_RESULT\" > '{}'",
        log.display()
    );
    let args = [
        "reduce",
        "input.txt",
        &format!("--notify={command}"),
        "--test",
        "./test.sh",
    ];
    stage.run(args).ended(0);
    assert_eq!(
        stage.text("log"),
        "nubbin: 9 bytes to 5, complete; input.min.txt\n"
    );
    let ran = stage.run([
        "reduce",
        "input.txt",
        "--notify=exit 3",
        "--test",
        "./test.sh",
    ]);
    ran.ended(0).said(&["warning: `--notify exit 3`"]);
}

#[test]
fn defaults_come_from_the_folder_and_from_the_user() {
    let stage = Stage::with_crash("a crash b");
    stage.file("nubbin.toml", "[reduce]\nseed = 7\nquick = true\n");
    stage.file(
        "config/nubbin/nubbin.toml",
        "[reduce]\nseed = 8\nstats = \"s.json\"\nflaky = \"off\"\n",
    );
    let run = |more: &str| {
        let args =
            format!("reduce input.txt --fresh --json-events e.jsonl {more} --test ./test.sh");
        let mut command = stage.nubbin(args.split_whitespace());
        command.env("XDG_CONFIG_HOME", stage.path("config"));
        let ran = command.output().unwrap();
        assert_eq!(ran.status.code(), Some(0));
        let start: serde_json::Value =
            serde_json::from_str(stage.text("e.jsonl").lines().next().unwrap()).unwrap();
        (
            start["seed"].as_u64().unwrap(),
            String::from_utf8(ran.stderr).unwrap(),
        )
    };
    let (seed, said) = run("");
    assert_eq!(seed, 7);
    assert!(said.starts_with("defaults of `"), "{said}");
    assert!(said.contains("--quick --seed=7"), "{said}");
    assert!(said.contains("--flaky=off --stats=s.json"), "{said}");
    let stats: serde_json::Value = serde_json::from_str(&stage.text("s.json")).unwrap();
    assert_eq!(stats["replays"], 0);
    assert_eq!(run("--seed 9").0, 9);
    let (seed, said) = run("--no-config");
    assert_eq!(seed, 0);
    assert!(!said.contains("defaults"), "{said}");
    assert_eq!(run("-q").1, "");
    stage.file("nubbin.toml", "[reduce]\njbos = 7\n");
    stage
        .run("reduce input.txt --test ./test.sh".split(' '))
        .ended(2)
        .said(&[
            "nubbin.toml`, line 2: ",
            "has no flag `--jbos`",
            "did you mean `jobs`?",
        ]);
}

#[test]
fn a_project_runs_no_program_and_writes_no_file() {
    let stage = Stage::with_crash("a crash b");
    stage.file("mine", "mine");
    stage.file("other.txt", "a b");
    let here = stage.path("here").display().to_string();
    let mine = stage.path("mine").display().to_string();
    let lines = [
        format!("notify = \"touch {here}\""),
        format!("build = \"touch {here}\""),
        format!("format = \"touch {here}\""),
        format!("proposer = \"touch {here}\""),
        format!("env = [\"LD_PRELOAD={here}\"]"),
        format!("with = [\"{mine}\"]"),
        format!("stats = \"{mine}\""),
        format!("report = \"{mine}\""),
        format!("json-events = \"{mine}\""),
        format!("other-failures = \"{here}\""),
        format!("writable = \"{here}\""),
        "sandbox = \"off\"".to_owned(),
        "exit = \"0,1\"".to_owned(),
        "flaky = \"off\"".to_owned(),
        "quiet = true".to_owned(),
        "progress = \"none\"".to_owned(),
        "remote-platform = \"container-image=docker://theirs\"".to_owned(),
    ];
    for line in lines {
        let flag = line.split(' ').next().unwrap();
        let expected = match flag {
            "remote-platform" if cfg!(not(feature = "remote")) => continue,
            _ => format!("nubbin.toml`, line 3: a project cannot set `--{flag}`"),
        };
        stage.file("nubbin.toml", format!("[reduce]\nseed = 1\n{line}\n"));
        let ran = stage.run("reduce input.txt --test ./test.sh".split(' '));
        ran.ended(2).said(&[
            &expected,
            "type it, or set it in your own file",
            "--no-config",
        ]);
        assert!(!stage.path("input.min.txt").exists(), "{line}");
    }
    for (table, command) in [
        ("isolate", "isolate other.txt input.txt --test ./test.sh"),
        ("explain", "explain input.txt --test ./test.sh"),
    ] {
        let line = format!("build = \"touch {here}\"");
        stage.file("nubbin.toml", format!("[{table}]\n{line}\n"));
        let ran = stage.run(command.split(' '));
        ran.ended(2)
            .said(&["line 2: a project cannot set `--build`"]);
    }
    assert!(!stage.path("here").exists());
    assert_eq!(stage.text("mine"), "mine");
}

#[test]
fn a_file_with_defaults_that_others_may_write_does_not_count() {
    use std::os::unix::fs::PermissionsExt;
    let stage = Stage::with_crash("a crash b");
    stage.file(
        "config/nubbin/nubbin.toml",
        "[reduce]\nnotify = \"touch here\"\n",
    );
    let file = stage.path("config/nubbin/nubbin.toml");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o666)).unwrap();
    for (folder, said) in [
        (stage.path("config"), "may be written by every user"),
        // A relative folder could be in a project.
        ("config".into(), "keeping"),
    ] {
        let mut command = stage.nubbin("reduce input.txt --test ./test.sh".split(' '));
        command.env("XDG_CONFIG_HOME", folder).env_remove("HOME");
        let ran = command.output().unwrap();
        let error = String::from_utf8(ran.stderr).unwrap();
        assert!(ran.status.success() && error.contains(said), "{error}");
        assert!(!stage.path("here").exists());
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_is_notified_and_has_the_result_in_its_clipboard() {
    let stage = Stage::with_crash("a crash b");
    let shown = |flags: &str| {
        let binary = env!("CARGO_BIN_EXE_nubbin");
        let line = format!("'{binary}' reduce input.txt --plain {flags} --test ./test.sh");
        let ran = std::process::Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .current_dir(stage.folder())
            .env("TMPDIR", stage.temp())
            .output()
            .unwrap();
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    let said = shown("--notify --copy");
    assert!(
        said.contains("\x1b]9;nubbin: 9 bytes to 5, complete\x07\x07"),
        "{said:?}"
    );
    // `crash` in Base64.
    assert!(said.contains("\x1b]52;c;Y3Jhc2g=\x07"), "{said:?}");
    let said = shown("");
    assert!(!said.contains("\x1b]"), "{said:?}");
    let args = "reduce input.txt --notify --copy --test ./test.sh";
    let ran = stage.run(args.split(' ')).ended(0);
    assert!(!ran.stderr.contains('\x1b'), "{}", ran.stderr);
    ran.said(&["not in the clipboard: standard error is not a terminal"]);
}

/// The columns of the tables for people from other reducers.
fn rows(page: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(repository().join(page)).unwrap();
    let lines = text.lines().filter(|line| line.starts_with("| "));
    let rows = lines.filter_map(|line| {
        let (theirs, ours) = line.strip_prefix("| ")?.rsplit_once(" | ")?;
        Some((theirs.to_owned(), ours.to_owned()))
    });
    rows.collect()
}

#[test]
fn replacements_of_flags_of_others_in_the_guide_exist() {
    let stage = Stage::new();
    let known = |args: &str| stage.run(args.split(' ')).ended(0).stdout;
    let (help, algorithms) = (known("reduce --help"), known("algorithms"));
    let code = Regex::new("`([^`]+)`").unwrap();
    let flag = Regex::new("(?:^| )(--?[a-zA-Z][a-z-]*)").unwrap();
    let named = Regex::new("--algorithm ([a-z-]+)").unwrap();
    let mut seen = BTreeSet::new();
    for (_, ours) in rows("docs/src/migrating.md") {
        for words in code.captures_iter(&ours) {
            // What is behind `--` is a command of the reader.
            let words = words[1].split(" -- ").next().unwrap_or_default();
            for found in flag.captures_iter(words) {
                let name = &found[1];
                let shown = Regex::new(&format!(r"(?m)^ +(-[a-zA-Z], )?{name}\b")).unwrap();
                assert!(shown.is_match(&help), "{name} in {ours}");
                seen.insert(name.to_owned());
            }
            for found in named.captures_iter(words) {
                let line = format!("\n{} ", &found[1]);
                assert!(algorithms.contains(&line), "{} in {ours}", &found[1]);
            }
        }
    }
    assert!(seen.len() > 25, "{seen:?}");
}
