use crate::stage::{Stage, haystack};

/// A program that reads its argument and does what the words in it say.
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
fn an_exit_code() {
    assert_eq!(reduced("three", &["--exit", "3"]), "three");
    assert_eq!(reduced("three", &["--exit", "1,2,3"]), "three");
}

#[test]
fn a_signal_by_name_or_number() {
    assert_eq!(reduced("segv", &["--signal", "SEGV"]), "segv");
    assert_eq!(reduced("segv", &["--signal", "sigsegv"]), "segv");
    assert_eq!(reduced("segv", &["--signal", "11"]), "segv");
}

#[test]
fn regular_expressions_on_both_outputs() {
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
fn a_time_out() {
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
fn a_second_program_that_differs() {
    let other = "cat {} >/dev/null; echo 'result 41'";
    // Anything without `out` prints nothing, which differs as well: demand the output.
    let flags = ["--differs-from", other, "--stdout", "result"];
    assert_eq!(reduced("out", &flags), "out");
}

#[test]
fn the_failure_that_the_original_shows() {
    assert_eq!(reduced("segv", &["--same-failure"]), "segv");
}

#[test]
fn a_test_that_cannot_say_is_not_a_failure() {
    let stage = Stage::new();
    stage.script("program", PROGRAM);
    stage.file("x", haystack(10, "unsure"));
    let ran = stage.run(["reduce", "x", "--", "./program", "{}"]).ended(3);
    ran.said(&["could not say", "125"]);
}

#[test]
fn conditions_that_make_no_sense_are_explained() {
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
