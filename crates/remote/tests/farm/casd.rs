//! A real server, `buildbox-casd`, which `scripts/casd` fetches and starts.
//!
//! `scripts/remote` runs these tests.

use crate::campaign;
use crate::stage::{
    TEST, check, facts, hear, judge, judge_all, judge_with, local, options, reduce, text, wait_for,
};
use nubbin_remote::{RemoteError, RemoteOracle};
use nubbin_verdict::{Ask, Unresolved, Verdict};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server that ends when it is dropped.
struct Casd {
    address: String,
    process: Child,
}

impl Casd {
    fn start(jobs: usize) -> Self {
        Casd::with(&["--jobs", &jobs.to_string()])
    }

    fn with(args: &[&str]) -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/casd");
        let mut process = Command::new(script)
            .args(args)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut address)
            .unwrap();
        assert!(address.starts_with("grpc://"), "the server did not start");
        Casd {
            address: address.trim().to_owned(),
            process,
        }
    }

    fn end(&mut self) {
        if let Ok(None) = self.process.try_wait() {
            let id = self.process.id().to_string();
            let _ = Command::new("kill").arg(id).status();
            let _ = self.process.wait();
        }
    }
}

impl Drop for Casd {
    fn drop(&mut self) {
        self.end();
    }
}

#[test]
fn result_and_tests_are_those_of_this_machine_for_any_number_of_slots() {
    let here = local(TEST, 2);
    let expected = facts(&reduce(&text(), &*here, 2));
    for (there, first) in [(1, 20), (8, 50), (64, 300)] {
        let farm = Casd::start(2);
        let mut options = options(&farm.address, there);
        options.first_time = Duration::from_millis(first);
        let oracle = RemoteOracle::new(&here, options).unwrap();
        check(&oracle, &text()).unwrap();
        let outcome = reduce(&text(), &oracle, oracle.jobs().min(128));
        assert_eq!(facts(&outcome), expected, "{there} slots");
    }
}

#[test]
fn a_run_that_is_repeated_finds_its_results() {
    let farm = Casd::start(2);
    let run = || {
        let here = local(TEST, 1);
        let oracle = RemoteOracle::new(&here, options(&farm.address, 1)).unwrap();
        let outcome = reduce(&text(), &oracle, 1);
        (facts(&outcome), oracle.counts())
    };
    let (expected, first) = run();
    assert_eq!(first.known, 0);
    let (found, second) = run();
    assert_eq!(found, expected);
    // Nothing is sent, since nothing is executed.
    assert_eq!((second.there, second.actions), (0, 0), "{second:?}");
}

#[test]
fn a_canceled_test_frees_its_slot() {
    let farm = Casd::start(2);
    let here = local("grep -q long input.txt && sleep 600; true", 1);
    let oracle = RemoteOracle::new(&here, options(&farm.address, 8)).unwrap();
    let asks: Vec<Ask> = (0..6).map(Ask::new).collect();
    std::thread::scope(|scope| {
        let threads: Vec<_> = asks
            .iter()
            .map(|ask| {
                let oracle = &oracle;
                scope.spawn(move || judge_with(oracle, &format!("long {}", ask.slot), ask))
            })
            .collect();
        wait_for("all actions", || oracle.counts().actions == 6);
        asks.iter().for_each(|ask| ask.cancel.cancel());
        for thread in threads {
            let verdict = thread.join().unwrap().unwrap();
            assert_eq!(verdict, Verdict::Unresolved(Unresolved::Cancelled));
        }
    });
    // It would wait for ten minutes.
    assert_eq!(judge(&oracle, "short").unwrap(), Verdict::Fail);
}

#[test]
fn a_time_limit_holds_there() {
    let farm = Casd::start(2);
    let here = local("sleep 600", 1);
    let mut options = options(&farm.address, 1);
    options.time_limit = Some(Duration::from_secs(1));
    let oracle = RemoteOracle::new(&here, options).unwrap();
    let limit = Unresolved::TimedOut(Duration::from_secs(1));
    assert_eq!(judge(&oracle, "x").unwrap(), Verdict::Unresolved(limit));
}

#[test]
fn a_server_that_is_ended_is_done_without() {
    let mut farm = Casd::start(2);
    let here = local("grep -q 7 input.txt", 1);
    let mut options = options(&farm.address, 4);
    options.here = 1;
    let heard = hear(&mut options);
    let oracle = RemoteOracle::new(&here, options).unwrap();
    let texts: Vec<String> = (0..60).map(|nth| format!("{nth}\n")).collect();
    let verdicts = std::thread::scope(|scope| {
        let asked = scope.spawn(|| judge_all(&oracle, &texts));
        wait_for("a test on the farm", || oracle.counts().there > 0);
        farm.end();
        asked.join().unwrap()
    });
    for (text, verdict) in texts.iter().zip(verdicts) {
        assert_eq!(verdict.is_fail(), text.contains('7'), "{text}");
    }
    assert!(heard.lock().unwrap().len() <= 1);
}

#[test]
fn a_campaign_finds_the_same_issues_with_a_server_and_after_its_end() {
    let expected = campaign::expected();
    for (here, first, is_ended) in [(0, 2, false), (1, 100, false), (1, 500, true)] {
        let mut farm = Casd::start(2);
        let mut options = options(&farm.address, 2);
        options.here = here;
        options.first_time = Duration::from_millis(first);
        let program = campaign::program(campaign::PROGRAM, Some(options));
        let there = || program.runner().place_counts().unwrap().there;
        let found = campaign::campaign(&program, here + 2, || {
            if is_ended {
                wait_for("a test on the farm", || there() > 0);
                farm.end();
            }
        });
        assert_eq!(found, expected, "{here} local, {first} ms, {is_ended}");
        assert!(there() > 0);
    }
}

#[test]
fn one_server_forwards_to_another() {
    let farm = Casd::start(2);
    let desk = Casd::with(&["--forward", &farm.address.replace("grpc:", "http:")]);
    let here = local(TEST, 1);
    let oracle = RemoteOracle::new(&here, options(&desk.address, 2)).unwrap();
    check(&oracle, &text()).unwrap();
    assert_eq!(judge(&oracle, &text()).unwrap(), Verdict::Fail);
    assert_eq!(judge(&oracle, "crash").unwrap(), Verdict::Pass);
}

#[test]
fn the_check_names_files_that_the_sandbox_lacks() {
    let farm = Casd::start(2);
    let dir = tempfile::tempdir().unwrap();
    let words = dir.path().join("words");
    std::fs::create_dir(&words).unwrap();
    std::fs::write(words.join("list"), "crash\n").unwrap();
    // A folder is not sent by itself.
    let line = format!("D={}; grep -qf $D/list input.txt", words.display());
    let here = local(&line, 1);
    let oracle = RemoteOracle::new(&here, options(&farm.address, 1)).unwrap();
    let error = check(&oracle, &text()).unwrap_err();
    let RemoteError::Differs { stderr, lacks, .. } = &error else {
        panic!("{error:?}");
    };
    assert!(stderr.contains("list"), "{stderr}");
    let words = words.display();
    assert_eq!(
        lacks,
        &[format!(
            "`{words}`, which `--remote-input {words}` would send"
        )]
    );
    let mut sent = options(&farm.address, 1);
    sent.inputs = vec![dir.path().join("words")];
    let oracle = RemoteOracle::new(&here, sent).unwrap();
    check(&oracle, &text()).unwrap();
}
