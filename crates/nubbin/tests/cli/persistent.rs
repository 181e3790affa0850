//! Tests in a fork server, with the one of `examples/fork_server`, which behaves as the words in
//! its input demand.

use crate::hostile::assert_no_process;
use crate::stage::{Ran, Stage, haystack};
use rustix::process::Signal;
use std::path::PathBuf;
use std::time::Duration;

/// Returns the path of the program. Cargo builds the examples of a package with all of its tests,
/// and puts them beside its programs.
fn program() -> PathBuf {
    let mut path = PathBuf::from(env!("CARGO_BIN_EXE_nubbin"));
    path.set_file_name("examples/fork_server");
    let how = "build the program first: cargo build -p nubbin --example fork_server";
    assert!(path.exists(), "{how}");
    path
}

/// A reduction of a text, with a program of some kind.
struct Case {
    stage: Stage,
    kind: &'static str,
}

impl Case {
    fn new(kind: &'static str, text: &str) -> Self {
        let stage = Stage::new();
        stage.file("x", text);
        let target = stage.path("target");
        std::fs::copy(program(), &target).unwrap();
        if kind.contains("loop") {
            // The runtime of AFL++ leaves this in programs with a loop.
            let file = std::fs::OpenOptions::new().append(true).open(&target);
            std::io::Write::write_all(&mut file.unwrap(), b"##SIG_AFL_PERSISTENT##").unwrap();
        }
        Case { stage, kind }
    }

    /// The words of a command line. `@@`, `{}`, and nothing are the ways to name the candidate.
    fn words(&self, flags: &str, place: &str) -> Vec<String> {
        let double = format!("DOUBLE={}", self.kind);
        let begin = format!("reduce x --fresh --force -o out --stats stats --env {double} {flags}");
        let mut words: Vec<String> = begin.split_whitespace().map(str::to_owned).collect();
        words.push("--".to_owned());
        words.push("./target".to_owned());
        words.extend(Some(place.to_owned()).filter(|place| !place.is_empty()));
        words
    }

    fn run(&self, flags: &str, place: &str) -> Ran {
        self.stage.run(self.words(flags, place))
    }

    /// Runs with a server, and without a warning. Returns the result and the number of tests.
    #[track_caller]
    fn served(&self, flags: &str, place: &str) -> (String, u64) {
        let ran = self.run(flags, place).ended(0);
        assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
        self.result()
    }

    fn result(&self) -> (String, u64) {
        let stats: serde_json::Value = serde_json::from_slice(&self.stage.read("stats")).unwrap();
        (self.stage.text("out"), stats["tests"].as_u64().unwrap())
    }
}

#[test]
fn each_protocol_gives_the_result_and_the_counts_of_started_programs() {
    let text = haystack(30, "segv");
    let started = Case::new("afl", &text).served("--signal SEGV", "{}");
    assert_eq!(started.0, "segv");
    for kind in [
        "afl",
        "old",
        "new",
        "old,memory",
        "new,memory",
        "new,memory,loop",
    ] {
        let case = Case::new(kind, &text);
        for (flags, place) in [
            ("--persistent -j 1", "{}"),
            ("--persistent -j 3", "@@"),
            ("--persistent", ""),
            ("--persistent=loop", "{}"),
        ] {
            let flags = format!("{flags} --signal SEGV");
            assert_eq!(
                case.served(&flags, place),
                started,
                "{kind}: {flags} {place}"
            );
        }
    }
}

#[test]
fn conditions_read_the_outputs_and_the_exit_code_of_each_test() {
    let of = |word: &str, flags: &str| {
        let case = Case::new("new,early", &haystack(30, word));
        case.served(&format!("--persistent {flags}"), "@@").0
    };
    assert_eq!(of("three", "--exit 3"), "three");
    assert_eq!(of("out", "--stdout 42$"), "out");
    assert_eq!(of("loud", "--stderr wrong"), "loud");
    assert_eq!(of("assert", "--same-failure"), "assert");
    // It was written before the server began, and so in no test.
    assert_eq!(of("loud", r"--stderr ^started\nsome"), "loud");
}

#[test]
fn a_test_that_hangs_ends_and_the_server_goes_on() {
    let case = Case::new("new", "a hang\nb hang\nsegv\n");
    let flags = "--persistent --timeout 0.3 --passes lines";
    let (text, _) = case.served(&format!("{flags} --timeout-fails"), "{}");
    assert_eq!(text, "a hang\n");
    let case = Case::new("new", "ha-ng three");
    let (text, _) = case.served("--persistent --timeout 0.3 --exit 3", "{}");
    assert_eq!(text, "three");
}

#[test]
fn a_test_leaves_no_process_and_no_file_to_the_next_one() {
    // A test that sees what another one has left ends with another exit code. Of several jobs, one
    // sees what a test of another leaves.
    for mode in ["--persistent", "--persistent=loop"] {
        let case = Case::new("new,memory,loop", &haystack(30, "seen leave segv"));
        let (text, _) = case.served(&format!("{mode} --signal SEGV -j 1"), "{}");
        assert_eq!(text, "segv");
        assert_no_process(&case.stage, mode);
    }
}

#[test]
fn a_server_that_ends_is_started_again() {
    let text = haystack(30, "segv");
    let started = Case::new("old", &text).served("--signal SEGV", "{}");
    let case = Case::new("old,leaves", &text);
    assert_eq!(case.served("--persistent --signal SEGV", "{}"), started);
}

#[test]
fn a_failure_in_a_loop_counts_in_a_new_process_only() {
    // A text with `spoil` makes every later one with an `x` fail.
    let text = haystack(20, "spoil x") + &haystack(20, "segv x");
    let case = Case::new("new,memory,loop", &text);
    let (text, _) = case.served("--persistent=loop --signal SEGV -j 1", "{}");
    assert_eq!(text, "segv");
}

#[test]
fn the_coverage_of_the_original_is_kept() {
    // Each byte is an edge: two, two, two, and five times, which are as many as four.
    let case = Case::new("new", "xyzzyxaaaaa");
    let sorted = |flags: &str| {
        let (text, _) = case.served(flags, "@@");
        let mut bytes: Vec<char> = text.chars().collect();
        bytes.sort_unstable();
        String::from_iter(bytes)
    };
    assert_eq!(sorted("--same-coverage"), "aaaaxxyyzz");
    assert_eq!(sorted("--same-coverage=edges"), "axyz");
    // For a test that crashes, whose result must crash as well.
    let case = Case::new("old,memory", "the segvx segv\n");
    let ran = case.run("--same-coverage=edges", "").ended(0);
    ran.said(&["and a signal kills it"]);
    let text = case.stage.text("out");
    assert!(text.contains("segv") && text.len() == 9, "{text}");
}

#[test]
fn without_a_server_the_program_is_started_and_a_warning_says_so() {
    let text = haystack(30, "segv");
    for (kind, reason) in [
        ("refuses", "cannot attach shared memory"),
        ("dies", "ended with exit code 4"),
    ] {
        let case = Case::new(kind, &text);
        let condition = match kind {
            "dies" => "--exit 4 --allow-empty",
            _ => "--signal SEGV",
        };
        let ran = case
            .run(&format!("--persistent {condition}"), "{}")
            .ended(0);
        ran.said(&["warning: the program is started for each test", reason]);
        let result = case.result();
        case.run(condition, "{}").ended(0);
        assert_eq!(case.result(), result, "{kind}");
        let ran = case
            .run(&format!("--same-coverage {condition}"), "{}")
            .ended(4);
        ran.said(&["`--same-coverage` needs the fork server", reason, "afl-cc"]);
    }
    let stage = Stage::with_crash("a crash\n");
    let ran = stage.run("reduce input.txt --persistent --test ./test.sh".split(' '));
    ran.ended(0).said(&["has no fork server", "afl-cc"]);
    // A server that a script starts would leave out the rest of the script.
    stage.file("segv.txt", &text);
    let program = program().display().to_string();
    let line = format!("DOUBLE=new {program} {{}}; [ $? -ge 128 ] && grep -q 29 {{}}");
    let words = [
        "reduce",
        "segv.txt",
        "--persistent",
        "--",
        "sh",
        "-c",
        &line,
    ];
    let ran = stage.run(words).ended(0);
    ran.said(&["a program that it starts answers instead"]);
    assert_eq!(stage.text("segv.min.txt"), "segv29");
}

#[test]
fn a_program_that_fails_in_its_server_only_is_reduced_there() {
    let case = Case::new("new,memory,unused", &haystack(30, "segv"));
    let ran = case.run("--persistent --signal SEGV", "{}").ended(0);
    ran.said(&[
        "warning: the original fails in the fork server",
        "exit code 0",
    ]);
    assert_eq!(case.result().0, "segv");
}

#[test]
fn a_loop_cannot_be_used_with_conditions_that_it_cannot_check() {
    let case = Case::new("new,loop", "segv");
    for (flags, why) in [
        ("--stdout x", "standard output"),
        ("--not-stdout x", "standard output"),
        ("--same-coverage", "the first test of a process"),
    ] {
        let ran = case
            .run(&format!("--persistent=loop {flags}"), "{}")
            .ended(2);
        ran.said(&[
            "`--persistent=loop` cannot be used with",
            why,
            "--persistent`",
        ]);
    }
}

#[test]
fn a_loop_is_not_asked_for_the_end_of_its_program() {
    let case = Case::new("new,loop", &haystack(5, "out"));
    for flags in ["", "--exit 0", "--stdout 42"] {
        let ran = case
            .run(&format!("--persistent --allow-empty {flags}"), "{}")
            .ended(0);
        ran.said(&[
            "warning: the program is started for each test",
            "`__AFL_LOOP`",
        ]);
    }
}

#[test]
fn a_run_that_is_stopped_ends_the_server() {
    for (times, word) in [(1, "hang"), (2, "hang"), (1, "deaf"), (2, "deaf")] {
        // The tests hang, or the server does before the first of them.
        let kind = if word == "deaf" {
            "hangs"
        } else {
            "new,memory"
        };
        let case = Case::new(kind, "a hang\nb\n");
        if word == "deaf" {
            case.stage.file("x", "segv\n");
        }
        let words = case.words("--persistent --timeout 1000 --signal SEGV", "{}");
        let mut run = case.stage.start(words);
        // Neither says that it has begun.
        std::thread::sleep(Duration::from_millis(500));
        for _ in 0..times {
            run.try_signal(Signal::TERM);
        }
        run.wait().ended(130);
        case.stage.assert_clean();
        assert_no_process(&case.stage, word);
    }
}

#[test]
fn a_server_that_answers_twice_is_not_believed() {
    for kind in ["new,twice", "new,late"] {
        for (word, flags) in [
            ("segv", "--signal SEGV"),
            ("three", "--exit 3"),
            ("out", "--stdout 42$"),
        ] {
            let case = Case::new(kind, &haystack(30, word));
            let ran = case.run(&format!("--persistent {flags}"), "{}").ended(0);
            ran.said(&["the program sends more answers than requests"]);
            let result = case.result();
            case.run(flags, "{}").ended(0);
            assert_eq!(case.result(), result, "{kind} {word}");
        }
    }
}
