//! Tests under a program that was started with ignored or blocked signals.
//!
//! A process inherits its signal settings from the program that started it. So each test here
//! starts the program of this file again, through `env`, and runs itself there.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "in a test the panic is the report")]

use nubbin_oracle::{CommandOracle, Dialogue, Options, Predicate, TestCommand};
use nubbin_verdict::{Ask, Candidate, File, Limit, Oracle, Unresolved, Verdict};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The variable that is set for the program with other signal settings.
const INNER: &str = "NUBBIN_SIGNALS_INNER";

fn is_inner() -> bool {
    std::env::var_os(INNER).is_some()
}

/// Runs `test` of this file again in a process that `env` starts with these arguments.
#[track_caller]
fn run_again(test: &str, arguments: &[&str]) {
    let output = Command::new("env")
        .args(arguments)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(INNER, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    assert!(text.contains("1 passed"), "{text}");
}

fn oracle(line: &str, change: impl FnOnce(&mut Options)) -> CommandOracle {
    let command = TestCommand::shell(line).unwrap();
    let mut options = Options::new(command, vec![PathBuf::from("input.txt")]);
    options.timeout = Some(Duration::from_secs(60));
    change(&mut options);
    CommandOracle::new(options).unwrap()
}

fn judge(oracle: &CommandOracle) -> Verdict {
    let file = [File {
        name: Path::new("input.txt"),
        bytes: b"x",
    }];
    oracle.judge(&Candidate::new(&file), &Ask::new(0)).unwrap()
}

/// A test that prints its ignored and its blocked signals.
const SIGNALS: &str = "exec grep -E '^Sig(Ign|Blk):' /proc/self/status";

/// Returns the lines that name a signal. Signals 32 and 33 are left out: they belong to the C
/// library, which leaves them ignored in processes that it starts.
fn changed(text: &str) -> Vec<&str> {
    let lines = text.lines();
    let names_one = |line: &&str| {
        let mask = line.split_whitespace().next_back().unwrap();
        u64::from_str_radix(mask, 16).unwrap() & !(0b11 << 31) != 0
    };
    lines.filter(names_one).collect()
}

#[test]
fn a_test_has_default_signals() {
    if is_inner() {
        let oracle = oracle(SIGNALS, |options| {
            options.predicate = Predicate::new().stdout("SigIgn").unwrap();
        });
        let file = [File {
            name: Path::new("input.txt"),
            bytes: b"x",
        }];
        let run = oracle.observe(&Candidate::new(&file), 0).unwrap();
        let text = String::from_utf8_lossy(run.stdout()).into_owned();
        assert_eq!(text.lines().count(), 2, "{text}");
        assert_eq!(changed(&text), [""; 0]);
        let command = TestCommand::shell(SIGNALS).unwrap();
        let mut dialogue = Dialogue::start(&command, Path::new("/"), 1000, None, false).unwrap();
        for _ in 0..2 {
            let line = dialogue.hear(Duration::from_secs(60), 1000).unwrap();
            let line = String::from_utf8(line).unwrap();
            assert_eq!(changed(&line), [""; 0]);
        }
        return;
    }
    for arguments in [
        &["--ignore-signal=HUP,INT,QUIT,PIPE,XFSZ,TERM,TTOU"][..],
        &["--block-signal=HUP,INT,QUIT,PIPE,XFSZ,TERM,TTOU"],
        &["--ignore-signal=HUP,XFSZ", "--block-signal=INT,XFSZ"],
        &["--default-signal=HUP,INT,XFSZ"],
    ] {
        run_again("a_test_has_default_signals", arguments);
    }
}

#[test]
fn the_limit_on_the_size_of_a_file_works_even_if_its_signal_was_ignored() {
    if is_inner() {
        let oracle = oracle("head -c 3000000 /dev/zero > big; exit 0", |options| {
            options.file_size_limit = Some(1 << 20);
        });
        let over = Verdict::Unresolved(Unresolved::OverLimit(Limit::FileSize));
        assert_eq!(judge(&oracle), over);
        return;
    }
    let test = "the_limit_on_the_size_of_a_file_works_even_if_its_signal_was_ignored";
    run_again(test, &["--ignore-signal=XFSZ"]);
    run_again(test, &["--block-signal=XFSZ"]);
}

#[test]
fn a_test_can_end_itself_with_a_signal_that_was_ignored() {
    if is_inner() {
        for signal in ["HUP", "INT", "TERM", "XFSZ", "PIPE"] {
            let oracle = oracle(&format!("kill -{signal} $$; exit 0"), |options| {
                options.predicate = Predicate::new().signal(signal).unwrap();
            });
            assert_eq!(judge(&oracle), Verdict::Fail, "{signal}");
        }
        return;
    }
    let test = "a_test_can_end_itself_with_a_signal_that_was_ignored";
    run_again(test, &["--ignore-signal=HUP,INT,TERM,XFSZ,PIPE"]);
}
