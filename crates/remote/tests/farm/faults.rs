//! A fault of a farm is never a verdict, and loses none.

use crate::fake::Fake;
use crate::stage::{
    TEST, facts, hear, judge, judge_all, judge_with, local, options, reduce, text, wait_for,
};
use nubbin_oracle::PlaceCounts;
use nubbin_remote::{RemoteOracle, TokenSource};
use nubbin_verdict::{Ask, Unresolved, Verdict};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Runs some tests on a farm, without slots of this machine, all of which have the right verdicts.
fn all_right(farm: &Fake) -> PlaceCounts {
    let here = local("grep -q 7 input.txt", 1);
    let oracle = RemoteOracle::new(&here, options(&farm.address, 4)).unwrap();
    let texts: Vec<String> = (0..20).map(|nth| format!("{nth}\n")).collect();
    for (text, verdict) in texts.iter().zip(judge_all(&oracle, &texts)) {
        let expected = if text.contains('7') {
            Verdict::Fail
        } else {
            Verdict::Pass
        };
        assert_eq!(verdict, expected, "{text}");
    }
    oracle.counts()
}

#[test]
fn streams_that_end_early_are_taken_up_again() {
    let farm = Fake::start(2);
    farm.inside.faults.loses_streams.store(7, Ordering::SeqCst);
    let counts = all_right(&farm);
    assert_eq!(farm.inside.executed.load(Ordering::SeqCst), counts.actions);
}

#[test]
fn a_stream_that_has_news_may_end_early_any_number_of_times() {
    let farm = Fake::start(1);
    let dir = tempfile::tempdir().unwrap();
    let flag = dir.path().join("flag");
    let line = format!("until [ -e {} ]; do sleep 0.1; done", flag.display());
    let here = local(&line, 1);
    let oracle = RemoteOracle::new(&here, options(&farm.address, 1)).unwrap();
    let left = || farm.inside.faults.loses_streams.load(Ordering::SeqCst);
    // More than a farm without news may lose.
    farm.inside.faults.loses_streams.store(9, Ordering::SeqCst);
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| judge(&oracle, "x").unwrap());
        wait_for("the ends of the streams", || left() <= 0);
        std::fs::write(&flag, "").unwrap();
        assert_eq!(asked.join().unwrap(), Verdict::Fail);
    });
    assert_eq!(oracle.counts().actions, 1);
    assert_eq!(farm.inside.executed.load(Ordering::SeqCst), 1);
}

#[test]
fn a_result_with_another_exit_code_than_0_is_not_taken_from_the_cache() {
    let farm = Fake::start(1);
    let here = local("true", 1);
    let ask = || {
        let oracle = RemoteOracle::new(&here, options(&farm.address, 1)).unwrap();
        let verdict = judge(&oracle, "x").unwrap();
        (verdict, oracle.counts().known)
    };
    assert_eq!(ask(), (Verdict::Fail, 0));
    // A farm may keep failures of its workers as well, in this test with an output.
    let mut results = farm.inside.results.lock().unwrap();
    results.values_mut().for_each(|one| one.exit_code = 72);
    drop(results);
    assert_eq!(ask(), (Verdict::Fail, 0));
    assert_eq!(farm.inside.executed.load(Ordering::SeqCst), 2);
    // The new result has replaced it.
    assert_eq!(ask(), (Verdict::Fail, 1));
}

#[test]
fn tests_after_those_that_hang_are_for_another_action() {
    let farm = Fake::start(1);
    let here = local("sleep 600", 1);
    let mut options = options(&farm.address, 1);
    options.first_time = Duration::from_millis(5);
    options.time_limit = Some(Duration::from_secs(1));
    let oracle = RemoteOracle::new(&here, options).unwrap();
    let texts: Vec<String> = (0..5).map(|nth| nth.to_string()).collect();
    for verdict in judge_all(&oracle, &texts) {
        let limit = Unresolved::TimedOut(Duration::from_secs(1));
        assert_eq!(verdict, Verdict::Unresolved(limit));
    }
    // An action ends after two of them.
    assert!(oracle.counts().actions >= 3, "{:?}", oracle.counts());
    assert_eq!(oracle.counts().there, 5);
}

#[test]
fn an_answer_that_comes_twice_counts_once() {
    let farm = Fake::start(2);
    farm.inside
        .faults
        .answers_twice
        .store(true, Ordering::SeqCst);
    all_right(&farm);
}

#[test]
fn lost_blobs_are_sent_again() {
    let farm = Fake::start(2);
    farm.inside.faults.evicts.store(3, Ordering::SeqCst);
    all_right(&farm);
}

#[test]
fn a_full_farm_is_waited_for() {
    let farm = Fake::start(2);
    farm.inside.faults.is_full.store(5, Ordering::SeqCst);
    all_right(&farm);
}

#[test]
fn a_broken_worker_has_no_verdict() {
    let farm = Fake::start(2);
    farm.inside.faults.breaks_scripts.store(6, Ordering::SeqCst);
    all_right(&farm);
}

#[test]
fn an_action_that_the_farm_ends_is_tried_alone_and_then_out_of_time() {
    let farm = Fake::start(2);
    farm.inside.faults.ends_actions.store(1, Ordering::SeqCst);
    all_right(&farm);
    farm.inside.faults.ends_actions.store(2, Ordering::SeqCst);
    let here = local("true", 1);
    let oracle = RemoteOracle::new(&here, options(&farm.address, 4)).unwrap();
    let verdict = judge(&oracle, "x").unwrap();
    assert!(
        matches!(verdict, Verdict::Unresolved(Unresolved::TimedOut(_))),
        "{verdict:?}"
    );
}

#[test]
fn a_call_that_takes_too_long_is_not_the_end_of_an_action() {
    let farm = Fake::start(1);
    let here = local("true", 1);
    let oracle = RemoteOracle::new(&here, options(&farm.address, 1)).unwrap();
    farm.inside.faults.is_late.store(3, Ordering::SeqCst);
    assert_eq!(judge(&oracle, "x").unwrap(), Verdict::Fail);
}

#[test]
fn contents_of_another_digest_are_no_verdict() {
    let farm = Fake::start(1);
    let here = local("true", 1);
    let oracle = RemoteOracle::new(&here, options(&farm.address, 1)).unwrap();
    farm.inside.faults.damages.store(1, Ordering::SeqCst);
    assert_eq!(judge(&oracle, "x").unwrap(), Verdict::Fail);
    assert_eq!(judge(&oracle, "y").unwrap(), Verdict::Fail);
    assert_eq!(oracle.counts().here, 0);
}

#[test]
fn a_test_that_breaks_all_workers_runs_here() {
    let farm = Fake::start(1);
    let here = local("true", 1);
    let oracle = RemoteOracle::new(&here, options(&farm.address, 1)).unwrap();
    farm.inside
        .faults
        .breaks_scripts
        .store(1000, Ordering::SeqCst);
    assert_eq!(judge(&oracle, "x").unwrap(), Verdict::Fail);
    assert_eq!(oracle.counts().here, 1);
}

#[test]
fn a_farm_keeps_no_result_of_a_bundle() {
    let farm = Fake::start(1);
    farm.inside.faults.keeps_cache.store(true, Ordering::SeqCst);
    let here = local("grep -q 7 input.txt", 1);
    let mut options = options(&farm.address, 1);
    options.first_time = Duration::from_millis(5);
    let oracle = RemoteOracle::new(&here, options).unwrap();
    let texts: Vec<String> = (0..20).map(|nth| format!("{nth}\n")).collect();
    judge_all(&oracle, &texts);
    assert!(oracle.counts().actions < 20);
    let results = farm.inside.results.lock().unwrap();
    assert!(results.values().all(|one| one.output_files.len() == 1));
}

#[test]
fn a_farm_that_is_gone_is_done_without() {
    let mut farm = Fake::start(2);
    let here = local(TEST, 2);
    let expected = facts(&reduce(&text(), &*here, 2));
    let mut options = options(&farm.address, 4);
    options.here = 1;
    let heard = hear(&mut options);
    let oracle = RemoteOracle::new(&here, options).unwrap();
    let outcome = std::thread::scope(|scope| {
        let running = scope.spawn(|| reduce(&text(), &oracle, oracle.jobs()));
        let counts = || oracle.counts();
        wait_for("a test on the farm", || counts().there + counts().here > 10);
        farm.end();
        running.join().unwrap()
    });
    assert_eq!(facts(&outcome), expected);
    let heard = heard.lock().unwrap();
    assert!(heard.len() <= 1, "{heard:?}");
}

#[test]
fn a_farm_that_comes_back_is_used_again() {
    let mut farm = Fake::start(2);
    let here = local("grep -q 7 input.txt", 1);
    let mut options = options(&farm.address, 2);
    let heard = hear(&mut options);
    let oracle = RemoteOracle::new(&here, options).unwrap();
    assert_eq!(judge(&oracle, "7").unwrap(), Verdict::Fail);
    farm.end();
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| judge(&oracle, "17").unwrap());
        wait_for("a message", || !heard.lock().unwrap().is_empty());
        // Restarted, without the blobs that were sent.
        farm.again(2);
        assert_eq!(asked.join().unwrap(), Verdict::Fail);
    });
    let heard = heard.lock().unwrap();
    assert!(heard[0].contains("waiting for it"), "{heard:?}");
    assert_eq!(heard[1], "the farm answers again");
}

#[test]
fn a_token_that_expired_is_fetched_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("token");
    std::fs::write(&path, "old").unwrap();
    let farm = Fake::start(2);
    let token = |text: &str| *farm.inside.faults.token.lock().unwrap() = Some(text.to_owned());
    token("old");
    let here = local("grep -q 7 input.txt", 1);
    let mut options = options(&farm.address, 2);
    options.access.token = Some(TokenSource::File(path.clone()));
    let oracle = RemoteOracle::new(&here, options).unwrap();
    assert_eq!(judge(&oracle, "7").unwrap(), Verdict::Fail);
    token("new");
    std::fs::write(&path, "new\n").unwrap();
    assert_eq!(judge(&oracle, "8").unwrap(), Verdict::Pass);
}

#[test]
fn a_worker_without_the_program_has_no_verdict() {
    let farm = Fake::start(2);
    let here = local("awk '/7/ { exit 3 }' input.txt; [ $? = 3 ]; exit $?", 1);
    let direct = local("awk '/7/ { exit 3 }' input.txt", 1);
    drop(here);
    let mut options = options(&farm.address, 2);
    let heard = hear(&mut options);
    let oracle = RemoteOracle::new(&direct, options).unwrap();
    *farm.inside.faults.lacks.lock().unwrap() = Some("awk".to_owned());
    for text in ["1", "2", "3", "4", "5", "6"] {
        assert_eq!(judge(&oracle, text).unwrap(), Verdict::Fail, "{text}");
    }
    let heard = heard.lock().unwrap();
    assert!(
        heard.len() == 1 && heard[0].contains("lacks the program"),
        "{heard:?}"
    );
}

#[test]
fn a_test_that_is_not_wanted_is_canceled_there() {
    let farm = Fake::start(1);
    let here = local("grep -q long input.txt && sleep 600; true", 1);
    let oracle = RemoteOracle::new(&here, options(&farm.address, 1)).unwrap();
    let ask = Ask::new(0);
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| judge_with(&oracle, "long", &ask).unwrap());
        wait_for("the test", || {
            farm.inside.running.load(Ordering::SeqCst) > 0
        });
        ask.cancel.cancel();
        let verdict = asked.join().unwrap();
        assert_eq!(verdict, Verdict::Unresolved(Unresolved::Cancelled));
    });
    // The only slot is free.
    assert_eq!(judge(&oracle, "short").unwrap(), Verdict::Fail);
    assert_eq!(farm.inside.cancelled.load(Ordering::SeqCst), 1);
}

#[test]
fn the_end_of_a_run_leaves_no_test_there() {
    let farm = Fake::start(2);
    let here = local("sleep 600", 1);
    let oracle = RemoteOracle::new(&here, options(&farm.address, 2)).unwrap();
    let asks = [Ask::new(0), Ask::new(1)];
    std::thread::scope(|scope| {
        let threads: Vec<_> = asks
            .iter()
            .map(|ask| scope.spawn(|| judge_with(&oracle, &ask.slot.to_string(), ask).unwrap()))
            .collect();
        wait_for("the tests", || {
            farm.inside.running.load(Ordering::SeqCst) == 2
        });
        asks.iter().for_each(|ask| ask.cancel.cancel());
        threads.into_iter().for_each(|thread| drop(thread.join()));
    });
    drop(oracle);
    assert_eq!(farm.inside.cancelled.load(Ordering::SeqCst), 2);
    wait_for("the end of tests", || {
        farm.inside.running.load(Ordering::SeqCst) == 0
    });
}

#[test]
fn a_farm_that_cannot_cancel_has_no_more_to_do_than_it_has_slots() {
    let farm = Fake::start(8);
    farm.inside
        .faults
        .cannot_cancel
        .store(true, Ordering::SeqCst);
    let here = local("grep -q long input.txt && sleep 1; true", 1);
    let oracle = RemoteOracle::new(&here, options(&farm.address, 2)).unwrap();
    for nth in 0..4 {
        let ask = Ask::new(nth);
        let text = format!("long {nth}");
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| judge_with(&oracle, &text, &ask).unwrap());
            wait_for("the test", || {
                farm.inside.executed.load(Ordering::SeqCst) > nth as u64
            });
            ask.cancel.cancel();
            assert_eq!(
                asked.join().unwrap(),
                Verdict::Unresolved(Unresolved::Cancelled)
            );
        });
    }
    assert_eq!(judge(&oracle, "short").unwrap(), Verdict::Fail);
    assert!(farm.inside.most_running.load(Ordering::SeqCst) <= 2);
    assert_eq!(farm.inside.cancelled.load(Ordering::SeqCst), 0);
}

#[test]
fn clients_that_may_not_store_results_still_have_bundles() {
    let farm = Fake::start(2);
    farm.inside.faults.keeps_cache.store(true, Ordering::SeqCst);
    let here = local(TEST, 1);
    let expected = facts(&reduce(&text(), &*here, 1));
    let mut options = options(&farm.address, 2);
    options.first_time = Duration::from_millis(5);
    let oracle = RemoteOracle::new(&here, options).unwrap();
    assert_eq!(facts(&reduce(&text(), &oracle, 32)), expected);
}

#[test]
fn any_mix_of_faults_changes_no_result() {
    let here = local(TEST, 2);
    let expected = facts(&reduce(&text(), &*here, 2));
    for seed in 0..2 {
        let farm = Fake::start(3);
        let faults = &farm.inside.faults;
        let mut options = options(&farm.address, 6);
        options.here = seed % 2;
        options.first_time = Duration::from_millis(100);
        let oracle = RemoteOracle::new(&here, options).unwrap();
        faults
            .loses_streams
            .store(3 + seed as i64, Ordering::SeqCst);
        faults.evicts.store(2, Ordering::SeqCst);
        faults.is_full.store(2, Ordering::SeqCst);
        faults.is_gone.store(9, Ordering::SeqCst);
        faults.breaks_scripts.store(2, Ordering::SeqCst);
        faults.answers_twice.store(true, Ordering::SeqCst);
        faults.cannot_cancel.store(seed == 1, Ordering::SeqCst);
        *faults.slowness.lock().unwrap() = Duration::from_millis(5);
        let outcome = reduce(&text(), &oracle, oracle.jobs());
        assert_eq!(facts(&outcome), expected, "mix {seed}");
    }
}
