//! Isolation through the library: from two texts to two texts with a small difference.
#![expect(clippy::unwrap_used, reason = "the panic is the report")]

use nubbin_reduce::engine::{Ended, Stop};
use nubbin_reduce::input::Input;
use nubbin_reduce::isolate::{
    Atom, DdOrder, IsolateError, IsolateEvent, IsolateStatistics, Isolated, Isolation,
};
use nubbin_verdict::{Ask, Candidate, Fault, Oracle, Unresolved, Verdict};
use std::time::Duration;

/// An oracle from a closure with three outcomes: fail, pass, and unresolved.
struct Three<F>(F);

impl<F: Fn(&str) -> Option<bool> + Sync> Oracle for Three<F> {
    fn judge(&self, candidate: &Candidate<'_>, _ask: &Ask) -> Result<Verdict, Fault> {
        let text = String::from_utf8_lossy(candidate.bytes());
        Ok(match (self.0)(&text) {
            Some(true) => Verdict::Fail,
            Some(false) => Verdict::Pass,
            None => Verdict::Unresolved(Unresolved::Abstained),
        })
    }
}

fn failing(text: impl Into<Vec<u8>>) -> Input {
    Input::single("input", text).unwrap()
}

fn sides(isolated: &Isolated) -> (String, String) {
    let text = |input: &Input| String::from_utf8(input.bytes().to_vec()).unwrap();
    (text(&isolated.passing), text(&isolated.failing))
}

fn numbered(lines: std::ops::Range<u32>) -> String {
    lines.map(|line| format!("line {line}\n")).collect()
}

#[test]
fn lines_that_cannot_stand_alone_stay_together() {
    let oracle = Three(|text: &str| {
        let (open, close) = (text.contains("begin"), text.contains("end"));
        (open == close).then_some(open && text.contains("boom"))
    });
    let passing = "a\nb\n";
    let text = "a\nbegin\nx = 1\nboom = 2\nend\nb\nc\n";
    for order in DdOrder::ALL {
        let isolated = Isolation::new(passing, failing(text), &oracle)
            .atoms(vec![Atom::Line])
            .order(order)
            .run()
            .unwrap();
        let (pass, fail) = sides(&isolated);
        assert_eq!((oracle.0)(&pass), Some(false), "{order}");
        assert_eq!((oracle.0)(&fail), Some(true), "{order}");
        assert!(isolated.difference.len() <= 3, "{order}: {pass} {fail}");
        assert_eq!(isolated.verified, Some([Verdict::Pass, Verdict::Fail]));
    }
}

#[test]
fn remaining_lines_are_narrowed_to_characters() {
    let oracle = Three(|text: &str| Some(text.contains("-7")));
    let passing = format!("{}limit = 17 # all of it\n", numbered(0..20));
    let text = format!("{}limit = -7 # none of it\n", numbered(5..30));
    let isolated = Isolation::new(passing, failing(text), &oracle)
        .run()
        .unwrap();
    assert_eq!(isolated.difference.len(), 1);
    let change = &isolated.difference.changes()[0];
    assert!(
        change.span.len() <= 1 && change.text().len() <= 1,
        "{change:?}"
    );
    // The rest of the line is on both sides.
    let (pass, fail) = sides(&isolated);
    assert!(
        pass.contains("limit = ") && pass.contains(" of it\n"),
        "{pass}"
    );
    assert!(fail.contains("limit = -7 # "), "{fail}");
    let levels: Vec<_> = isolated
        .statistics
        .levels
        .iter()
        .map(|level| level.atom)
        .collect();
    assert_eq!(levels, [Atom::Line, Atom::Token, Atom::Char]);
}

#[test]
fn the_result_and_the_counts_are_the_same_for_any_number_of_workers() {
    // Many tests are unresolved, by a hash, so that all kinds of rounds occur.
    let oracle = Three(|text: &str| {
        let hash = text
            .bytes()
            .fold(7u32, |hash, byte| hash.wrapping_mul(31) ^ u32::from(byte));
        let fails = text.contains("line 33\n") && text.contains("line 47\n");
        (hash % 3 != 0 || text.len() > 900 || text.len() < 120).then_some(fails)
    });
    let (passing, text) = (numbered(0..10), numbered(5..125));
    for order in DdOrder::ALL {
        let run = |jobs: Option<usize>| {
            let mut isolation =
                Isolation::new(passing.as_str(), failing(text.as_str()), &oracle).order(order);
            if let Some(jobs) = jobs {
                isolation = isolation.jobs(jobs);
            }
            let isolated = isolation.run().unwrap();
            let mut counts = isolated.statistics.clone();
            counts.started = 0;
            (sides(&isolated), counts)
        };
        let alone = run(None);
        assert!(alone.1.unresolved > 0);
        for jobs in [1, 2, 4, 9] {
            assert_eq!(run(Some(jobs)), alone, "{order} with {jobs}");
        }
    }
}

#[test]
fn a_budget_ends_with_two_sides_that_still_hold() {
    let oracle = Three(|text: &str| Some(text.contains("line 700\n")));
    let (passing, text) = (numbered(0..3), numbered(0..1000));
    for tests in 2..14 {
        let isolated = Isolation::new(passing.as_str(), failing(text.as_str()), &oracle)
            .max_tests(tests)
            .verify(false)
            .run()
            .unwrap();
        let (pass, fail) = sides(&isolated);
        assert!(!pass.contains("line 700\n") && fail.contains("line 700\n"));
        assert_eq!(isolated.statistics.tests, tests);
        assert!(
            matches!(isolated.ended, Ended::MaxTests),
            "{:?}",
            isolated.ended
        );
        // The reported difference is that of the two inputs.
        let all = nubbin_reduce::isolate::ChangeSet::all(isolated.difference.len());
        let made = isolated
            .difference
            .edit(&all)
            .render(isolated.passing.bytes());
        assert_eq!(made, isolated.failing.bytes());
    }
    let clock = {
        let ticks = std::sync::atomic::AtomicU64::new(0);
        move || Duration::from_secs(ticks.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
    };
    let isolated = Isolation::new(passing, failing(text), &oracle)
        .clock(&clock)
        .max_time(Duration::from_secs(12))
        .run()
        .unwrap();
    assert!(matches!(isolated.ended, Ended::MaxTime));
    assert_eq!(isolated.verified, Some([Verdict::Pass, Verdict::Fail]));
}

#[test]
fn a_stop_from_outside_keeps_the_result_so_far() {
    let oracle = Three(|text: &str| Some(text.contains("line 700\n")));
    for jobs in [None, Some(3)] {
        let stop = Stop::default();
        let mut observer = |event: &IsolateEvent<'_>, _: &IsolateStatistics| {
            if matches!(event, IsolateEvent::Narrowed { .. }) {
                stop.request();
            }
        };
        let mut isolation = Isolation::new(numbered(0..3), failing(numbered(0..1000)), &oracle)
            .stop(stop.clone())
            .observer(&mut observer);
        if let Some(jobs) = jobs {
            isolation = isolation.jobs(jobs);
        }
        let isolated = isolation.run().unwrap();
        assert!(matches!(isolated.ended, Ended::Stopped));
        assert_eq!(isolated.verified, None);
        assert!(isolated.difference.len() < 600);
    }
}

#[test]
fn two_inputs_that_do_not_pass_and_fail_are_refused() {
    let oracle = Three(|text: &str| match text {
        "?" => None,
        text => Some(text.contains('!')),
    });
    let run = |passing: &str, text: &str| {
        Isolation::new(passing, failing(text), &oracle)
            .run()
            .map(|_| ())
            .unwrap_err()
    };
    assert!(matches!(run("a!", "a!"), IsolateError::Identical));
    let words = |error: IsolateError| match error {
        IsolateError::NotApart { passing, failing } => (passing.word(), failing.word()),
        other => panic!("{other}"),
    };
    assert_eq!(words(run("a!", "b!")), ("fail", "fail"));
    assert_eq!(words(run("a!", "b")), ("fail", "pass"));
    assert_eq!(words(run("a", "b")), ("pass", "pass"));
    assert_eq!(words(run("?", "b!")), ("unresolved", "fail"));
    let two = Input::files([("a", b"x".to_vec()), ("b", b"y".to_vec())]).unwrap();
    let refused = Isolation::new("x", two, &oracle).run();
    assert!(matches!(refused, Err(IsolateError::SeveralFiles(2))));
}

#[test]
fn a_test_that_breaks_ends_the_run_with_the_closest_two() {
    struct Breaks;
    impl Oracle for Breaks {
        fn judge(&self, candidate: &Candidate<'_>, _ask: &Ask) -> Result<Verdict, Fault> {
            match candidate.bytes().len() {
                0 => Ok(Verdict::Pass),
                30.. => Ok(Verdict::Fail),
                _ => Err(Fault::new("gone")),
            }
        }
    }
    for jobs in [None, Some(2)] {
        let mut isolation = Isolation::new("", failing("x\n".repeat(60)), &Breaks);
        if let Some(jobs) = jobs {
            isolation = isolation.jobs(jobs);
        }
        let isolated = isolation.run().unwrap();
        assert!(
            matches!(isolated.ended, Ended::Fault(_)),
            "{:?}",
            isolated.ended
        );
        assert!(isolated.failing.size() >= 30);
    }
}
