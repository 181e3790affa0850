use std::collections::BTreeSet;

use crate::stage::{Stage, haystack};

/// A program that behaves as the words in its input demand.
const PROGRAM: &str = r#"
text=$(cat "$1")
case "$text" in *hang*) sleep 1000 ;; esac
case "$text" in *loud*) echo "something is wrong at line 7" >&2 ;; esac
case "$text" in *out*) echo "result 42" ;; esac
case "$text" in *segv*) kill -SEGV $$ ;; esac
case "$text" in *three*) exit 3 ;; esac
case "$text" in *unsure*) exit 125 ;; esac
exit 0"#;

fn reduced(word: &str, flags: &[&str]) -> String {
    let stage = Stage::new();
    stage.script("program", PROGRAM);
    stage.file("x", haystack(30, word));
    let mut args = vec!["reduce", "x", "-q", "-o", "out"];
    args.extend(flags);
    args.extend(["--", "./program", "{}"]);
    stage.run(args).ended(0);
    stage.text("out")
}

#[test]
fn an_exit_code_is_a_failure() {
    assert_eq!(reduced("three", &["--exit", "3"]), "three");
    assert_eq!(reduced("three", &["--exit", "1,2,3"]), "three");
}

#[test]
fn a_signal_is_given_by_name_or_number() {
    assert_eq!(reduced("segv", &["--signal", "SEGV"]), "segv");
    assert_eq!(reduced("segv", &["--signal", "sigsegv"]), "segv");
    assert_eq!(reduced("segv", &["--signal", "11"]), "segv");
}

#[test]
fn regular_expressions_apply_to_both_outputs() {
    assert_eq!(reduced("out", &["--stdout", r"result \d+"]), "out");
    assert_eq!(
        reduced("loud", &["--stderr", "^something.*line 7$"]),
        "loud"
    );
    assert_eq!(
        reduced("loud", &["--stderr", "wrong", "--not-stdout", "result"]),
        "loud"
    );
}

#[test]
fn a_timeout_is_a_failure() {
    assert_eq!(
        reduced(
            "hang",
            &[
                "--timeout-fails",
                "--timeout",
                "0.3",
                "--passes",
                "lines,chars"
            ]
        ),
        "hang"
    );
}

#[test]
fn a_difference_to_a_second_program_is_a_failure() {
    let other = "cat {} >/dev/null; echo 'result 41'";
    // A candidate without `out` prints nothing, which is also a difference, so the output is
    // required.
    let flags = ["--differs-from", other, "--stdout", "result"];
    assert_eq!(reduced("out", &flags), "out");
}

#[test]
fn the_same_failure_is_that_of_the_original() {
    assert_eq!(reduced("segv", &["--same-failure"]), "segv");
}

#[test]
fn a_missing_neighbor_is_not_the_failure_to_keep() {
    let stage = Stage::new();
    stage.file("input.txt", "a\ncrash\nb\n");
    stage.file(
        "app.sh",
        "grep -q crash \"$1\" && { echo broken >&2; exit 7; }; exit 0",
    );
    let reduce = "reduce input.txt --same-failure";
    let command = "-- sh app.sh input.txt";
    let ran = stage.run(format!("{reduce} {command}").split_whitespace());
    ran.ended(3)
        .said(&["cannot find `app.sh`", "--with app.sh"]);
    assert!(!stage.path("input.min.txt").exists());
    let ran = stage.run(format!("{reduce} --with app.sh {command}").split_whitespace());
    ran.ended(0);
    assert_eq!(stage.text("input.min.txt"), "crash");
}

#[test]
fn a_missing_file_that_the_command_names_is_not_the_failure_to_keep() {
    let stage = Stage::new();
    stage.file("data/input.txt", "a\ncrash\nb\n");
    let body = "grep -q crash \"$1\" && { echo broken >&2; exit 7; }; exit 0";
    stage.script("tools/app.sh", body);
    let reduce = "reduce data/input.txt --same-failure";
    for command in ["-- sh tools/app.sh {}", "-- sh ./tools/app.sh {}"] {
        let ran = stage.run(format!("{reduce} {command}").split_whitespace());
        ran.ended(3)
            .said(&["cannot find `tools/app.sh`", "--with tools/app.sh"]);
    }
    assert!(!stage.path("data/input.min.txt").exists());
    let with = "--with tools/app.sh -- sh tools/app.sh {}";
    let ran = stage.run(format!("{reduce} {with}").split_whitespace());
    ran.ended(0);
    assert_eq!(stage.text("data/input.min.txt"), "crash");
}

#[test]
fn a_program_that_a_shell_does_not_find_is_not_the_failure_to_keep() {
    let stage = Stage::new();
    stage.file("data/input.txt", "a\ncrash\nb\n");
    let line = "no-such-program \"$1\"";
    let reduce = |flags: &[&str]| {
        let mut args = vec!["reduce", "data/input.txt", "--same-failure"];
        args.extend(flags);
        args.extend(["--", "sh", "-c", line, "sh", "{}"]);
        stage.run(args)
    };
    reduce(&[])
        .ended(3)
        .said(&["exit code 127", "could not find a command", "absolute path"]);
    assert!(!stage.path("data/input.min.txt").exists());
    // A user who asks for this code gets it.
    reduce(&["--exit", "127", "--allow-empty"]).ended(0);
    assert_eq!(stage.text("data/input.min.txt"), "");
}

#[test]
fn an_unresolved_test_is_not_a_failure() {
    let stage = Stage::new();
    stage.script("program", PROGRAM);
    stage.file("x", haystack(10, "unsure"));
    let ran = stage.run(["reduce", "x", "--", "./program", "{}"]).ended(3);
    ran.said(&["could not decide", "125"]);
}

#[test]
fn contradictory_conditions_are_refused() {
    let stage = Stage::with_crash("crash");
    let said = |flags: &[&str], words: &[&str]| {
        let mut args = vec!["reduce", "--test", "./test.sh", "input.txt"];
        args.extend(flags);
        stage.run(args).ended(2).said(words);
    };
    said(&["--exit", "256"], &["256"]);
    said(&["--signal", "SIGFOO"], &["SIGFOO"]);
    said(&["--stderr", "a("], &["a("]);
}

#[test]
fn the_environment_is_part_of_the_test() {
    let stage = Stage::new();
    let body = "[ \"$MODE\" = hard ] && [ -z \"$STRAY\" ] && grep -q crash input.txt";
    stage.script("test.sh", body);
    stage.file("input.txt", "a crash");
    let run = |flags: &str| {
        let args = format!("reduce -q --test ./test.sh input.txt -o out {flags}");
        let mut command = stage.nubbin(args.split_whitespace());
        let ran = command.env("STRAY", "1").output().unwrap();
        ran.status.code()
    };
    assert_eq!(run(""), Some(3));
    assert_eq!(run("--env MODE=hard"), Some(3));
    assert_eq!(run("--env MODE=hard --unset-env STRAY"), Some(0));
    assert_eq!(run("--env MODE=hard --clean-env"), Some(0));
}

/// A Python program with one type of exception in two lines.
const APP: &str = "import json, sys\n\
                   text = open(sys.argv[1]).read()\n\
                   config = json.loads(text) if text.strip() else {}\n\
                   for service in config[\"services\"]:\n\
                   \x20   print(service[\"port\"])\n";

#[test]
fn the_same_exception_in_another_line_is_another_failure() {
    let stage = Stage::new();
    stage.file("app.py", APP);
    stage.file(
        "app.json",
        "{\"services\": [{\"name\": \"a\", \"port\": 1}, {\"name\": \"b\"}], \"debug\": true}\n",
    );
    let args = "reduce app.json --with app.py --same-failure --stats s.json -- python3 app.py {}";
    let ran = stage.run(args.split(' ')).ended(0);
    ran.said(&["keeping: the failure is exception: Python KeyError in <module> (app.py:5)"]);
    assert_eq!(stage.text("app.min.json"), "{\"services\":[{}]}");
}

#[test]
fn a_test_that_needs_a_file_and_a_condition_is_answered_with_the_whole_command() {
    let stage = Stage::new();
    stage.file("app.py", APP);
    stage.file("app.json", "{\"services\": [{\"name\": \"a\"}]}\n");
    let ran = stage
        .run("app.json -- python3 app.py {}".split(' '))
        .ended(3);
    let line = "app.json --with app.py --same-failure -- python3 app.py {}";
    let told = format!("try `nubbin {}`", line.replace("{}", "'{}'"));
    ran.said(&[&told]);
    stage.run(line.split(' ')).ended(0);
}

#[test]
fn the_first_line_names_the_kept_failure() {
    let stage = Stage::new();
    stage.script("program", PROGRAM);
    stage.file("x.json", haystack(10, "loud"));
    let args = "reduce x.json --stderr wrong --exit 0 --stats s.json --json-events e.jsonl --report \
                r.html -- ./program {}";
    let ran = stage.run(args.split(' ')).ended(0);
    let first = ran.stderr.lines().next().unwrap_or_default().to_owned();
    let failure = "exit code 0, and stderr matches `wrong`";
    let start = format!("keeping: {failure} · language: json · the original's test took ");
    assert!(first.starts_with(&start), "{first}");
    let stats: serde_json::Value = serde_json::from_str(&stage.text("s.json")).unwrap();
    assert_eq!(stats["failure"], failure);
    assert_eq!(stats["language"], "json");
    assert!(stats["first_test_s"].as_f64().unwrap() > 0.0);
    let events = stage.text("e.jsonl");
    let start: serde_json::Value = serde_json::from_str(events.lines().next().unwrap()).unwrap();
    assert_eq!(start["failure"], failure);
    assert!(stage.text("r.html").contains("stderr matches `wrong`"));
    let ran = stage.run("reduce x.json -q -o out --stderr wrong -- ./program {}".split(' '));
    assert_eq!(ran.ended(0).stderr, "");
}

#[test]
fn a_test_that_reads_the_original_is_found_before_the_run() {
    let stage = Stage::with_crash("crash");
    let original = stage.path("input.txt");
    let original = original.to_str().unwrap();
    let ran = stage.run(["reduce", "input.txt", "--", "grep", "-q", "crash", original]);
    ran.ended(2).said(&["which is the original", "write `{}`"]);
    let ran = stage.run(["reduce", "input.txt", "--", "cmp", "-s", "{}", original]);
    ran.ended(0)
        .said(&["warning: the test names", "which is the original"]);
    stage.script("fixed.sh", &format!("grep -q crash '{original}'"));
    let ran = stage.run(["reduce", "input.txt", "-o", "out", "--", "./fixed.sh"]);
    let said = ran.ended(9).stderr.clone();
    let warning = said.find("warning: the test names").expect(&said);
    assert!(warning < said.find("keeping: ").expect(&said), "{said}");
    // The file next to it with a longer name is not the original.
    stage.script(
        "other.sh",
        &format!("! grep -q x '{original}.log' && grep -q crash input.txt"),
    );
    let ran = stage.run(["reduce", "input.txt", "-o", "out2", "--", "./other.sh"]);
    assert!(!ran.ended(0).stderr.contains("warning"));
}

#[test]
fn the_quotes_of_a_shell_command_are_looked_at() {
    let stage = Stage::new();
    stage.file("a b.txt", "a crash b");
    let ran = stage.run(["reduce", "a b.txt", "--", "sh", "-c", "grep -q crash {}"]);
    ran.ended(3).said(&["the shell splits", "write `\"{}\"`"]);
    let ran = stage.run([
        "reduce", "a b.txt", "--", "sh", "-c", "grep", "-q", "crash", "{}",
    ]);
    ran.ended(3)
        .said(&["put quotes around all of `grep -q crash {}`"]);
    let ran = stage.run([
        "reduce",
        "a b.txt",
        "--",
        "sh",
        "-c",
        "grep -q crash \"{}\"",
    ]);
    ran.ended(0);
    assert_eq!(stage.text("a b.min.txt"), "crash");
}

#[test]
fn a_limit_on_tests_counts_the_first_and_the_last() {
    for limit in [1, 2, 7] {
        let stage = Stage::new();
        stage.file("input.txt", haystack(30, "crash"));
        stage.script(
            "test.sh",
            "grep -q crash input.txt || exit 1; echo >> \"$LOG\"",
        );
        let log = stage.path("log");
        let args = format!(
            "reduce input.txt -j 1 --flaky off --max-tests {limit} --stats s.json -- ./test.sh"
        );
        let mut command = stage.nubbin(args.split(' '));
        let ran = command.env("LOG", &log).output().unwrap();
        assert!(ran.status.success());
        let stats: serde_json::Value = serde_json::from_str(&stage.text("s.json")).unwrap();
        let tests = stats["tests"].as_u64().unwrap();
        assert!(tests <= limit, "{tests} of {limit}");
    }
}

/// The grammar of expressions of the Fuzzing Book.
const EXPRESSIONS: &str = r#"{
    "<start>": ["<expr>"],
    "<expr>": ["<term> + <expr>", "<term> - <expr>", "<term>"],
    "<term>": ["<factor> * <term>", "<factor> / <term>", "<factor>"],
    "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
    "<integer>": ["<digit><integer>", "<digit>"],
    "<digit>": ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
}"#;

#[test]
fn a_candidate_outside_a_grammar_is_unresolved_and_not_tested() {
    let stage = Stage::new();
    stage.file("g.json", EXPRESSIONS);
    stage.file("x", "1 + (2 * 3)");
    // The log holds each tested text in a line of its own.
    stage.script(
        "t.sh",
        r#"{ cat "$1"; echo; } >> "$LOG"; grep -q '(.*)' "$1""#,
    );
    let reduce = |algorithm: &str| {
        let args = format!(
            "reduce x -o out -j 1 --force --fresh --flaky off --valid-for g.json \
             --algorithm {algorithm} --json-events events --sandbox off -- ./t.sh {{}}"
        );
        let log = stage.path("log");
        stage.file("log", "");
        let ran = stage
            .nubbin(args.split_whitespace())
            .env("LOG", log)
            .output();
        assert!(ran.unwrap().status.success());
        let verdicts = |word: &str| stage.text("events").matches(word).count();
        let unresolved = verdicts(r#""verdict":"unresolved""#);
        // More workers test texts ahead. The same text may be tested twice: at the end, and after a
        // test that took too long.
        let tested: BTreeSet<String> = stage.text("log").lines().map(String::from).collect();
        (stage.text("out"), unresolved, tested)
    };
    // No part of the text fits the grammar, as the chapter says.
    let (result, unresolved, tested) = reduce("ddmin-book --atom char");
    assert_eq!((result.as_str(), unresolved), ("1 + (2 * 3)", 20));
    assert_eq!(tested, BTreeSet::from(["1 + (2 * 3)".to_owned()]));
    let (result, unresolved, tested) = reduce("grabr --grammar g.json");
    assert_eq!((result.as_str(), unresolved), ("(3)", 0));
    assert!(tested.len() > 2, "{tested:?}");
}

#[test]
fn an_original_outside_the_grammar_is_an_error_with_the_place() {
    let stage = Stage::new();
    stage.file("g.json", EXPRESSIONS);
    stage.file("x", "1 + +");
    let ran = stage.run("reduce x --valid-for g.json -- grep -q + {}".split(' '));
    ran.ended(3).said(&[
        "`x` does not fit the grammar `g.json` of `--valid-for`",
        "line 1, column 6",
    ]);
}

#[test]
fn a_command_that_exits_with_1_is_told_with_the_message_of_its_failure() {
    let stage = Stage::new();
    stage.script(
        "sql",
        "grep -q nosuch $1 && { echo 'Parse error near line 3: no such table: nosuch' >&2; exit 1; }\n\
         grep -q . $1 || exit 0\necho 'Parse error near line 1: syntax error' >&2; exit 1",
    );
    stage.file(
        "a.sql",
        "create table t(a);\ninsert into t values (1);\nselect * from nosuch;\n",
    );
    let ran = stage.run(["reduce", "a.sql", "--", "./sql", "{}"]).ended(3);
    ran.said(&[
        "use `--stderr 'Parse error near line.*no such table: nosuch'`, the message of the failure",
        "`--exit 1` alone holds for each other failure with this exit code, such as a syntax error",
    ]);
    let wanted = "Parse error near line.*no such table: nosuch";
    stage
        .run(["reduce", "a.sql", "--stderr", wanted, "--", "./sql", "{}"])
        .ended(0);
    assert_eq!(stage.text("a.min.sql").trim(), "nosuch");
}
