//! Flaky tests: the result fails about as often as the original.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_reduce::engine::{
    Ended, Event, Flaky, Outcome, ReduceError, Reduction, Statistics, Stop,
};
use nubbin_reduce::input::Input;
use nubbin_reduce::pass;
use nubbin_reduce::plan::Plan;
use nubbin_reduce::random::SplitMix64;
use nubbin_verdict::{Closure, Verdict};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

const LINES: u32 = 60;

fn text() -> String {
    (0..LINES).map(|line| format!("{line}\n")).collect()
}

fn lines(bytes: &[u8]) -> Vec<u32> {
    let text = String::from_utf8_lossy(bytes);
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

/// Reduces by lines with a test that fails at the rate of the lines.
fn reduce(
    seed: u64,
    flaky: Flaky,
    jobs: Option<usize>,
    rate: impl Fn(&[u32]) -> f64 + Send + Sync,
) -> Result<Outcome, ReduceError> {
    let chance = Mutex::new(SplitMix64::new(seed.wrapping_mul(0x2545_F491_4F6C_DD1D)));
    let oracle = Closure::new(|bytes: &[u8]| chance.lock().unwrap().unit() < rate(&lines(bytes)));
    let plan = Plan::of(vec![pass::by_id("lines").unwrap()]);
    let mut reduction = Reduction::new(Input::single("input", text()).unwrap(), &oracle, plan)
        .flaky(flaky)
        .seed(seed);
    if let Some(jobs) = jobs {
        reduction = reduction.jobs(jobs);
    }
    reduction.run()
}

/// Returns a rate of `at` for texts with two needed lines, and of 0 for all others.
fn plain(at: f64) -> impl Fn(&[u32]) -> f64 {
    move |lines| {
        if lines.contains(&17) && lines.contains(&44) {
            at
        } else {
            0.0
        }
    }
}

/// Returns a rate for which one line is needed, and three more lines each double the rate. A search
/// that decides by a single run loses some of these lines.
fn graded(at: f64) -> impl Fn(&[u32]) -> f64 {
    move |lines| {
        if !lines.contains(&31) {
            return 0.0;
        }
        let missing = [8, 23, 52]
            .iter()
            .filter(|line| !lines.contains(line))
            .count();
        at / f64::from(1u32 << missing)
    }
}

#[test]
fn over_a_hundred_seeds_the_result_fails_as_often_as_the_original() {
    for at in [0.1, 0.5, 0.9] {
        let mut sizes = 0;
        for seed in 0..100 {
            let outcome = reduce(seed, Flaky::On, None, plain(at)).unwrap();
            let left = lines(outcome.input.bytes());
            assert_eq!(plain(at)(&left), at, "{at}, seed {seed}: {left:?}");
            sizes += left.len();
        }
        // A few lines stay because their removal was rejected by chance.
        assert!(sizes <= 100 * 5, "{at}: {sizes} lines in 100 results");
    }
}

#[test]
fn parts_that_make_the_failure_frequent_are_kept() {
    for at in [0.1, 0.5, 0.9] {
        let mut good = 0;
        for seed in 0..100 {
            let outcome = reduce(seed, Flaky::On, None, graded(at)).unwrap();
            let left = lines(outcome.input.bytes());
            good += u32::from(graded(at)(&left) >= 0.8 * at);
        }
        assert!(good >= 95, "{at}: {good} of 100 results are as frequent");
    }
}

#[test]
fn a_flaky_test_is_detected_and_a_reliable_test_is_not_measured() {
    for jobs in [None, Some(3)] {
        let outcome = reduce(1, Flaky::Auto, jobs, plain(0.6)).unwrap();
        let original = outcome.original.unwrap();
        assert!((0.3..0.9).contains(&original.rate()), "{original:?}");
        assert!(outcome.reproduction.unwrap().rate() >= 0.8 * original.rate());
        let left = lines(outcome.input.bytes());
        assert!(
            left.contains(&17) && left.contains(&44) && left.len() <= 4,
            "{left:?}"
        );
        assert!(matches!(outcome.ended, Ended::Complete));

        let reliable = reduce(1, Flaky::Auto, jobs, plain(1.0)).unwrap();
        assert_eq!(reliable.original, None);
        assert_eq!(reliable.reproduction, None);
        let believed = reduce(1, Flaky::Off, jobs, plain(1.0)).unwrap();
        assert_eq!(believed.statistics.replays, 0);
        assert_eq!(reliable.statistics.tests, believed.statistics.tests);
        assert_eq!(reliable.input.bytes(), believed.input.bytes());
    }
}

#[test]
fn an_original_that_never_fails_is_refused_however_often_it_is_run() {
    for flaky in [Flaky::Off, Flaky::Auto, Flaky::On] {
        let refused = reduce(1, flaky, None, plain(0.0)).unwrap_err();
        assert!(matches!(refused, ReduceError::NotFailing { .. }));
    }
}

#[test]
fn a_test_that_becomes_flaky_is_detected_at_the_end() {
    // The test becomes flaky when line 3 is removed, which the failure does not need.
    let rate = |lines: &[u32]| match (lines.contains(&17), lines.contains(&3)) {
        (false, _) => 0.0,
        (true, true) => 1.0,
        (true, false) => 0.3,
    };
    for seed in 0..20 {
        let outcome = reduce(seed, Flaky::Auto, None, rate).unwrap();
        let left = lines(outcome.input.bytes());
        if outcome.original.is_some() {
            assert!(rate(&left) >= 0.8, "seed {seed}: {left:?}");
        }
    }
}

/// Reduces with a test whose runs fail as a list says, by their numbers, and as `rate` says after
/// it.
fn reduce_by_list(list: &[bool], rate: impl Fn(&[u32]) -> f64 + Send + Sync) -> Outcome {
    let chance = Mutex::new((SplitMix64::new(5), 0));
    let oracle = Closure::new(|bytes: &[u8]| {
        let (random, run) = &mut *chance.lock().unwrap();
        *run += 1;
        let by_chance = random.unit() < rate(&lines(bytes));
        list.get(*run - 1).copied().unwrap_or(by_chance)
    });
    let plan = Plan::of(vec![pass::by_id("lines").unwrap()]);
    let input = Input::single("input", text()).unwrap();
    Reduction::new(input, &oracle, plan)
        .flaky(Flaky::Auto)
        .run()
        .unwrap()
}

#[test]
fn a_result_that_does_not_fail_again_is_no_end_of_a_search_for_a_better_one() {
    // The first test adopts a wrong candidate, and the runs that look for flaky tests agree.
    let wrong = |lines: &[u32]| match lines.len() as u32 {
        LINES => 0.5,
        _ => plain(0.5)(lines),
    };
    let mut found_late = 0;
    // The tenth run of the test is that of the result: if it fails as well, nothing is to be seen.
    for tests in 1..10 {
        let list = vec![true; tests];
        let outcome = reduce_by_list(&list, wrong);
        let left = lines(outcome.input.bytes());
        assert!(outcome.original.is_some(), "{tests} tests: {left:?}");
        assert_eq!(wrong(&left), 0.5, "{tests} tests: {left:?}");
        assert!(
            matches!(outcome.verified, Some(Verdict::Fail)),
            "{tests} tests"
        );
        found_late += u32::from(outcome.statistics.rollbacks > 0);
    }
    assert!(found_late > 0);
}

#[test]
fn an_original_that_first_passes_is_run_up_to_ten_times() {
    for passes in 1..=9 {
        let mut list = vec![false; passes];
        list.push(true);
        let outcome = reduce_by_list(&list, plain(0.5));
        assert!(outcome.original.is_some(), "{passes}");
        let left = lines(outcome.input.bytes());
        assert_eq!(plain(0.5)(&left), 0.5, "{passes}: {left:?}");
    }
}

#[test]
fn a_test_that_no_longer_fails_at_all_leaves_the_best_so_far() {
    // Something that the test needs disappears while the result is tested for the last time.
    let runs = AtomicU32::new(0);
    let run = |gone: u32| {
        runs.store(0, Ordering::SeqCst);
        let oracle = Closure::new(|bytes: &[u8]| {
            let run = runs.fetch_add(1, Ordering::SeqCst) + 1;
            run < gone && plain(1.0)(&lines(bytes)) == 1.0
        });
        let plan = Plan::of(vec![pass::by_id("lines").unwrap()]);
        Reduction::new(Input::single("input", text()).unwrap(), &oracle, plan)
            .flaky(Flaky::Auto)
            .run()
            .unwrap()
    };
    let whole = run(u32::MAX);
    let last = runs.load(Ordering::SeqCst);
    assert!(matches!(whole.verified, Some(Verdict::Fail)));
    let outcome = run(last);
    assert_eq!(outcome.input.bytes(), whole.input.bytes());
    assert!(matches!(outcome.verified, Some(Verdict::Pass)));
    assert_eq!(outcome.original, None);
}

#[test]
fn a_rollback_is_reported() {
    let mut sizes = vec![];
    let mut returns = 0;
    for seed in 0..30 {
        let chance = Mutex::new(SplitMix64::new(seed));
        let rate = graded(0.5);
        let oracle =
            Closure::new(|bytes: &[u8]| chance.lock().unwrap().unit() < rate(&lines(bytes)));
        let mut observer = |event: &Event<'_>, statistics: &Statistics| {
            if let Event::RolledBack {
                input,
                bytes_before,
            } = event
            {
                assert!(input.size() > *bytes_before);
                assert_eq!(statistics.bytes_now, input.size());
                sizes.push(input.size());
            }
        };
        let plan = Plan::of(vec![pass::by_id("lines").unwrap()]);
        let outcome = Reduction::new(Input::single("input", text()).unwrap(), &oracle, plan)
            .flaky(Flaky::On)
            .observer(&mut observer)
            .run()
            .unwrap();
        returns += outcome.statistics.rollbacks;
    }
    assert!(returns > 0);
    assert_eq!(sizes.len() as u64, returns);
}

#[test]
fn a_stop_while_the_original_is_run_again_leaves_the_original() {
    let stop = Stop::default();
    let handle = stop.clone();
    let asked = AtomicU32::new(0);
    let oracle = Closure::new(|_: &[u8]| {
        if asked.fetch_add(1, Ordering::SeqCst) == 1 {
            handle.request();
        }
        true
    });
    let plan = Plan::of(vec![pass::by_id("lines").unwrap()]);
    let outcome = Reduction::new(Input::single("input", text()).unwrap(), &oracle, plan)
        .flaky(Flaky::On)
        .stop(stop)
        .run()
        .unwrap();
    assert!(matches!(outcome.ended, Ended::Stopped));
    assert_eq!(outcome.input.bytes(), text().as_bytes());
}

#[test]
fn an_original_without_a_smaller_result_is_kept_although_it_fails_more_rarely_later() {
    // The original fails always while it is measured, and every other time after that.
    let calls = AtomicU64::new(0);
    let original = text();
    let oracle = Closure::new(|bytes: &[u8]| {
        bytes == original.as_bytes() && {
            let call = calls.fetch_add(1, Ordering::Relaxed);
            call < 60 || call.is_multiple_of(2)
        }
    });
    let plan = Plan::of(vec![pass::by_id("lines").unwrap()]);
    let input = Input::single("input", original.as_bytes()).unwrap();
    let outcome = Reduction::new(input, &oracle, plan)
        .flaky(Flaky::On)
        .run()
        .unwrap();
    assert!(matches!(outcome.ended, Ended::Complete));
    assert_eq!(outcome.statistics.rollbacks, 0);
    assert_eq!(outcome.input.bytes(), original.as_bytes());
}

#[test]
fn a_run_ends_although_its_test_fails_more_rarely_than_when_it_was_measured() {
    let (calls, chance) = (AtomicU64::new(0), Mutex::new(SplitMix64::new(1)));
    let original: String = (0..600).map(|line| format!("{line}\n")).collect();
    let oracle = Closure::new(|bytes: &[u8]| {
        lines(bytes).contains(&17) && {
            let measured = calls.fetch_add(1, Ordering::Relaxed) < 60;
            measured || chance.lock().unwrap().unit() < 0.7
        }
    });
    let plan = ["lines", "chars"].map(|id| pass::by_id(id).unwrap());
    let input = Input::single("input", original).unwrap();
    let outcome = Reduction::new(input, &oracle, Plan::of(plan.into()))
        .flaky(Flaky::On)
        .run()
        .unwrap();
    assert!(matches!(outcome.ended, Ended::Complete));
    let returns = outcome.statistics.rollbacks;
    assert!((1..30).contains(&returns), "went back {returns} times");
}

#[test]
fn the_original_is_the_result_if_the_time_ends_before_it_is_measured() {
    for jobs in [None, Some(3)] {
        let ticks = AtomicU64::new(0);
        let clock = || Duration::from_millis(ticks.fetch_add(1, Ordering::Relaxed));
        let oracle = Closure::new(|bytes: &[u8]| lines(bytes).contains(&17));
        let plan = Plan::of(vec![pass::by_id("lines").unwrap()]);
        let mut reduction = Reduction::new(Input::single("input", text()).unwrap(), &oracle, plan)
            .flaky(Flaky::On)
            .clock(&clock)
            .max_time(Duration::from_millis(20));
        if let Some(jobs) = jobs {
            reduction = reduction.jobs(jobs);
        }
        let outcome = reduction.run().unwrap();
        assert!(matches!(outcome.ended, Ended::MaxTime));
        assert!(outcome.verified.unwrap().is_fail());
        assert_eq!(outcome.input.bytes(), text().as_bytes());
    }
}

#[test]
fn a_rolled_back_result_does_not_count_as_small_enough() {
    let mut returns = 0;
    for seed in 0..40 {
        let chance = Mutex::new(SplitMix64::new(seed));
        let rate = graded(0.5);
        let oracle =
            Closure::new(|bytes: &[u8]| chance.lock().unwrap().unit() < rate(&lines(bytes)));
        let plan = Plan::of(vec![pass::by_id("lines").unwrap()]);
        let outcome = Reduction::new(Input::single("input", text()).unwrap(), &oracle, plan)
            .flaky(Flaky::On)
            .stop_at(20)
            .run()
            .unwrap();
        returns += outcome.statistics.rollbacks;
        let (size, ended) = (outcome.input.size(), outcome.ended);
        let is_small = matches!(ended, Ended::SmallEnough);
        assert!(
            !is_small || size <= 20,
            "seed {seed}: {ended} at {size} bytes"
        );
    }
    assert!(returns > 0);
}
