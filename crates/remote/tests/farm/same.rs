//! A test on a farm is the same test as on this machine.

use crate::fake::Fake;
use crate::stage::{
    NAME, TEST, check, facts, judge, judge_all, local, options, reduce, text, with,
};
use nubbin_oracle::{
    CommandOracle, Extra, Options as LocalOptions, Predicate, Runner as _, TestCommand,
};
use nubbin_remote::{RemoteError, RemoteOracle};
use nubbin_verdict::{Unresolved, Verdict};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

#[test]
fn result_and_tests_are_those_of_this_machine_for_any_number_of_slots() {
    let here = local(TEST, 2);
    let expected = facts(&reduce(&text(), &*here, 2));
    for (there, first) in [(1, 0), (8, 0), (64, 0), (2, 100), (8, 4)] {
        let farm = Fake::start(4);
        let mut options = options(&farm.address, there);
        options.first_time = Duration::from_millis(first);
        let oracle = RemoteOracle::new(&here, options).unwrap();
        let outcome = reduce(&text(), &oracle, oracle.jobs());
        assert_eq!(facts(&outcome), expected, "{there} slots");
        let counts = oracle.counts();
        assert_eq!(counts.here, 0);
        assert!(counts.there > 0, "{counts:?}");
    }
}

#[test]
fn both_places_together_have_the_same_result() {
    let here = local(TEST, 2);
    let expected = facts(&reduce(&text(), &*here, 2));
    let farm = Fake::start(2);
    let mut options = options(&farm.address, 2);
    options.here = 2;
    options.first_time = Duration::from_millis(20);
    let oracle = RemoteOracle::new(&here, options).unwrap();
    let outcome = reduce(&text(), &oracle, oracle.jobs());
    assert_eq!(facts(&outcome), expected);
    assert!(oracle.counts().here > 0);
}

#[test]
fn a_second_user_finds_all_results_and_sends_nothing() {
    let farm = Fake::start(2);
    let run = |first: u64, jobs: usize| {
        let here = local(TEST, 1);
        let mut options = options(&farm.address, 2);
        options.first_time = Duration::from_millis(first);
        let oracle = RemoteOracle::new(&here, options).unwrap();
        let outcome = reduce(&text(), &oracle, jobs);
        let counts = oracle.counts();
        drop(oracle);
        (facts(&outcome), counts)
    };
    // The first run has several tests in an action, and stores their results one by one.
    let (expected, first) = run(20, 8);
    assert!(first.there > first.actions, "{first:?}");
    let sent = farm.inside.uploaded.load(Ordering::SeqCst);
    let (found, second) = run(800, 1);
    assert_eq!(found, expected);
    assert_eq!((second.there, second.actions), (0, 0), "{second:?}");
    assert_eq!(farm.inside.uploaded.load(Ordering::SeqCst), sent);
}

#[test]
fn conditions_see_the_same_outputs_as_on_this_machine() {
    let farm = Fake::start(2);
    let cases: [(&str, Predicate); 12] = [
        ("exit 3", Predicate::new().exit("3").unwrap()),
        ("exit 139", Predicate::new().exit("139").unwrap()),
        ("kill -SEGV $$", Predicate::new().exit("139").unwrap()),
        ("kill -SEGV $$", Predicate::new().signal("SEGV").unwrap()),
        ("exit 125", Predicate::new()),
        (
            "echo out; echo err >&2",
            Predicate::new().stdout("^out$").unwrap(),
        ),
        (
            "echo out; echo err >&2",
            Predicate::new().stderr("^out$").unwrap(),
        ),
        (
            "echo out; exit 4",
            Predicate::new().not_stdout("out").unwrap(),
        ),
        (
            "yes | head -c 3000000",
            Predicate::new().stdout("y").unwrap(),
        ),
        (
            "cat input.txt; exit 2",
            Predicate::new().differs_from(TestCommand::shell("cat {}; exit 3").unwrap()),
        ),
        (
            "cat input.txt",
            Predicate::new().differs_from(TestCommand::shell("cat {}").unwrap()),
        ),
        (
            "pwd >/dev/null; test -d \"$TMPDIR\" -a \"$NUBBIN\" = 1",
            Predicate::new(),
        ),
    ];
    for (line, predicate) in cases {
        let shown = predicate.describe();
        let here = with(line, 1, predicate);
        let oracle = RemoteOracle::new(&here, options(&farm.address, 1)).unwrap();
        let expected = judge(&*here, "x\n").unwrap();
        assert_eq!(judge(&oracle, "x\n").unwrap(), expected, "{line}: {shown}");
    }
}

#[test]
fn limits_on_time_and_output_hold_there() {
    let farm = Fake::start(1);
    let command = TestCommand::shell("grep -q long input.txt && sleep 60; yes").unwrap();
    let mut local = LocalOptions::new(command, vec![PathBuf::from(NAME)]);
    local.output_limit = 1000;
    local.predicate = Predicate::new().stdout("y").unwrap();
    let here = Arc::new(CommandOracle::new(local).unwrap());
    let mut options = options(&farm.address, 1);
    options.time_limit = Some(Duration::from_millis(500));
    let oracle = RemoteOracle::new(&here, options).unwrap();
    let limit = Unresolved::TimedOut(Duration::from_millis(500));
    assert_eq!(judge(&oracle, "long").unwrap(), Verdict::Unresolved(limit));
    let ends = "head -c 2000 /dev/zero";
    let command = TestCommand::shell(ends).unwrap();
    let mut local = LocalOptions::new(command, vec![PathBuf::from(NAME)]);
    local.output_limit = 1000;
    local.predicate = Predicate::new().stdout("y").unwrap();
    let here = Arc::new(CommandOracle::new(local).unwrap());
    let oracle = RemoteOracle::new(&here, crate::stage::options(&farm.address, 1)).unwrap();
    let limit = Verdict::Unresolved(Unresolved::OutputLimit);
    assert_eq!(judge(&oracle, "short").unwrap(), limit);
}

#[test]
fn the_time_of_tests_decides_how_many_share_an_action() {
    let farm = Fake::start(1);
    let here = local("sleep 0.2", 1);
    let mut options = options(&farm.address, 1);
    options.first_time = Duration::from_millis(5);
    let oracle = RemoteOracle::new(&here, options).unwrap();
    assert_eq!(oracle.at_once(1), 100);
    let texts: Vec<String> = (0..20).map(|nth| nth.to_string()).collect();
    judge_all(&oracle, &texts);
    // One in five of the new time, at least 200 ms, after each action.
    assert!(oracle.at_once(1) <= 12, "{}", oracle.at_once(1));
}

#[test]
fn a_test_that_prints_without_end_is_ended_long_before_its_time_limit() {
    let farm = Fake::start(1);
    for to in ["", ">&2"] {
        let line = format!("grep -q short input.txt || while :; do echo more {to}; done");
        let mut local =
            LocalOptions::new(TestCommand::shell(line).unwrap(), vec![PathBuf::from(NAME)]);
        local.output_limit = 1000;
        local.predicate = Predicate::new().stdout("^").unwrap().stderr("^").unwrap();
        let here = Arc::new(CommandOracle::new(local).unwrap());
        let mut options = options(&farm.address, 1);
        options.time_limit = Some(Duration::from_secs(600));
        options.first_time = Duration::from_millis(100);
        let oracle = RemoteOracle::new(&here, options).unwrap();
        let limit = Verdict::Unresolved(Unresolved::OutputLimit);
        // It would print for ten minutes.
        assert_eq!(judge(&*here, "long").unwrap(), limit);
        let texts = ["long 1", "short 1", "long 2", "short 2"].map(str::to_owned);
        let verdicts = judge_all(&oracle, &texts);
        assert_eq!(verdicts[0], limit);
        assert_eq!(verdicts[1], Verdict::Fail);
        assert_eq!(verdicts[2], limit);
        assert_eq!(verdicts[3], Verdict::Fail);
    }
}

#[test]
fn a_result_out_of_time_is_not_taken_from_the_cache() {
    let farm = Fake::start(1);
    let flag = tempfile::tempdir().unwrap();
    // The first run hangs, as on a worker that has too much to do.
    let line = format!(
        "mkdir {}/ran 2>/dev/null && sleep 60; true",
        flag.path().display()
    );
    let here = local(&line, 1);
    let ask = || {
        let mut options = options(&farm.address, 1);
        options.time_limit = Some(Duration::from_secs(1));
        let oracle = RemoteOracle::new(&here, options).unwrap();
        judge(&oracle, "x").unwrap()
    };
    assert!(matches!(
        ask(),
        Verdict::Unresolved(Unresolved::TimedOut(_))
    ));
    assert_eq!(ask(), Verdict::Fail);
    assert_eq!(ask(), Verdict::Fail);
    assert_eq!(farm.inside.executed.load(Ordering::SeqCst), 2);
}

#[test]
fn a_repeated_test_runs_again() {
    let farm = Fake::start(1);
    let here = local("true", 1);
    let oracle = RemoteOracle::new(&here, options(&farm.address, 1)).unwrap();
    for runs in 1..=3 {
        judge(&oracle, "x").unwrap();
        assert_eq!(farm.inside.executed.load(Ordering::SeqCst), runs);
    }
}

#[test]
fn files_are_sent_with_their_permissions() {
    let farm = Fake::start(1);
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    std::fs::create_dir_all(at("tool/lib")).unwrap();
    std::fs::write(at("tool/lib/words"), "secret\n").unwrap();
    // Large blobs have a way of their own.
    let large: Vec<u8> = (0..300_000u32).flat_map(u32::to_le_bytes).collect();
    std::fs::write(at("tool/large"), &large).unwrap();
    std::fs::write(at("beside.txt"), "beside\n").unwrap();
    let script =
        "#!/bin/sh\ncd \"$(dirname \"$0\")\" && [ $(wc -c <large) = 1200000 ] && cat lib/words\n";
    std::fs::write(at("tool/run.sh"), script).unwrap();
    std::os::unix::fs::symlink("run.sh", at("tool/link.sh")).unwrap();
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(at("tool/run.sh"), permissions).unwrap();
    let line = format!(
        "[ -f beside.txt ] && {}/link.sh | grep secret",
        at("tool").display()
    );
    let command = TestCommand::shell(line).unwrap();
    let mut local = LocalOptions::new(command, vec![PathBuf::from(NAME)]);
    local.extras = vec![Extra::new(Path::new("beside.txt"), dir.path()).unwrap()];
    local.predicate = Predicate::new().stdout("^secret$").unwrap();
    let here = Arc::new(CommandOracle::new(local).unwrap());
    let mut options = options(&farm.address, 1);
    options.inputs = vec![at("tool")];
    let oracle = RemoteOracle::new(&here, options).unwrap();
    assert_eq!(judge(&oracle, "x").unwrap(), Verdict::Fail);
    // The farm has everything that was sent.
    std::fs::rename(at("tool"), at("away")).unwrap();
    assert_eq!(judge(&oracle, "y").unwrap(), Verdict::Fail);
}

#[test]
fn the_check_accepts_a_worker_like_this_machine() {
    let farm = Fake::start(1);
    let here = local(TEST, 1);
    let oracle = RemoteOracle::new(&here, options(&farm.address, 1)).unwrap();
    check(&oracle, &text()).unwrap();
}

#[test]
fn the_check_names_programs_that_a_worker_lacks() {
    let farm = Fake::start(1);
    *farm.inside.faults.lacks.lock().unwrap() = Some("'awk'".to_owned());
    let command = vec!["awk".into(), "/crash/ { exit 3 }".into(), NAME.into()];
    let command = TestCommand::new(command, Path::new("/")).unwrap();
    let mut local = LocalOptions::new(command, vec![PathBuf::from(NAME)]);
    local.predicate = Predicate::new().exit("3").unwrap();
    let here = Arc::new(CommandOracle::new(local).unwrap());
    let oracle = RemoteOracle::new(&here, options(&farm.address, 1)).unwrap();
    let error = check(&oracle, &text()).unwrap_err();
    let RemoteError::Differs {
        what,
        stderr,
        lacks,
    } = &error
    else {
        panic!("{error:?}");
    };
    assert!(
        what.contains("the original has the verdict `fail`"),
        "{what}"
    );
    assert!(what.contains("exit code 127"), "{what}");
    assert!(stderr.contains("there-is-no-such-program"), "{stderr}");
    assert_eq!(lacks, &["a program that the test runs"]);
}

#[test]
fn the_check_finds_a_test_that_accepts_everything_there() {
    let farm = Fake::start(1);
    *farm.inside.faults.lacks.lock().unwrap() = Some("awk".to_owned());
    // Without the program, everything is a failure.
    let here = local("! awk '/crash/ { exit 1 }' input.txt", 1);
    let oracle = RemoteOracle::new(&here, options(&farm.address, 1)).unwrap();
    let error = check(&oracle, &text()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("an empty input has the verdict `pass`"),
        "{error}"
    );
}

#[test]
fn many_tests_at_once_have_their_own_verdicts() {
    let farm = Fake::start(2);
    let here = local("grep -q 7 input.txt", 1);
    let mut options = options(&farm.address, 2);
    options.first_time = Duration::from_millis(5);
    let oracle = RemoteOracle::new(&here, options).unwrap();
    let texts: Vec<String> = (0..200).map(|nth| format!("{nth}\n")).collect();
    let verdicts = judge_all(&oracle, &texts);
    for (text, verdict) in texts.iter().zip(verdicts) {
        assert_eq!(verdict.is_fail(), text.contains('7'), "{text}");
    }
    assert!(oracle.counts().actions <= 40, "{:?}", oracle.counts());
}
