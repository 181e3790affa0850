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
        .said(&["does not find `app.sh`", "--with app.sh"]);
    assert!(!stage.path("input.min.txt").exists());
    let ran = stage.run(format!("{reduce} --with app.sh {command}").split_whitespace());
    ran.ended(0);
    assert_eq!(stage.text("input.min.txt"), "crash");
}

#[test]
fn an_unresolved_test_is_not_a_failure() {
    let stage = Stage::new();
    stage.script("program", PROGRAM);
    stage.file("x", haystack(10, "unsure"));
    let ran = stage.run(["reduce", "x", "--", "./program", "{}"]).ended(3);
    ran.said(&["could not say", "125"]);
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
