//! Beginning again with the original in another order, as an embedder sees it.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_reduce::engine::{Ended, Event, Flaky, Outcome, Reduction, Statistics, Stop};
use nubbin_reduce::input::Input;
use nubbin_reduce::pass;
use nubbin_reduce::plan::Plan;
use nubbin_verdict::Closure;

/// Whoever takes lines out from the end is left with the first two; from the front, with the last.
const TEXT: &str = "filler\nfirst\nsecond\nfiller\nfiller\nlast\nfiller\n";

fn fails(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.contains("first\nsecond\n") || text.contains("last\n")
}

fn reduction(oracle: &Closure<fn(&[u8]) -> bool>) -> Reduction<'_> {
    let plan = Plan::of(vec![pass::by_id("lines").unwrap()]);
    Reduction::new(Input::single("input", TEXT).unwrap(), oracle, plan)
}

fn run(change: impl FnOnce(Reduction<'_>) -> Reduction<'_>) -> Outcome {
    let oracle = Closure::new(fails as fn(&[u8]) -> bool);
    change(reduction(&oracle)).run().unwrap()
}

#[test]
fn another_order_ends_lower_and_the_smallest_is_kept() {
    let once = run(|reduction| reduction);
    assert_eq!(once.input.bytes(), b"first\nsecond\n");
    let again = run(|reduction| reduction.restarts(1));
    assert_eq!(again.input.bytes(), b"last\n");
    assert_eq!(again.statistics.restarts, 1);
    assert!(matches!(again.ended, Ended::Complete));
    // The second round, from the other end again, changes nothing.
    let twice = run(|reduction| reduction.restarts(2));
    assert_eq!(twice.input.bytes(), b"last\n");
    assert_eq!(twice.statistics.bytes_now, 5);
}

#[test]
fn any_number_of_workers_gives_the_same_result_and_the_same_counts() {
    let counts = |s: &Statistics| (s.tests, s.failing, s.cache_hits, s.restarts);
    let alone = run(|reduction| reduction.restarts(3));
    for jobs in [1, 2, 8] {
        let many = run(|reduction| reduction.restarts(3).jobs(jobs));
        assert_eq!(many.input.bytes(), alone.input.bytes(), "{jobs} workers");
        assert_eq!(counts(&many.statistics), counts(&alone.statistics));
    }
}

#[test]
fn what_is_told_of_is_always_better_than_what_was() {
    let mut best = TEXT.len();
    let mut rounds = vec![];
    let mut observer = |event: &Event<'_>, statistics: &Statistics| match event {
        Event::Adopted {
            input,
            edit,
            bytes_before,
            ..
        } => {
            assert_eq!(*bytes_before, best);
            best = input.size();
            assert!(best < *bytes_before);
            // Whoever replays the edits is where the run is.
            let changed: u32 = edit.splices().iter().map(|s| s.span.len()).sum();
            assert!(changed as usize <= *bytes_before);
            assert_eq!(statistics.bytes_now, best);
        }
        Event::Restarted { round, of } => rounds.push((*round, *of)),
        Event::Ended { input, .. } => assert_eq!(input.size(), best),
        _ => {}
    };
    let oracle = Closure::new(fails as fn(&[u8]) -> bool);
    let reduction = reduction(&oracle).restarts(2).observer(&mut observer);
    reduction.run().unwrap();
    assert_eq!(rounds, [(1, 2), (2, 2)]);
    assert_eq!(best, 5);
}

#[test]
fn a_round_that_is_cut_short_leaves_the_best_of_those_before() {
    let first = run(|reduction| reduction.verify(false)).statistics.tests;
    for more in 0..3 {
        let cut = run(|reduction| reduction.restarts(1).max_tests(first + more));
        assert!(matches!(cut.ended, Ended::MaxTests));
        assert!(cut.input.size() <= 13, "{more}: {:?}", cut.input.bytes());
        assert!(fails(cut.input.bytes()));
    }
    let stop = Stop::default();
    let asked = stop.clone();
    let mut observer = move |event: &Event<'_>, _: &Statistics| {
        if matches!(event, Event::Restarted { .. }) {
            asked.request();
        }
    };
    let oracle = Closure::new(fails as fn(&[u8]) -> bool);
    let reduction = reduction(&oracle).restarts(1).observer(&mut observer);
    let stopped = reduction.stop(stop).run().unwrap();
    assert!(matches!(stopped.ended, Ended::Stopped));
    assert_eq!(stopped.input.bytes(), b"first\nsecond\n");
}

#[test]
fn a_run_that_goes_on_needs_no_test_again() {
    let mut known = vec![];
    let mut observer = |event: &Event<'_>, _: &Statistics| {
        if let Event::Judged { print, verdict } = event {
            known.push((*print, *verdict));
        }
    };
    let oracle = Closure::new(fails as fn(&[u8]) -> bool);
    let first = reduction(&oracle)
        .restarts(2)
        .observer(&mut observer)
        .run()
        .unwrap();
    let second = run(|reduction| reduction.restarts(2).known(known));
    assert_eq!(second.input.bytes(), first.input.bytes());
    assert_eq!(second.statistics.tests, first.statistics.tests);
    // The original, and the result once more.
    assert_eq!(second.statistics.started, 2);
}

#[test]
fn a_test_that_is_not_reliable_gets_no_further_round() {
    let outcome = run(|reduction| reduction.restarts(1).flaky(Flaky::On));
    assert_eq!(outcome.statistics.restarts, 0);
}
