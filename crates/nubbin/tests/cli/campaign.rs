//! `nubbin campaign`, from its file to its issues.

use crate::stage::{Ran, Stage};
use rustix::process::Signal;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

fn run(stage: &Stage, line: &str) -> Ran {
    stage.run(line.split_whitespace())
}

/// Returns the issues of the campaign `c`, in all states, by their identities.
/// Returns the issues by their failures, without the functions of a crash.
fn issues(stage: &Stage) -> BTreeMap<String, Value> {
    let by_signal = |(text, issue): (String, Value)| {
        let name = text
            .split(" in ")
            .next()
            .filter(|_| text.starts_with("signal"));
        (name.map_or(text.clone(), str::to_owned), issue)
    };
    full_issues(stage).into_iter().map(by_signal).collect()
}

fn full_issues(stage: &Stage) -> BTreeMap<String, Value> {
    let listed = run(stage, "campaign issues c --all --json").ended(0);
    let lines = listed.stdout.lines();
    let issues = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    issues
        .map(|issue| (issue["text"].as_str().unwrap().to_owned(), issue))
        .collect()
}

/// Runs a command beside a campaign that runs, whose temporary folder is there.
fn beside(stage: &Stage, line: &str) -> (Option<i32>, String) {
    let output = stage.nubbin(line.split_whitespace()).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    (output.status.code(), text)
}

fn status(stage: &Stage) -> Value {
    let status = run(stage, "campaign status c --json").ended(0);
    serde_json::from_str(&status.stdout).unwrap()
}

fn tests(stage: &Stage) -> u64 {
    let status = status(stage);
    let rows = status["statistics"].as_array().unwrap();
    rows.iter().map(|row| row["tests"].as_u64().unwrap()).sum()
}

/// A program that fails by the words in its test: `boom` by a signal, `first` and `second` with an
/// assertion, `slow` by taking long.
const PROGRAM: &str = "\
fail() { echo \"prog: /src/a.c:12: f: Assertion \\`$1' failed.\" >&2; kill -ABRT $$; }\n\
case $(cat \"$1\") in\n\
  *boom*) kill -SEGV $$ ;;\n\
  *first*) fail 'x > 1' ;;\n\
  *second*) fail 'x > 2' ;;\n\
  *slow*) sleep 60 ;;\n\
esac\n";

/// A campaign `c` with that program and a folder of tests.
fn with_files(files: &[&str], more: &str) -> Stage {
    let stage = Stage::new();
    std::fs::create_dir_all(stage.path("c/tests")).unwrap();
    stage.file("c/prog.sh", PROGRAM);
    for (at, text) in files.iter().enumerate() {
        stage.file(&format!("c/tests/{at:04}"), text);
    }
    stage.file(
        "c/campaign.toml",
        format!(
            "[program.prog]\ncommand = [\"sh\", \"prog.sh\", \"{{}}\"]\nwith = []\n{more}\n\
             [generator.files]\nfolder = \"tests\"\n"
        ),
    );
    let text = stage.text("c/campaign.toml");
    let script = stage.path("c/prog.sh").display().to_string();
    stage.file("c/campaign.toml", text.replace("prog.sh", &script));
    stage
}

/// Copies an example to `c`.
fn example(name: &str, files: &[&str]) -> Stage {
    let stage = Stage::new();
    let from = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/campaigns");
    std::fs::create_dir(stage.path("c")).unwrap();
    for file in files {
        std::fs::copy(from.join(name).join(file), stage.path("c").join(file)).unwrap();
    }
    stage
}

/// The calculator of `examples/campaigns/toy`, compiled.
fn toy() -> Stage {
    let files = ["campaign.toml", "sums.bnf", "toy.c", "Makefile"];
    let stage = example("toy", &files);
    let made = Command::new("make")
        .arg("-s")
        .current_dir(stage.path("c"))
        .status();
    assert!(made.unwrap().success(), "the toy does not compile");
    stage
}

#[test]
fn the_bugs_of_the_toy_are_found_told_apart_and_reduced_to_their_minimal_forms() {
    let stage = toy();
    run(&stage, "campaign check c")
        .ended(0)
        .said(&["generator sums on toy"]);
    let line = "campaign run c --max-issues 4 --max-tests 20000";
    run(&stage, line).ended(0).said(&["4 new issues"]);
    let issues = full_issues(&stage);
    let smallest: BTreeMap<&str, &str> = issues
        .iter()
        .map(|(text, issue)| (&**text, issue["test"].as_str().unwrap()))
        .collect();
    let names: Vec<&str> = smallest.keys().copied().collect();
    assert_eq!(
        names,
        [
            "assertion: `depth < 6 && \"too deep\"` at toy.c",
            "difference: standard output is not that of fixed",
            "hang: no end within the time limit",
            "signal: SIGSEGV in factor < product < sum",
        ]
    );
    assert_eq!(smallest[names[0]], "((((((");
    let wrong = smallest[names[1]];
    assert!(wrong.len() == 3 && wrong.ends_with("-7"), "{wrong}");
    assert_eq!(smallest[names[2]], "@@");
    assert_eq!(smallest[names[3]], "~~");
    for issue in issues.values() {
        assert_eq!(issue["hits"], 3, "{issue}");
        assert_eq!(issue["reduction"], "done", "{issue}");
    }
    // The report has what it needs to be read alone.
    let folder = std::fs::read_dir(stage.path("c/issues")).unwrap();
    let folders: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(folders.len(), 4);
    for folder in &folders {
        // A script is not Markdown, whose characters are escaped.
        let script = std::fs::read_to_string(folder.join("reproduce.sh")).unwrap();
        assert!(!script.contains('\\'), "{script}");
    }
    let place = folders
        .iter()
        .find(|path| path.to_string_lossy().contains("sigsegv"));
    let report = std::fs::read_to_string(place.unwrap().join("report.md")).unwrap();
    for part in [
        "# toy: signal: SIGSEGV",
        "~~",
        "| reproduces | 3 of 3 runs |",
    ] {
        assert!(report.contains(part), "{report}");
    }
    let again = Command::new("sh")
        .arg(place.unwrap().join("reproduce.sh"))
        .status();
    assert_eq!(again.unwrap().code(), Some(139));
}

#[test]
fn every_file_is_run_once_also_if_the_campaign_is_killed() {
    let mut files = vec!["good"; 120];
    files[7] = "boom";
    files[90] = "boom again";
    files[100] = "first";
    let stage = with_files(&files, "sandbox = \"off\"");
    let log = stage.path("log").display().to_string();
    stage.file("log", "");
    stage.file("c/prog.sh", format!("echo run >>{log}\n{PROGRAM}"));
    let runs = || stage.text("log").lines().count();
    for more in [5, 20, 40] {
        let before = runs();
        let mut running = stage.start(["campaign", "run", "c", "-j", "2"]);
        running.until("tests run", || runs() > before + more);
        running.kill();
    }
    run(&stage, "campaign run c").ended(0);
    assert_eq!(tests(&stage), 120);
    let issues = issues(&stage);
    assert_eq!(issues["signal: SIGSEGV"]["seen"], 2);
    assert_eq!(issues["assertion: `x > 1` at a.c"]["seen"], 1);
    assert_eq!(issues.len(), 2);
    assert_eq!(status(&stage)["jobs"].as_array().unwrap().len(), 0);
    // A run of a campaign that is over changes nothing.
    run(&stage, "campaign run c").ended(0);
    assert_eq!(tests(&stage), 120);
    stage.assert_clean();
}

#[test]
fn a_reduction_goes_on_where_it_was_stopped() {
    let long = format!("{}\nboom\n{}", "a b c\n".repeat(300), "d e f\n".repeat(300));
    let stage = with_files(&[&long], "reduce = { max-tests = 100000 }");
    // Every smaller test is slow until the file `go` is there.
    let wait = format!(
        "if [ $(wc -c <\"$1\") -lt {} ] && [ ! -e {}/go ]; then sleep 0.5; fi\n",
        long.len(),
        stage.path("c").display()
    );
    stage.file("c/prog.sh", format!("{wait}{PROGRAM}"));
    let mut running = stage.start(["campaign", "run", "c"]);
    running.until("the reduction has begun", || {
        beside(&stage, "campaign issues c --all --json")
            .1
            .contains("\"reduction\":\"partial\"")
    });
    running.signal(Signal::INT);
    running.wait().ended(130);
    let before = issues(&stage)["signal: SIGSEGV"].clone();
    assert_eq!(before["reduction"], "partial");
    assert_eq!(status(&stage)["jobs"].as_array().unwrap().len(), 1);
    stage.file("c/go", "");
    run(&stage, "campaign run c").ended(0);
    let after = &issues(&stage)["signal: SIGSEGV"];
    assert_eq!(after["test"], "boom");
    assert_eq!(after["reduction"], "done");
}

#[test]
fn a_closed_issue_that_comes_back_in_another_version_is_a_regression() {
    let stage = with_files(&["boom 1", "boom 2"], "");
    run(&stage, "campaign run c").ended(0);
    run(&stage, "campaign close c 1")
        .ended(0)
        .said(&["issue 1 is closed"]);
    run(&stage, "campaign import c c/tests/0000").ended(0);
    assert_eq!(issues(&stage)["signal: SIGSEGV"]["state"], "closed");
    let text = stage.text("c/prog.sh");
    stage.file("c/prog.sh", format!("# version 2\n{text}"));
    run(&stage, "campaign import c c/tests/0000")
        .ended(0)
        .said(&["back in another version: issue 1: signal: SIGSEGV"]);
    let issue = issues(&stage)["signal: SIGSEGV"].clone();
    assert_eq!(
        (&issue["state"], &issue["regressed"]),
        (&"open".into(), &true.into())
    );
    assert_ne!(issue["first_version"], issue["last_version"]);
}

#[test]
fn an_issue_whose_test_shows_it_no_more_is_invalid() {
    let stage = with_files(&["boom"], "");
    run(&stage, "campaign run c").ended(0);
    stage.file("c/prog.sh", "exit 0\n");
    run(&stage, "campaign validate c 1")
        .ended(0)
        .said(&["issue 1 was not seen again in 3 runs"]);
    assert_eq!(issues(&stage)["signal: SIGSEGV"]["state"], "invalid");
    stage.file("c/prog.sh", PROGRAM);
    run(&stage, "campaign validate c 1").ended(0);
    assert_eq!(issues(&stage)["signal: SIGSEGV"]["state"], "open");
}

#[test]
fn an_issue_whose_test_hits_a_limit_is_not_invalid() {
    let stage = with_files(&["boom"], "output-limit = \"1M\"\n");
    run(&stage, "campaign run c").ended(0);
    stage.file(
        "c/prog.sh",
        "while :; do echo a line of an endless output; done\n",
    );
    run(&stage, "campaign validate c 1")
        .ended(0)
        .said(&["issue 1 is not validated: its test hits a limit"]);
    assert_eq!(issues(&stage)["signal: SIGSEGV"]["state"], "open");
}

#[test]
fn an_issue_is_not_invalid_if_one_of_its_tests_hits_a_limit() {
    let stage = with_files(&["boom and more"], "output-limit = \"1M\"\n");
    run(&stage, "campaign run c").ended(0);
    let endless = "while :; do echo a line of an endless output; done";
    for (more, other, limited) in [
        ("exit 0", endless, "smallest"),
        (endless, "exit 0", "original"),
    ] {
        let script = format!("case $(cat \"$1\") in *more*) {more} ;; *) {other} ;; esac\n");
        stage.file("c/prog.sh", script);
        let said = format!("issue 1 is not validated: its {limited} test hits a limit");
        run(&stage, "campaign validate c 1").ended(0).said(&[&said]);
        assert_eq!(issues(&stage)["signal: SIGSEGV"]["state"], "open");
    }
    // The validation is tried again in the next run.
    stage.file("c/prog.sh", "exit 0\n");
    run(&stage, "campaign run c")
        .ended(0)
        .said(&["issue 1 was not seen again in 3 runs"]);
    assert_eq!(issues(&stage)["signal: SIGSEGV"]["state"], "invalid");
}

#[test]
fn campaigns_are_merged_exported_and_imported() {
    let stage = with_files(&["boom", "first", "good"], "");
    run(&stage, "campaign run c").ended(0);
    let copied = Command::new("cp")
        .arg("-r")
        .arg(stage.path("c"))
        .arg(stage.path("d"))
        .status();
    assert!(copied.unwrap().success());
    std::fs::remove_file(stage.path("d/campaign.sqlite")).unwrap();
    stage.file("d/tests/0003", "second");
    run(&stage, "campaign run d").ended(0);
    run(&stage, "campaign merge c d")
        .ended(0)
        .said(&["1 new issues, 2 known, 4 tests"]);
    run(&stage, "campaign merge c d")
        .ended(2)
        .said(&["was joined before"]);
    run(&stage, "campaign merge c c")
        .ended(2)
        .said(&["is the same campaign"]);
    assert_eq!(tests(&stage), 7);
    let issues = issues(&stage);
    assert_eq!(issues["signal: SIGSEGV"]["seen"], 2);
    assert_eq!(issues["assertion: `x > 2` at a.c"]["test"], "second");
    run(&stage, "campaign export c -o out")
        .ended(0)
        .said(&["3 tests"]);
    assert_eq!(stage.text("out/0001-signal-sigsegv.txt"), "boom");
    run(&stage, "campaign export c -o out")
        .ended(6)
        .said(&["not empty"]);
    run(&stage, "campaign export c --html pages")
        .ended(0)
        .said(&["the pages of 3 issues are in `pages/index.html`"]);
    assert!(stage.text("pages/index.html").contains("signal: SIGSEGV"));
    assert_eq!(stage.text("pages/issue-1.test"), "boom");
    run(&stage, "campaign ignore c 1").ended(0);
    run(&stage, "campaign export c --sarif log.sarif")
        .ended(0)
        .said(&["the log of 3 issues is in `log.sarif`"]);
    let log: Value = serde_json::from_str(&stage.text("log.sarif")).unwrap();
    let results = &log["runs"][0]["results"];
    assert_eq!(results[0]["suppressions"][0]["status"], "accepted");
    let test = |at: usize| log["runs"][0]["artifacts"][at]["location"]["uri"].clone();
    assert_eq!(test(0), "0001-signal-sigsegv.txt");
    run(&stage, "campaign export c -o other --sarif log.sarif").ended(0);
    let log: Value = serde_json::from_str(&stage.text("log.sarif")).unwrap();
    let artifacts = log["runs"][0]["artifacts"].as_array().unwrap().clone();
    // The folder has no test of the ignored issue.
    let there = |it: &Value| stage.path(it["location"]["uri"].as_str().unwrap()).exists();
    let there: Vec<bool> = artifacts.iter().map(there).collect();
    assert_eq!(there, [false, true, true]);
    assert_eq!(artifacts[0]["contents"]["text"], "boom");
    run(&stage, "campaign open c 1").ended(0);
    let github = run(&stage, "campaign show c 1 --github").ended(0).stdout;
    let github: Value = serde_json::from_str(&github).unwrap();
    assert_eq!(github["labels"][1], "severity: medium");
    let body = github["body"].as_str().unwrap();
    assert!(body.contains("prog.sh test.txt"), "{body}");
    run(&stage, "campaign export c")
        .ended(2)
        .said(&["--output"]);
    std::fs::create_dir_all(stage.path("e/tests")).unwrap();
    std::fs::copy(stage.path("c/campaign.toml"), stage.path("e/campaign.toml")).unwrap();
    run(&stage, "campaign import e out")
        .ended(0)
        .said(&["3 tests", "3 new issues"]);
}

#[test]
fn hooks_get_events_and_one_that_hangs_is_ended() {
    let hooks = "\
[[hook]]\nevents = [\"issue-added\", \"issue-reduced\"]\ncommand = \"cat >>events.jsonl\"\n\
[[hook]]\nevents = [\"issue-added\"]\ncommand = [\"sleep\", \"600\"]\ntimeout = 0.2\n";
    let stage = with_files(&["boom"], "");
    let text = stage.text("c/campaign.toml");
    stage.file("c/campaign.toml", format!("{text}\n{hooks}"));
    run(&stage, "campaign run c")
        .ended(0)
        .said(&["the hook", "timed out"]);
    let events = stage.text("c/events.jsonl");
    let kinds: Vec<Value> = events
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["kind"].clone())
        .collect();
    assert_eq!(kinds, ["issue-added", "issue-reduced"]);
}

#[test]
fn mistakes_in_the_file_are_named_with_their_place() {
    for (text, said) in [
        ("[program.p\n", "c/campaign.toml:1:"),
        (
            "[program.p]\nprogram-line = \"x\"\n",
            "campaign.toml:2:1: unknown field `program-line`",
        ),
        (
            "[program.p]\n",
            "campaign.toml:1:1: this program has no `command`",
        ),
        (
            "[program.p]\ncommand = [\"no-such-program\", \"{}\"]\n",
            "campaign.toml:2:11:",
        ),
        (
            "[program.p]\ncommand = [\"true\"]\n",
            "does not name the test",
        ),
        (
            "[program.p]\ncommand = [\"true\", \"{}\"]\ntimeout = \"soon\"\n",
            "campaign.toml:3:11:",
        ),
        (
            "[program.p]\ncommand = [\"true\", \"{}\"]\nidentity = [\"(\"]\n",
            "campaign.toml:3:13:",
        ),
        (
            "[program.p]\ncommand = [\"true\", \"{}\"]\n[generator.g]\ngenerate = \"rndom\"\n",
            "campaign.toml:4:12: unrecognized subcommand 'rndom'",
        ),
        (
            "[program.p]\ncommand = [\"true\", \"{}\"]\n[generator.g]\ngenerate = \"random\"\n\
             programs = [\"q\"]\n",
            "campaign.toml:5:13: there is no program `q`",
        ),
        (
            "[program.p]\ncommand = [\"true\", \"{}\"]\n[generator.g]\nweight = 2\n",
            "a generator has one of",
        ),
        (
            "[program.p]\ncommand = [\"true\", \"{}\"]\n[generator.g]\n\
             generate = \"grammar -g none.bnf\"\n",
            "none.bnf",
        ),
    ] {
        let stage = Stage::new();
        std::fs::create_dir(stage.path("c")).unwrap();
        stage.file("c/campaign.toml", text);
        for command in ["check", "run"] {
            let ran = run(&stage, &format!("campaign {command} c"));
            assert!(ran.stderr.contains(said), "{text}\n{}", ran.stderr);
            assert_eq!(ran.code, Some(5), "{text}\n{}", ran.stderr);
        }
    }
}

#[test]
fn a_program_that_always_fails_or_has_an_issue_for_each_test_is_reported() {
    let files: Vec<String> = (0..60).map(|at| format!("{at}")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let stage = with_files(&files, "reduce = { enabled = false }\nvalidate = 1");
    let program = "echo \"thread 'main' panicked at src/a.rs:$(cat \"$1\")0:1:\" >&2; exit 101\n";
    stage.file("c/prog.sh", program);
    run(&stage, "campaign run c").ended(0).said(&[
        "every test of prog fails",
        "nearly every failure of prog is an issue of its own",
    ]);
}

#[test]
fn a_program_that_rejects_every_test_is_reported_once() {
    let stage = with_files(&["a", "b", "c", "d", "e", "f"], "");
    stage.file("c/prog.sh", "echo 'usage: prog FILE' >&2; exit 2\n");
    let ran = run(&stage, "campaign run c").ended(0);
    let sign = "every test of prog ends with exit code 2, the first with `usage: prog FILE`";
    let ran = ran.said(&[sign, "`exit = [2]`"]);
    assert_eq!(ran.stderr.matches(sign).count(), 1, "{}", ran.stderr);
    // A script that hides what it lacks ends as after any test.
    stage.file("c/prog.sh", "no-such-program 2>&1 | grep Error\nexit 0\n");
    stage.file("c/tests/more", "g");
    run(&stage, "campaign run c")
        .ended(0)
        .said(&["the command of prog runs `no-such-program`, which does not exist"]);
}

#[test]
fn a_word_in_the_place_of_a_command_is_answered_with_the_nearest_one_only() {
    let stage = Stage::new();
    let refused = |line: &str| run(&stage, line).ended(2).stderr;
    for line in ["campaign --grammar x", "campaign grammar x"] {
        let said = refused(line);
        assert!(said.contains("--generate 'grammar -g FILE'"), "{said}");
        assert!(!said.contains("`bisect`"), "{said}");
    }
    let said = refused("campaign frobnicate");
    assert!(
        said.contains("`nubbin help campaign` lists its commands"),
        "{said}"
    );
    let said = refused("campaign --statu c");
    assert!(
        said.contains("did you mean `nubbin campaign status`?"),
        "{said}"
    );
}

#[test]
fn a_database_that_cannot_be_used_is_refused_with_the_reason() {
    let stage = with_files(&["boom"], "");
    run(&stage, "campaign status c")
        .ended(5)
        .said(&["does not exist", "campaign new"]);
    run(&stage, "campaign run c").ended(0);
    let good = stage.read("c/campaign.sqlite");
    // The version of the tables is at offset 60.
    let mut newer = good.clone();
    newer[60..64].copy_from_slice(&99_u32.to_be_bytes());
    stage.file("c/campaign.sqlite", newer);
    run(&stage, "campaign run c")
        .ended(5)
        .said(&["has version 99", "update nubbin"]);
    let mut damaged = good.clone();
    let middle = damaged.len() / 2;
    damaged[middle..].fill(0x5a);
    stage.file("c/campaign.sqlite", damaged);
    run(&stage, "campaign run c").ended(5).said(&["is damaged"]);
    stage.file("c/campaign.sqlite", "this is not a database");
    run(&stage, "campaign run c").ended(5).said(&["is damaged"]);
    // That of another program.
    std::fs::remove_file(stage.path("c/campaign.sqlite")).unwrap();
    let made = "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('create table t(x)')";
    let made = Command::new("python3")
        .args(["-c", made])
        .arg(stage.path("c/campaign.sqlite"))
        .status();
    assert!(made.unwrap().success());
    run(&stage, "campaign run c")
        .ended(5)
        .said(&["is not the database of a campaign"]);
}

#[test]
fn one_process_at_a_time_runs_a_campaign_and_others_change_it() {
    let stage = with_files(&["boom", "slow"], "timeout = 60");
    let mut running = stage.start(["campaign", "run", "c", "-j", "2"]);
    running.until("the issue is there", || {
        beside(&stage, "campaign issues c --json")
            .1
            .contains("\"reduction\":\"done\"")
    });
    for (line, code, said) in [
        ("campaign run c", 6, "another process runs the campaign"),
        ("campaign validate c 1", 0, "will do this next"),
        ("campaign note c 1 known", 0, ""),
    ] {
        let (ended, text) = beside(&stage, line);
        assert!(ended == Some(code) && text.contains(said), "{line}: {text}");
    }
    running.signal(Signal::INT);
    running.wait().ended(130);
    assert_eq!(issues(&stage)["signal: SIGSEGV"]["note"], "known");
    stage.assert_clean();
}

#[test]
fn outputs_with_escapes_and_markup_are_shown_as_text() {
    let stage = with_files(&["x"], "");
    let program = "printf 'prog: a.c:1: f: Assertion `<b>\\033[31m\\377|x` failed.\\n' >&2\n\
                   printf \"prog: a.c:1: f: Assertion \\`<b>\\033[31m|x' failed.\\n\" >&2; kill -ABRT $$\n";
    stage.file("c/prog.sh", program);
    run(&stage, "campaign run c").ended(0);
    for line in ["campaign issues c", "campaign show c 1"] {
        let ran = run(&stage, line).ended(0);
        assert!(ran.stdout.contains("<b>"), "{}", ran.stdout);
    }
    let folder = std::fs::read_dir(stage.path("c/issues"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let report = std::fs::read_to_string(folder.path().join("report.md")).unwrap();
    assert!(!report.contains('\u{1b}'), "{report}");
    assert!(
        report.starts_with("# prog: assertion: `\\<b\\>"),
        "{report}"
    );
}

#[test]
fn generators_of_all_kinds_make_tests() {
    let stage = with_files(&["good"], "reduce = { enabled = false }");
    stage.file("c/seed.txt", "some seed text");
    stage.file("c/g.bnf", "<s> ::= \"a\" | \"b\" <s>\n");
    stage.file(
        "c/make.sh",
        "i=0; while [ $i -lt $NUBBIN_COUNT ]; do echo $NUBBIN_SEED $i >\"$1/$i\"; i=$((i+1)); done\n",
    );
    stage.file(
        "c/choose.py",
        "import json, sys\n\
         def ask(request):\n    print(json.dumps(request), flush=True)\n    return json.loads(input())\n\
         while True:\n    line = sys.stdin.readline()\n    if not line: break\n    \
         value = ask({'choose': 5})\n    print(json.dumps({'done': 'n' + str(value)}), flush=True)\n",
    );
    std::fs::create_dir_all(stage.path("c/afl/main/crashes")).unwrap();
    stage.file("c/afl/main/crashes/id:000000,sig:11", "boom");
    // A file that was changed just now may be incomplete.
    let hour = std::time::Duration::from_secs(3600);
    let crash = stage.path("c/afl/main/crashes/id:000000,sig:11");
    let crash = std::fs::File::options().append(true).open(crash).unwrap();
    crash
        .set_modified(std::time::SystemTime::now() - hour)
        .unwrap();
    stage.file("c/afl/main/fuzzer_stats", "execs_done : 77\n");
    let text = stage.text("c/campaign.toml");
    let more = "\
[generator.random]\ngenerate = \"random\"\n\
[generator.mutate]\ngenerate = \"mutate seed.txt\"\n\
[generator.grammar]\ngenerate = \"grammar -g g.bnf\"\n\
[generator.trees]\ngenerate = \"mutate -g g.bnf seed.b\"\n\
[generator.choices]\ngenerate = \"choices -- python3 choose.py\"\n\
[generator.population]\npopulation = \"seed.txt\"\n\
[generator.command]\ncommand = [\"sh\", \"make.sh\", \"{}\"]\nbatch = 10\n\
[generator.afl]\nafl = \"afl\"\n";
    stage.file("c/seed.b", "bba");
    let make = stage.path("c/make.sh").display().to_string();
    let choose = stage.path("c/choose.py").display().to_string();
    let more = more.replace("make.sh", &make).replace("choose.py", &choose);
    stage.file("c/campaign.toml", format!("{text}\n{more}"));
    run(&stage, "campaign check c").ended(0);
    run(&stage, "campaign run c --max-tests 600").ended(0);
    let status = status(&stage);
    let ran: Vec<&str> = status["statistics"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["tests"].as_u64() > Some(0))
        .map(|row| row["generator"].as_str().unwrap())
        .collect();
    assert_eq!(
        ran,
        [
            "afl",
            "choices",
            "command",
            "files",
            "grammar",
            "mutate",
            "population",
            "random",
            "trees"
        ]
    );
    assert_eq!(issues(&stage)["signal: SIGSEGV"]["generator"], "afl");
    assert_eq!(status["afl"][0]["execs"], 77);
    assert_eq!(tests(&stage), 600);
}

#[test]
fn a_pattern_in_the_output_ends_a_test() {
    let stage = with_files(&["x"], "until = \"out of cheese\"\ntimeout = 60");
    stage.file("c/prog.sh", "echo out of cheese; sleep 60\n");
    run(&stage, "campaign run c").ended(0);
    assert!(issues(&stage).contains_key("match: out of cheese"));
}

#[test]
fn texts_are_given_as_arguments_and_on_standard_input() {
    for (input, command) in [
        (
            "argument",
            "[\"sh\", \"-c\", \"[ \\\"$0\\\" = 'a b' ] && kill -SEGV $$\", \"{}\"]",
        ),
        (
            "stdin",
            "[\"sh\", \"-c\", \"[ \\\"$(cat)\\\" = 'a b' ] && kill -SEGV $$\"]",
        ),
    ] {
        let stage = with_files(&["a b", "a", ""], "");
        let text = format!(
            "[program.p]\ncommand = {command}\ninput = \"{input}\"\n[generator.files]\nfolder = \"tests\"\n"
        );
        stage.file("c/campaign.toml", text);
        run(&stage, "campaign run c").ended(0);
        let issues = issues(&stage);
        assert_eq!(issues["signal: SIGSEGV"]["test"], "a b", "{input}");
        assert_eq!(tests(&stage), 3);
    }
}

#[test]
fn a_new_campaign_of_expressions_has_the_engine_of_its_program() {
    let stage = Stage::new();
    stage.file(
        "figure.json",
        include_str!("../../../graph/tests/figure1.json"),
    );
    stage.script("node", "exit 0");
    stage.script("program", "exit 0");
    let new = |folder: &str, more: &[&str]| {
        let args = [
            "campaign",
            "new",
            folder,
            "--generate",
            "graph -g figure.json",
        ];
        stage.run(args.iter().chain(more))
    };
    new("c", &["--", "./node", "{}"]).ended(0);
    let text = stage.text("c/campaign.toml");
    assert!(text.contains("engine = \"node\"\ncommand = [\""), "{text}");
    run(&stage, "campaign check c").ended(0);
    // The name of the program is not that of an engine.
    new("d", &["--", "./program", "{}"]).ended(2).said(&[
        "no engine is known by the program `program`",
        "--engine NAME",
    ]);
    new("d", &["--engine", "node", "--", "./program", "{}"]).ended(0);
    run(&stage, "campaign check d").ended(0);
    new("e", &[]).ended(2).said(&["needs an engine"]);
}

#[test]
fn a_new_campaign_can_be_checked_and_run() {
    let stage = Stage::new();
    stage.file("prog.sh", PROGRAM);
    run(
        &stage,
        "campaign new c --generate random -- sh ./prog.sh {}",
    )
    .ended(0);
    run(&stage, "campaign check c")
        .ended(0)
        .said(&["program sh", "generator random on sh"]);
    run(&stage, "campaign run c --max-tests 50")
        .ended(0)
        .said(&["50 tests"]);
    run(&stage, "campaign new c -- sh {}")
        .ended(6)
        .said(&["is not empty"]);
    // The place of the test as in AFL++.
    run(&stage, "campaign new d -- sh ./prog.sh @@").ended(0);
    run(&stage, "campaign check d").ended(0);
}

#[test]
fn a_new_campaign_that_cannot_run_is_refused_and_leaves_no_folder() {
    let stage = Stage::new();
    stage.file("prog.sh", PROGRAM);
    for (exit, generator, words) in [
        (
            2,
            "nonsense",
            "`--generate \"nonsense\"`: unrecognized subcommand",
        ),
        (5, "grammar -g missing.bnf", "cannot read `missing.bnf`"),
        (2, "grammar", "were not provided: --grammar"),
        (2, "", "the arguments of `nubbin generate` are missing"),
        (5, "mutate seeds", "cannot read `seeds`"),
    ] {
        let line = ["campaign", "new", "c", "--generate", generator];
        let ran = stage.run(line.into_iter().chain(["--", "sh", "./prog.sh", "{}"]));
        ran.ended(exit).said(&[words]);
        assert!(!stage.path("c").exists());
    }
    run(&stage, "campaign new c -- ./nothing {}")
        .ended(2)
        .said(&["the command: ", "nothing` does not exist"]);
    run(&stage, "campaign new c -- sh ./prog.sh")
        .ended(2)
        .said(&["does not name the test"]);
    run(&stage, "campaign new").ended(2).said(&[
        "`nubbin campaign new` lacks <DIR>",
        "nubbin campaign new campaign",
    ]);
}

#[test]
fn the_log_of_a_campaign_counts_the_tests_as_its_pages_do_and_exports_have_extensions() {
    let stage = with_files(&["xxxx boom yyyy"], "");
    let ran = run(&stage, "campaign run c").ended(0);
    let shown = run(&stage, "campaign show c 1").ended(0).stdout;
    let tests = shown.split("reduced in ").nth(1).unwrap();
    let tests = tests.split_whitespace().next().unwrap();
    ran.said(&[&format!(", in {tests} tests")]);
    assert!(!shown.contains("output:\n\n") && !shown.trim_end().ends_with("output:"));
    run(&stage, "campaign export c -o tests")
        .ended(0)
        .said(&["1 test is in `tests`", "--html"]);
    let name = stage.text("tests/issues.jsonl");
    assert!(name.contains(".txt\""), "{name}");
}

#[test]
fn an_update_changes_the_version_and_validates_all_issues() {
    let stage = with_files(
        &["boom"],
        // Not before the issue has its report.
        "update = { command = \"true\", every = 0.1, validate = true, \
         condition = \"ls issues/0001-signal-sigsegv/report.md\" }",
    );
    let text = stage.text("c/campaign.toml");
    let script = stage.path("c/prog.sh").display().to_string();
    stage.file("new.sh", "exit 0\n");
    let new = stage.path("new.sh").display().to_string();
    let text = text.replace(
        "command = \"true\"",
        &format!("command = \"cp {new} {script}\""),
    );
    // A campaign without anything to do would end.
    let text = format!("{text}\n[generator.random]\ngenerate = \"random\"\n");
    stage.file("c/campaign.toml", text);
    let mut running = stage.start(["campaign", "run", "c"]);
    running.until("the issue is invalid", || {
        beside(&stage, "campaign issues c --all --json")
            .1
            .contains("\"state\":\"invalid\"")
    });
    running.signal(Signal::INT);
    running.wait();
}

#[test]
fn several_jobs_run_every_test_once() {
    let stage = with_files(&[], "reduce = { enabled = false }\nnetwork = true");
    let log = stage.path("log").display().to_string();
    stage.file("c/prog.sh", format!("md5sum <\"$1\" >>{log}\n"));
    let text = stage.text("c/campaign.toml");
    let text = text.replace("network = true", "sandbox = \"off\"");
    let text = text.replace(
        "folder = \"tests\"",
        "generate = \"random --min-length 30\"",
    );
    stage.file("c/campaign.toml", text);
    for tests in [400, 300] {
        run(&stage, &format!("campaign run c -j 2 --max-tests {tests}")).ended(0);
    }
    let logged = stage.text("log");
    let mut sums: Vec<&str> = logged.lines().collect();
    assert_eq!(sums.len(), 700);
    sums.sort_unstable();
    sums.dedup();
    assert_eq!(sums.len(), 700);
}

#[test]
fn new_files_of_a_folder_are_run_also_if_others_were_removed() {
    let stage = with_files(&["a", "b", "boom"], "");
    run(&stage, "campaign run c").ended(0);
    std::fs::remove_file(stage.path("c/tests/0000")).unwrap();
    stage.file("c/tests/0009", "first");
    run(&stage, "campaign run c").ended(0);
    assert_eq!(tests(&stage), 4);
    assert!(issues(&stage).contains_key("assertion: `x > 1` at a.c"));
}

#[test]
fn reports_follow_the_actions_of_the_user() {
    let stage = with_files(&["boom"], "");
    run(&stage, "campaign run c").ended(0);
    let report = "c/issues/0001-signal-sigsegv/report.md";
    assert!(stage.text(report).contains("| state | open |"));
    run(&stage, "campaign close c 1").ended(0);
    assert!(stage.text(report).contains("| state | closed |"));
    stage.file("c/issues/0001-signal-sigsegv/mine.txt", "of the user");
    run(&stage, "campaign delete c 1").ended(0);
    assert_eq!(
        stage.text("c/issues/0001-signal-sigsegv/mine.txt"),
        "of the user"
    );
    assert!(!stage.path(report).exists());
}

#[test]
fn a_closed_issue_that_a_validation_sees_in_another_version_is_a_regression() {
    let stage = with_files(&["boom"], "");
    run(&stage, "campaign run c").ended(0);
    run(&stage, "campaign close c 1").ended(0);
    run(&stage, "campaign validate c 1")
        .ended(0)
        .said(&["seen again in 3 of 3 runs"]);
    assert_eq!(issues(&stage)["signal: SIGSEGV"]["state"], "closed");
    stage.file("c/prog.sh", format!("# version 2\n{PROGRAM}"));
    run(&stage, "campaign validate c 1").ended(0);
    let issue = issues(&stage)["signal: SIGSEGV"].clone();
    assert_eq!(
        (&issue["state"], &issue["regressed"]),
        (&"open".into(), &true.into())
    );
}

#[test]
fn a_formatter_is_tested_for_its_properties() {
    let stage = example("formatter", &["campaign.toml", "python.bnf", "check.py"]);
    run(&stage, "campaign run c --max-tests 20")
        .ended(0)
        .said(&["20 tests", "0 new issues"]);
    // A formatter that forgets parentheses around sums.
    let script = stage.text("c/check.py");
    let broken = script.replace(
        "once = ast.unparse(tree)",
        "once = ast.unparse(tree).replace('(x + 1)', 'x + 1')",
    );
    stage.file("c/check.py", broken);
    stage.file("program.py", "if x:\n    y = 2 * (x + 1)\nx = [1, 2]\n");
    run(&stage, "campaign import c program.py").ended(0);
    let issue = issues(&stage)["match: formatting has changed the meaning"].clone();
    let smallest = issue["test"].as_str().unwrap().trim_end().to_owned();
    assert!(
        smallest.len() <= 12 && smallest.contains("(x+1)"),
        "{issue}"
    );
}

#[test]
fn a_bug_planted_in_an_engine_is_found_with_its_graph_and_reduced_by_choices() {
    let stage = crate::graph::learned();
    let program = "engine = \"../planted.toml\"\nreduce = { max-tests = 1000 }";
    std::fs::create_dir(stage.path("c")).unwrap();
    stage.file(
        "c/campaign.toml",
        format!(
            "[program.engine]\n{program}\n[generator.walk]\ngenerate = \"graph -g ../l.json\"\n"
        ),
    );
    run(&stage, "campaign check c").ended(0);
    run(&stage, "campaign run c --max-tests 20000 --max-issues 1").ended(0);
    let issues = issues(&stage);
    let (identity, issue) = issues.iter().next().unwrap();
    assert!(identity.starts_with("assertion: "), "{identity}");
    assert_eq!(issue["reduction"], "done");
    // A test of one expression, and the choices that make it.
    assert!(issue["test"].as_str().unwrap().len() < 120, "{issue}");
    assert!(
        issue["recipe"].as_str().unwrap().contains("choices"),
        "{issue}"
    );
}

#[test]
fn a_persistent_program_runs_many_tests_in_one_process() {
    let stage = with_files(&["a", "boom", "b", "slow", "c", "first"], "");
    stage.file(
        "c/prog.sh",
        "while read path; do\n  case $(cat \"$path\") in\n    *boom*) kill -SEGV $$ ;;\n    \
         *slow*) sleep 60 ;;\n    *first*) echo \"p: a.c:1: f: Assertion \\`x' failed.\" >&2; kill -ABRT $$ ;;\n  \
         esac\n  echo \"$$ done\"\ndone\n",
    );
    let script = stage.path("c/prog.sh").display().to_string();
    let text = format!(
        "[program.p]\ncommand = [\"sh\", \"{script}\"]\npersistent = \"done\"\ntimeout = 1\nhang = true\n\
         [generator.files]\nfolder = \"tests\"\n"
    );
    stage.file("c/campaign.toml", &text);
    run(&stage, "campaign run c").ended(0);
    assert_eq!(tests(&stage), 6);
    let found: Vec<String> = issues(&stage).into_keys().collect();
    assert_eq!(
        found,
        [
            "assertion: `x` at a.c",
            "hang: no end within the time limit",
            "signal: SIGSEGV"
        ]
    );
    assert_eq!(issues(&stage)["signal: SIGSEGV"]["test"], "boom");
    stage.file(
        "c/campaign.toml",
        text.replace("timeout = 1", "memory = \"1G\""),
    );
    run(&stage, "campaign run c")
        .ended(5)
        .said(&["`memory` has no effect"]);
}

#[test]
fn a_program_that_fails_with_an_empty_test_is_reported_and_not_reduced_to_nothing() {
    let stage = with_files(&["first\n", "more\n"], "");
    let script = stage.path("c/prog.sh");
    stage.file("c/prog.sh", "echo 'fatal: no module' >&2\nkill -SEGV $$\n");
    let ran = run(&stage, "campaign run c -j 1").ended(0);
    let warning = "warning: prog shows issue 1 whatever it is given";
    assert!(ran.stderr.contains(warning), "{}", ran.stderr);
    let issue = &issues(&stage)["signal: SIGSEGV"];
    assert_eq!(issue["reduction"], "empty");
    assert_eq!(issue["test"], "first\n");
    let told = run(&stage, "campaign status c").ended(0).stdout;
    assert!(
        told.contains("prog shows issue 1 whatever it is given"),
        "{told}"
    );
    let shown = run(&stage, "campaign show c 1").ended(0).stdout;
    assert!(
        shown.contains("an empty test shows the issue as well"),
        "{shown}"
    );
    let text = stage.text("c/campaign.toml");
    let allowed = "reduce.allow-empty = true\nwith = []";
    stage.file("c/campaign.toml", text.replace("with = []", allowed));
    run(&stage, "campaign reduce c 1").ended(0);
    assert_eq!(issues(&stage)["signal: SIGSEGV"]["test"], "");

    // A shell that finds nothing to run ends with an exit code, which is not an issue.
    let stage = with_files(&["first"], "");
    let text = stage.text("c/campaign.toml");
    let word = format!("\"{}\"", stage.path("c/prog.sh").display());
    assert!(text.contains(&word), "{} in {text}", script.display());
    stage.file(
        "c/campaign.toml",
        text.replace(&word, "\"-c\", \"no-such-program $0\""),
    );
    let ran = run(&stage, "campaign run c -j 1").ended(0);
    let warning = "warning: the command of prog cannot be started";
    assert!(ran.stderr.contains(warning), "{}", ran.stderr);
    let told = status(&stage)["warnings"].to_string();
    assert!(told.contains("no-such-program: not found"), "{told}");
}

/// Sends a request to a page, and returns the status and the whole answer.
fn asked(host: &str, line: &str, headers: &str, body: &str) -> (u16, String) {
    use std::io::{Read as _, Write as _};
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    let length = body.len();
    let request = format!(
        "{line} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n{headers}\r\n{body}"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = vec![];
    stream.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
}

/// Serves the page of the campaign `c`. Returns the process, and the address that it prints.
fn served(stage: &Stage, flags: &str) -> (crate::running::Running, String) {
    let line = format!("campaign serve c --address 127.0.0.1:0 {flags}");
    let said = std::fs::File::create(stage.path("said")).unwrap();
    let mut command = stage.nubbin(line.split_whitespace());
    let mut running = crate::running::Running::start(command.stderr(said));
    running.until("the page", || {
        stage.text("said").contains("the page is at ")
    });
    let said = stage.text("said");
    let url = said.split("the page is at http://").nth(1).unwrap();
    (running, url.trim().to_owned())
}

#[test]
fn another_user_of_the_machine_reads_and_deletes_nothing_by_the_page() {
    let stage = with_files(&["boom and my secret"], "reduce = { enabled = false }");
    run(&stage, "campaign run c").ended(0);
    let (running, url) = served(&stage, "");
    let (host, token) = url.split_once("/#token=").unwrap();
    let delete = r#"{"action": "delete"}"#;
    for line in [
        "GET /api/summary",
        "GET /api/issues",
        "GET /api/issue/1",
        "GET /api/issue/1/test",
        "GET /api/events",
        "POST /api/issue/1",
        "POST /api/session",
    ] {
        let (status, answer) = asked(host, line, "", delete);
        assert_eq!(status, 401, "{line}: {answer}");
        assert!(!answer.contains("secret"), "{line}: {answer}");
    }
    assert_eq!(issues(&stage).len(), 1);
    let (status, answer) = asked(host, "GET /", "", "");
    assert!(status == 200 && !answer.contains(token), "{answer}");
    let own = format!("Authorization: Bearer {token}\r\n");
    let (status, answer) = asked(host, "GET /api/issue/1/test", &own, "");
    assert!(status == 200 && answer.ends_with("my secret"), "{answer}");
    let (_, answer) = asked(host, "POST /api/session", &own, "{}");
    let cookie = answer.split("Set-Cookie: ").nth(1).unwrap();
    let cookie = cookie.split(';').next().unwrap();
    let replayed = format!("Cookie: {cookie}\r\n");
    assert_eq!(asked(host, "GET /api/issue/1", &replayed, "").0, 401);
    let body: Value = serde_json::from_str(answer.lines().last().unwrap()).unwrap();
    let own = format!(
        "{replayed}Nubbin-Key: {}\r\n",
        body["key"].as_str().unwrap()
    );
    assert_eq!(asked(host, "GET /api/issue/1", &own, "").0, 200);
    let foreign = format!("{own}Sec-Fetch-Site: cross-site\r\n");
    assert_eq!(asked(host, "POST /api/issue/1", &foreign, delete).0, 403);
    assert_eq!(issues(&stage).len(), 1);
    running.kill();
}

#[test]
fn a_token_of_the_user_is_in_a_file_that_no_other_user_reads() {
    use std::os::unix::fs::PermissionsExt as _;
    let stage = with_files(&["boom"], "reduce = { enabled = false }");
    run(&stage, "campaign run c").ended(0);
    let set = |mode: u32| {
        let rights = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(stage.path("token"), rights).unwrap();
    };
    stage.file("token", "a-secret-of-mine\n");
    set(0o644);
    let serve = "campaign serve c --address 127.0.0.1:0";
    let refused = run(&stage, &format!("{serve} --token-file token")).ended(2);
    assert!(
        refused
            .stderr
            .contains("`token` can be read by other users"),
        "{}",
        refused.stderr
    );
    let line = "campaign run c --serve 127.0.0.1:0 --token-file token";
    run(&stage, line).ended(2);
    set(0o600);
    let (running, url) = served(&stage, "--token-file token");
    let host = url.strip_suffix('/').unwrap();
    let own = "Authorization: Bearer a-secret-of-mine\r\n";
    assert_eq!(asked(host, "GET /api/issue/1", own, "").0, 200);
    assert_eq!(asked(host, "GET /api/issue/1", "", "").0, 401);
    running.kill();
    stage.file("token", "\n");
    set(0o600);
    run(&stage, &format!("{serve} --token-file token")).ended(2);

    let words = serve.split(' ').chain(["--token", ""]);
    let refused = stage.run(words).ended(2);
    assert!(
        refused
            .stderr
            .contains("the token given by `--token` is empty"),
        "{}",
        refused.stderr
    );
    let (running, _) = served(&stage, "--token abc");
    let said = stage.text("said");
    assert!(said.contains("the list of processes"), "{said}");
    running.kill();
}

#[test]
fn issues_are_joined_by_hand_and_split_again() {
    let stage = with_files(&["first", "second"], "");
    run(&stage, "campaign run c").ended(0);
    run(&stage, "campaign join c 1 2")
        .ended(0)
        .said(&["issue 2 is joined to issue 1"]);
    stage.file("c/tests/0002", "second again");
    run(&stage, "campaign run c").ended(0);
    let listed = run(&stage, "campaign issues c").ended(0).stdout;
    assert!(!listed.contains("`x > 2`"), "{listed}");
    let shown = run(&stage, "campaign show c 1 --json").ended(0).stdout;
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(
        (&shown["seen"], &shown["joined"][0]),
        (&3.into(), &2.into())
    );
    assert_eq!(shown["inputs"][2]["name"], "0002");
    run(&stage, "campaign join c 1 2")
        .ended(2)
        .said(&["issue 2 is joined to issue 1", "campaign split DIR 2"]);
    run(&stage, "campaign join c 1 7")
        .ended(2)
        .said(&["there is no issue 7"]);
    run(&stage, "campaign split c 2")
        .ended(0)
        .said(&["issue 2 is split off from issue 1"]);
    let issues = issues(&stage);
    assert_eq!(issues["assertion: `x > 2` at a.c"]["seen"], 2);
    assert_eq!(issues["assertion: `x > 1` at a.c"]["seen"], 1);
}

#[test]
fn the_first_revision_that_shows_an_issue_is_found_among_skipped_ones() {
    let bisect = "bisect = { revisions = \"seq 8\", build = \"sh build.sh\" }";
    let stage = with_files(&["boom"], bisect);
    // The revisions before the fifth do not crash, and the fourth is not built.
    let build = "[ $NUBBIN_REVISION != 4 ] || exit 125\n\
                 if [ $NUBBIN_REVISION -lt 5 ]; then echo true; else cat good.sh; fi >prog.sh\n";
    stage.file("c/build.sh", build);
    stage.file("c/good.sh", PROGRAM);
    run(&stage, "campaign run c").ended(0);
    run(&stage, "campaign bisect c 1").ended(0).said(&[
        "revision 8 shows the issue",
        "revision 1 does not show the issue",
        "revision 4 cannot be tested",
        "the first revision that shows issue 1 is 5, or one of 1 revision before it",
    ]);
    let issue = &issues(&stage)["signal: SIGSEGV"];
    assert!(issue["first_bad"].as_str().unwrap().starts_with("5, or"));
    // The program is the newest one again.
    assert_eq!(stage.text("c/prog.sh"), PROGRAM);
    stage.file("c/build.sh", "echo broken >&2; exit 1\n");
    run(&stage, "campaign bisect c 1").ended(4).said(&[
        "the build of revision 8 ends with exit code 1 broken",
        "125",
    ]);
}

/// Returns the explanation of the first issue, piece by piece.
fn explanation(stage: &Stage) -> Option<Vec<(String, bool)>> {
    let shown = run(stage, "campaign show c 1 --json").ended(0);
    let issue: Value = serde_json::from_str(&shown.stdout).unwrap();
    let pieces = issue["explanation"]["pieces"].as_array()?.iter();
    let piece = |it: &Value| {
        (
            it["text"].as_str().unwrap().to_owned(),
            it["any"].is_string(),
        )
    };
    Some(pieces.map(piece).collect())
}

#[test]
fn an_issue_has_an_explanation_if_it_is_wanted() {
    let stage = with_files(&["boom 12"], "reduce = { enabled = false }");
    run(&stage, "campaign run c").ended(0);
    assert_eq!(explanation(&stage), None);
    run(&stage, "campaign explain c 1")
        .ended(0)
        .said(&["issue 1 was explained: 1 of 2 pieces"]);
    let pieces = [("boom ".to_owned(), false), ("12".to_owned(), true)];
    assert_eq!(explanation(&stage), Some(pieces.to_vec()));
    let shown = run(&stage, "campaign show c 1").ended(0).stdout;
    assert!(
        shown.contains("\n  boom <int>\n    <int>: `12`, or `"),
        "{shown}"
    );
    run(&stage, "campaign export c --html pages").ended(0);
    let page = stage.text("pages/issue-1.html");
    assert!(page.contains("boom <mark"), "{page}");
    assert!(page.contains("&lt;int&gt;</mark>"), "{page}");
    // Each reduced test is explained on request, and a smaller test has another explanation.
    let text = stage.text("c/campaign.toml");
    stage.file(
        "c/campaign.toml",
        text.replace("enabled = false", "explain = true"),
    );
    run(&stage, "campaign reduce c 1").ended(0);
    assert_eq!(explanation(&stage), Some(vec![("boom".to_owned(), false)]));
}

#[test]
fn an_explanation_is_tried_again_if_the_test_does_not_show_its_issue() {
    let more = "reduce = { enabled = false }\nsandbox = \"off\"";
    let stage = with_files(&["boom 12"], more);
    run(&stage, "campaign run c").ended(0);
    let mark = stage.path("mark").display().to_string();
    let script = format!("[ -e '{mark}' ] && rm '{mark}' && exit 0\n{PROGRAM}");
    stage.file("c/prog.sh", script);
    stage.file("mark", "");
    run(&stage, "campaign explain c 1")
        .ended(0)
        .said(&["issue 1 was explained: 1 of 2 pieces"]);
    assert!(!stage.path("mark").exists());
}

/// A fuzzer that finds one crash, and has a child that would run on without it.
#[cfg(target_os = "linux")]
const FUZZER: &str = "\
mkdir -p found; printf boom >found/crash\n\
echo '#8\tNEW    cov: 41 ft: 50 corp: 3/9b lim: 4'\n\
sleep 987654321 & wait\n";

/// Returns whether the child of the fuzzer of this campaign runs.
#[cfg(target_os = "linux")]
fn has_fuzzer(stage: &Stage) -> bool {
    let folder = stage.path("c").canonicalize().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap();
    processes.filter_map(Result::ok).any(|process| {
        let words = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        let here = std::fs::read_link(process.path().join("cwd"));
        here.is_ok_and(|here| here == folder) && words.starts_with(b"sleep\0987654321")
    })
}

#[test]
#[cfg(target_os = "linux")]
fn a_fuzzer_is_started_and_ends_with_the_campaign_also_if_that_is_killed() {
    let stage = with_files(&[], "");
    let text = stage.text("c/campaign.toml");
    let started = "folder = \"found\"\nstart = \"sh fuzzer.sh\"";
    stage.file(
        "c/campaign.toml",
        text.replace("folder = \"tests\"", started),
    );
    stage.file("c/fuzzer.sh", FUZZER);
    let mut running = stage.start(["campaign", "run", "c"]);
    running.until("the fuzzer runs", || has_fuzzer(&stage));
    running.kill();
    crate::running::wait_until("the fuzzer has ended", || !has_fuzzer(&stage));
    let mut running = stage.start(["campaign", "run", "c"]);
    running.until("the fuzzer runs again, and its crash was run", || {
        has_fuzzer(&stage)
            && beside(&stage, "campaign status c")
                .1
                .contains("issues: 1 open")
    });
    running.signal(Signal::INT);
    running.wait().ended(130);
    assert!(!has_fuzzer(&stage));
    assert_eq!(issues(&stage)["signal: SIGSEGV"]["seen"], 1);
    let status = status(&stage);
    assert_eq!(status["sources"][0]["edges"], 41);
    stage.assert_clean();
}

#[test]
#[cfg(unix)]
fn a_fuzzer_that_ends_at_once_is_started_again_as_often_as_permitted() {
    let stage = with_files(&[], "");
    let text = stage.text("c/campaign.toml");
    let fuzzer = "mkdir -p found; printf boom >found/last; echo run >>starts; exit 3";
    let started = format!("folder = \"found\"\nstart = \"{fuzzer}\"\nrestarts = 1");
    stage.file(
        "c/campaign.toml",
        text.replace("folder = \"tests\"", &started),
    );
    // Its generator ends with it, and so does the campaign, after the files that are there.
    run(&stage, "campaign run c")
        .ended(0)
        .said(&["as often as `restarts` allows", "1 new issue"]);
    assert_eq!(stage.text("c/starts").lines().count(), 2);
    // Nothing is started without fuzzing.
    run(&stage, "campaign run c --no-fuzz").ended(0);
    assert_eq!(stage.text("c/starts").lines().count(), 2);
}
