//! The engine through the library: results, counts, budgets, and errors.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_reduce::edit::Edit;
use nubbin_reduce::engine::{
    Control, Ended, Event, Outcome, ReduceError, Reduction, Statistics, Stop,
};
use nubbin_reduce::input::{File, Input};
use nubbin_reduce::pass::{self, Context, Pass, PassInfo};
use nubbin_reduce::plan::Plan;
use nubbin_reduce::work::{Machine, Work};
use nubbin_verdict::{Ask, Candidate, Closure, Fault, Oracle, Unresolved, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn input(text: &str) -> Input {
    Input::single("input", text).unwrap()
}

fn plan(ids: &[&str]) -> Plan {
    Plan::of(ids.iter().map(|id| pass::by_id(id).unwrap()).collect())
}

/// Returns 300 lines. The failure needs three with `b`, and each of them needs one with `a` before.
fn dependent_text() -> String {
    (0..300)
        .map(|i| format!("{} line {i}\n", ["a", "x", "b", "c", "y"][i * 7 % 5]))
        .collect()
}

fn dependent(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().collect();
    let orphan = lines.iter().enumerate().any(|(at, line)| {
        line.starts_with('b') && !lines[..at].iter().any(|before| before.starts_with('a'))
    });
    !orphan && lines.iter().filter(|line| line.starts_with('b')).count() >= 3
}

fn run(jobs: Option<usize>, max_tests: Option<u64>) -> Outcome {
    let oracle = Closure::new(dependent);
    let plan = plan(&["lines", "tokens", "chars"]);
    let mut reduction = Reduction::new(input(&dependent_text()), &oracle, plan);
    if let Some(jobs) = jobs {
        reduction = reduction.jobs(jobs);
    }
    if let Some(tests) = max_tests {
        reduction = reduction.max_tests(tests);
    }
    reduction.run().unwrap()
}

#[test]
fn any_number_of_workers_gives_the_same_result_and_the_same_counts() {
    let alone = run(None, None);
    assert!(matches!(alone.ended, Ended::Complete));
    assert_eq!(alone.input.bytes(), b"a\nb\nb\nb");
    for jobs in [1, 2, 8, 64] {
        let many = run(Some(jobs), None);
        assert_eq!(many.input.bytes(), alone.input.bytes(), "{jobs} workers");
        let counts = |s: &Statistics| (s.tests, s.failing, s.cache_hits, s.skipped, s.unresolved);
        assert_eq!(
            counts(&many.statistics),
            counts(&alone.statistics),
            "{jobs} workers"
        );
        assert!(many.statistics.started >= alone.statistics.tests);
    }
}

/// Reduces 1,000 lines on a simulated clock, on which a test takes 140 ms to 260 ms.
fn simulated(jobs: usize, fails: impl Fn(&[u8]) -> bool + Send + Sync) -> Outcome {
    let text: String = (0..1000).map(|i| format!("{i}\n")).collect();
    let time = |_: &Input, print: nubbin_reduce::edit::Fingerprint| {
        Duration::from_millis(140 + (print.0 % 121) as u64)
    };
    Reduction::new(input(&text), &Closure::new(fails), plan(&["lines"]))
        .jobs(jobs)
        .simulate(&time)
        .run()
        .unwrap()
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    let text = String::from_utf8_lossy(bytes);
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

#[test]
fn more_workers_are_faster_on_independent_units() {
    // One line in twenty is needed, without a pattern.
    let needed = |n: &u32| n.wrapping_mul(2_654_435_761) >> 16 & 0xff < 13;
    let count = (0..1000).filter(needed).count();
    let fails = |bytes: &[u8]| numbers(bytes).iter().filter(|n| needed(n)).count() == count;
    let seconds = |jobs| {
        let outcome = simulated(jobs, fails);
        assert_eq!(numbers(outcome.input.bytes()).len(), count);
        (
            outcome.statistics.elapsed.as_secs_f64(),
            outcome.statistics.tests,
        )
    };
    let (alone, tests) = seconds(1);
    for (jobs, times) in [(2, 1.4), (4, 2.2), (16, 7.0), (64, 20.0)] {
        let (time, counted) = seconds(jobs);
        assert_eq!(counted, tests);
        assert!(alone / time >= times, "{jobs} workers: {alone} s, {time} s");
    }
}

#[test]
fn more_workers_are_faster_on_dependent_units() {
    // Each line needs the line of half its number. The ancestors of three needed lines have to
    // stay.
    let fails = |bytes: &[u8]| {
        let there = numbers(bytes);
        let has = |n: u32| there.binary_search(&n).is_ok();
        has(997) && has(850) && has(611) && there.iter().all(|&n| n == 0 || has(n / 2))
    };
    let seconds = |jobs| {
        let outcome = simulated(jobs, fails);
        assert_eq!(numbers(outcome.input.bytes()).len(), 28);
        (
            outcome.statistics.elapsed.as_secs_f64(),
            outcome.statistics.tests,
        )
    };
    let (alone, tests) = seconds(1);
    for (jobs, times) in [(2, 1.3), (16, 3.0), (64, 5.0)] {
        let (time, counted) = seconds(jobs);
        assert_eq!(counted, tests);
        assert!(alone / time >= times, "{jobs} workers: {alone} s, {time} s");
    }
}

#[test]
fn a_budget_of_tests_ends_the_run_at_the_same_place_for_any_number_of_workers() {
    let alone = run(None, Some(40));
    assert!(matches!(alone.ended, Ended::MaxTests));
    // The last one is that of the result.
    assert_eq!(alone.statistics.tests, 40);
    assert_eq!(alone.verified, Some(Verdict::Fail));
    // There is no room for it beside the test of the original.
    let least = run(None, Some(1));
    assert_eq!((least.statistics.tests, least.verified), (1, None));
    assert!(alone.input.size() < dependent_text().len());
    assert_eq!(run(Some(8), Some(40)).input.bytes(), alone.input.bytes());
}

#[test]
fn a_budget_of_time_ends_the_run_with_the_best_so_far() {
    let ticks = AtomicU64::new(0);
    let clock = || Duration::from_millis(ticks.fetch_add(1, Ordering::Relaxed));
    let oracle = Closure::new(dependent);
    let outcome = Reduction::new(input(&dependent_text()), &oracle, plan(&["lines"]))
        .clock(&clock)
        .max_time(Duration::from_millis(60))
        .run()
        .unwrap();
    assert!(matches!(outcome.ended, Ended::MaxTime));
    assert!(dependent(outcome.input.bytes()));
}

#[test]
fn a_stop_ends_the_run_with_the_best_so_far() {
    for jobs in [None, Some(4)] {
        let stop = Stop::default();
        let handle = stop.clone();
        let mut adopted = 0;
        let mut observer = |event: &Event<'_>, _: &Statistics| {
            if matches!(event, Event::Adopted { .. }) {
                adopted += 1;
                if adopted == 3 {
                    handle.request();
                }
            }
        };
        let oracle = Closure::new(dependent);
        let mut reduction = Reduction::new(input(&dependent_text()), &oracle, plan(&["lines"]))
            .stop(stop)
            .observer(&mut observer);
        if let Some(jobs) = jobs {
            reduction = reduction.jobs(jobs);
        }
        let outcome = reduction.run().unwrap();
        assert!(matches!(outcome.ended, Ended::Stopped));
        assert!(outcome.input.size() < dependent_text().len());
        assert_eq!(outcome.verified, None);
        assert_eq!(adopted, 3);
    }
}

#[test]
fn an_original_that_does_not_fail_is_refused() {
    let oracle = Closure::new(|_: &[u8]| false);
    let error = Reduction::new(input("x"), &oracle, plan(&["lines"]))
        .run()
        .unwrap_err();
    assert!(matches!(
        error,
        ReduceError::NotFailing {
            verdict: Verdict::Pass,
            ..
        }
    ));
}

/// An oracle that breaks at the given test, and at all later ones.
struct Breaks {
    at: u64,
    asked: AtomicU64,
}

impl Oracle for Breaks {
    fn judge(&self, candidate: &Candidate<'_>, _: &Ask) -> Result<Verdict, Fault> {
        if self.asked.fetch_add(1, Ordering::SeqCst) + 1 >= self.at {
            return Err(Fault::new("the disk is full"));
        }
        Ok(if dependent(candidate.bytes()) {
            Verdict::Fail
        } else {
            Verdict::Pass
        })
    }
}

#[test]
fn a_test_that_breaks_ends_the_run_but_loses_nothing() {
    for jobs in [None, Some(3)] {
        let oracle = Breaks {
            at: 12,
            asked: AtomicU64::new(0),
        };
        let mut reduction = Reduction::new(input(&dependent_text()), &oracle, plan(&["lines"]));
        if let Some(jobs) = jobs {
            reduction = reduction.jobs(jobs);
        }
        let outcome = reduction.run().unwrap();
        let Ended::Fault(fault) = &outcome.ended else {
            panic!("{:?}", outcome.ended)
        };
        assert_eq!(fault.to_string(), "the disk is full");
        assert!(dependent(outcome.input.bytes()));
        assert!(outcome.input.size() < dependent_text().len());
    }
}

#[test]
fn a_test_that_breaks_at_once_is_an_error() {
    let oracle = Breaks {
        at: 1,
        asked: AtomicU64::new(0),
    };
    let error = Reduction::new(input("x"), &oracle, plan(&["lines"]))
        .run()
        .unwrap_err();
    assert!(matches!(error, ReduceError::Fault(_)));
}

#[test]
fn a_test_that_panics_is_a_fault_and_no_hang() {
    let oracle = Closure::new(|bytes: &[u8]| bytes.len() > 3 || panic!("bug in the test"));
    let outcome = Reduction::new(input("12345678"), &oracle, plan(&["chars"]))
        .jobs(2)
        .run()
        .unwrap();
    assert!(matches!(outcome.ended, Ended::Fault(_)));
}

/// A pass with a bug.
struct Buggy {
    at_open: bool,
}

struct Bug;

impl Machine for Bug {
    fn next(&mut self) -> Option<Edit> {
        panic!("index out of bounds")
    }

    fn record(&mut self, _: bool) {}

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(Bug)
    }
}

impl Pass for Buggy {
    fn info(&self) -> PassInfo {
        PassInfo::new("buggy", "panics", "this test")
    }

    fn open(&self, _: &File<'_>, _: &Context<'_>) -> Option<Work> {
        assert!(!self.at_open, "cannot open");
        Some(Work::Machine(Box::new(Bug)))
    }
}

#[test]
fn a_pass_with_a_bug_is_left_out_and_the_run_goes_on() {
    for at_open in [true, false] {
        let mut failures = vec![];
        let mut observer = |event: &Event<'_>, _: &Statistics| {
            if let Event::PassFailed { pass, message } = event {
                failures.push(format!("{pass}: {message}"));
            }
        };
        let oracle = Closure::new(dependent);
        let passes: Vec<Arc<dyn Pass>> =
            vec![Arc::new(Buggy { at_open }), pass::by_id("lines").unwrap()];
        let outcome = Reduction::new(input(&dependent_text()), &oracle, Plan::of(passes))
            .observer(&mut observer)
            .run()
            .unwrap();
        assert!(matches!(outcome.ended, Ended::Complete));
        assert_eq!(outcome.input.bytes().split(|&b| b == b'\n').count(), 5);
        let said = if at_open {
            "buggy: cannot open"
        } else {
            "buggy: index out of bounds"
        };
        assert_eq!(failures, [said]);
    }
}

#[test]
fn a_result_that_does_not_fail_again_is_reported() {
    // Only the first two tests fail.
    let asked = AtomicU64::new(0);
    let oracle = Closure::new(|_: &[u8]| asked.fetch_add(1, Ordering::SeqCst) < 2);
    let outcome = Reduction::new(input(&dependent_text()), &oracle, plan(&["lines"]))
        .run()
        .unwrap();
    assert_eq!(outcome.verified, Some(Verdict::Pass));
}

#[test]
fn the_same_content_is_never_tested_twice() {
    let seen = std::sync::Mutex::new(std::collections::HashMap::new());
    let oracle = Closure::new(|bytes: &[u8]| {
        *seen.lock().unwrap().entry(bytes.to_vec()).or_insert(0) += 1;
        dependent(bytes)
    });
    let plan = plan(&["lines", "chars", "lines"]);
    let outcome = Reduction::new(input(&dependent_text()), &oracle, plan)
        .verify(false)
        .run()
        .unwrap();
    assert!(seen.lock().unwrap().values().all(|&times| times == 1));
    assert!(outcome.statistics.cache_hits > 0);
}

/// An oracle that fails for positive multiples of four bytes, and is unresolved for most other
/// sizes.
struct Undecided;

impl Oracle for Undecided {
    fn judge(&self, candidate: &Candidate<'_>, _: &Ask) -> Result<Verdict, Fault> {
        Ok(match candidate.size() % 4 {
            0 if candidate.size() > 0 => Verdict::Fail,
            0 => Verdict::Pass,
            _ if candidate.bytes().starts_with(b"1") => {
                Verdict::Unresolved(Unresolved::TimedOut(Duration::from_secs(1)))
            }
            _ => Verdict::Unresolved(Unresolved::Abstained),
        })
    }
}

#[test]
fn unresolved_tests_are_counted_and_never_adopted() {
    let outcome = Reduction::new(input("1234567890ab"), &Undecided, plan(&["bytes"]))
        .run()
        .unwrap();
    let statistics = &outcome.statistics;
    assert_eq!(outcome.input.size() % 4, 0);
    assert!(statistics.timed_out > 0 && statistics.unresolved > statistics.timed_out);
    assert!(statistics.failing + statistics.unresolved <= statistics.tests);
}

#[test]
fn files_that_are_not_needed_are_removed() {
    let files = [
        ("a.h", "int a;\n"),
        ("b.h", "int b;\nint unused;\n"),
        ("main.c", "use b\n"),
    ];
    let input = Input::files(files.map(|(name, text)| (name, text.as_bytes().to_vec()))).unwrap();
    struct Needs;
    impl Oracle for Needs {
        fn judge(&self, candidate: &Candidate<'_>, _: &Ask) -> Result<Verdict, Fault> {
            let has = |name: &str, text: &str| {
                candidate.files().iter().any(|file| {
                    file.name.ends_with(name) && String::from_utf8_lossy(file.bytes).contains(text)
                })
            };
            let fails = has("b.h", "int b;") && has("main.c", "use");
            Ok(if fails { Verdict::Fail } else { Verdict::Pass })
        }
    }
    let outcome = Reduction::new(input, &Needs, plan(&["files", "lines", "chars"]))
        .run()
        .unwrap();
    let left: Vec<_> = outcome
        .input
        .present()
        .map(|f| (f.name.display().to_string(), f.text))
        .collect();
    assert_eq!(
        left,
        [
            ("b.h".to_owned(), &b"int b;"[..]),
            ("main.c".to_owned(), &b"use"[..])
        ]
    );
}

#[test]
fn the_events_add_up_to_the_statistics() {
    let mut adopted = 0;
    let mut tested = 0;
    let mut sizes = vec![];
    let mut last = String::new();
    let mut observer = |event: &Event<'_>, statistics: &Statistics| {
        match event {
            Event::Started { input, .. } => sizes.push(input.size()),
            Event::Tested { .. } => tested += 1,
            Event::Adopted {
                input,
                bytes_before,
                ..
            } => {
                adopted += 1;
                assert_eq!(sizes.last(), Some(bytes_before));
                sizes.push(input.size());
                assert_eq!(statistics.bytes_now, input.size());
            }
            Event::Ended { ended, .. } => last = ended.to_string(),
            _ => {}
        };
    };
    let oracle = Closure::new(dependent);
    let outcome = Reduction::new(input(&dependent_text()), &oracle, plan(&["lines"]))
        .observer(&mut observer)
        .run()
        .unwrap();
    // The tests of the original and of the result are not proposals.
    assert_eq!(tested, outcome.statistics.tests - 2);
    assert_eq!(adopted, outcome.statistics.failing - 2);
    assert_eq!(last, "complete");
    let (_, lines) = outcome.statistics.passes[0];
    assert_eq!(lines.tests, tested);
    assert_eq!(
        lines.bytes_removed,
        (sizes[0] - outcome.input.size()) as i64
    );
}

#[test]
fn a_list_minimizer_alone_runs_to_its_end() {
    // All lines are needed. This is known after each single line was tested.
    let text: String = (0..500).map(|i| format!("line {i}\n")).collect();
    for algorithm in ["ddmin", "ddmin:skip-subsets", "sweep"] {
        let oracle = Closure::new(|bytes: &[u8]| bytes == text.as_bytes());
        let plan = Plan::single(pass::by_id("lines").unwrap(), algorithm.parse().unwrap());
        let outcome = Reduction::new(input(&text), &oracle, plan).run().unwrap();
        assert!(matches!(outcome.ended, Ended::Complete));
        assert!(
            outcome.statistics.tests > 500,
            "{algorithm}: {}",
            outcome.statistics.tests
        );
    }
}

#[test]
fn every_budget_of_tests_ends_at_the_same_test_for_any_number_of_workers() {
    for max in [1, 2, 3, 5, 8, 13, 21, 34] {
        let alone = run(Some(1), Some(max));
        for jobs in [2, 4, 16] {
            let many = run(Some(jobs), Some(max));
            assert_eq!(
                many.input.bytes(),
                alone.input.bytes(),
                "{max} tests, {jobs} workers"
            );
            assert_eq!(
                many.statistics.tests, alone.statistics.tests,
                "{max} tests, {jobs} workers"
            );
        }
    }
}

#[test]
fn a_stop_while_the_result_is_verified_is_the_end_of_the_run() {
    // The test of the result is the only test after the end of the plan.
    struct Stops(Stop, AtomicU64);
    impl Oracle for Stops {
        fn judge(&self, candidate: &Candidate<'_>, _: &Ask) -> Result<Verdict, Fault> {
            let first = self.1.fetch_add(1, Ordering::SeqCst) == 0;
            if candidate.size() == 3 && !first {
                self.0.request();
                return Ok(Verdict::Unresolved(Unresolved::Cancelled));
            }
            Ok(if candidate.size() == 3 {
                Verdict::Fail
            } else {
                Verdict::Pass
            })
        }
    }
    let stop = Stop::default();
    let oracle = Stops(stop.clone(), AtomicU64::new(0));
    let outcome = Reduction::new(input("abc"), &oracle, plan(&["bytes"]))
        .stop(stop)
        .run()
        .unwrap();
    assert!(matches!(outcome.ended, Ended::Stopped));
    assert_eq!(outcome.verified, None);
}

/// Runs three passes. `act` receives every event, and can control the run.
fn steered(
    jobs: Option<usize>,
    mut act: impl FnMut(&Event<'_>, &Control),
) -> (Outcome, Vec<String>) {
    let control = Control::default();
    let handle = control.clone();
    let mut seen = vec![];
    let mut observer = |event: &Event<'_>, _: &Statistics| {
        match event {
            Event::PassStarted { pass, .. } => seen.push(format!("{pass} started")),
            Event::PassSkipped { pass } => seen.push(format!("{pass} skipped")),
            Event::PassDisabled { pass } => seen.push(format!("{pass} disabled")),
            _ => {}
        }
        act(event, &handle);
    };
    let oracle = Closure::new(dependent);
    let plan = plan(&["lines", "tokens", "chars"]);
    let mut reduction = Reduction::new(input(&dependent_text()), &oracle, plan)
        .control(control)
        .observer(&mut observer);
    if let Some(jobs) = jobs {
        reduction = reduction.jobs(jobs);
    }
    (reduction.run().unwrap(), seen)
}

#[test]
fn the_schedule_continues_after_a_skipped_pass() {
    for jobs in [None, Some(1), Some(4)] {
        let mut tests = 0;
        let (outcome, seen) = steered(jobs, |event, control| {
            tests += u64::from(matches!(event, Event::Tested { .. }));
            if tests == 5 {
                tests += 1;
                control.skip_pass();
            }
        });
        assert_eq!(
            seen[..3],
            ["lines started", "lines skipped", "tokens started"]
        );
        assert!(matches!(outcome.ended, Ended::Complete));
        // The skipped pass had another turn, so the result is complete.
        assert!(seen[3..].contains(&"lines started".to_owned()), "{seen:?}");
        assert_eq!(outcome.input.bytes(), b"a\nb\nb\nb");
        assert_eq!(outcome.statistics.interventions, 1);
    }
}

#[test]
fn a_disabled_pass_does_not_run_until_it_is_enabled() {
    for jobs in [None, Some(4)] {
        let mut tests = 0;
        let (outcome, seen) = steered(jobs, |event, control| match event {
            Event::Started { .. } => control.disable("tokens"),
            Event::Tested { pass: "lines", .. } => {
                tests += 1;
                if tests == 5 {
                    control.disable("lines");
                }
            }
            Event::PassStarted { pass: "chars", .. } => control.enable("lines"),
            _ => {}
        });
        assert_eq!(
            seen[..4],
            [
                "lines started",
                "lines disabled",
                "tokens disabled",
                "chars started"
            ]
        );
        assert!(seen[4..].contains(&"lines started".to_owned()), "{seen:?}");
        assert!(!seen.contains(&"tokens started".to_owned()), "{seen:?}");
        assert!(matches!(outcome.ended, Ended::Complete));
        assert!(outcome.statistics.interventions >= 2);
    }
}

#[test]
fn a_run_ends_if_all_passes_are_disabled() {
    let (outcome, seen) = steered(Some(2), |event, control| {
        if matches!(event, Event::Started { .. }) {
            for pass in ["lines", "tokens", "chars"] {
                control.disable(pass);
            }
        }
    });
    assert!(matches!(outcome.ended, Ended::Complete));
    assert_eq!(outcome.input.size(), dependent_text().len());
    assert!(seen.iter().all(|what| what.ends_with("disabled")));
}

#[test]
fn a_pause_starts_no_test_and_changes_nothing_else() {
    let free = run(Some(4), None);
    for jobs in [None, Some(4)] {
        let paused = AtomicU64::new(0);
        let begun_in_pause = AtomicU64::new(0);
        let control = Control::default();
        let handle = control.clone();
        let mut adopted = 0;
        let mut observer = |event: &Event<'_>, _: &Statistics| {
            if matches!(event, Event::Adopted { .. }) {
                adopted += 1;
                if adopted == 2 {
                    handle.pause();
                    paused.store(1, Ordering::SeqCst);
                    let handle = handle.clone();
                    // Hundreds of these tests could run in this time.
                    std::thread::spawn(move || {
                        std::thread::sleep(Duration::from_millis(100));
                        handle.resume();
                    });
                }
            }
        };
        let oracle = Closure::new(|bytes: &[u8]| {
            if control.is_paused() {
                begun_in_pause.fetch_add(1, Ordering::SeqCst);
            }
            dependent(bytes)
        });
        let plan = plan(&["lines", "tokens", "chars"]);
        let mut reduction = Reduction::new(input(&dependent_text()), &oracle, plan)
            .control(control.clone())
            .observer(&mut observer);
        if let Some(jobs) = jobs {
            reduction = reduction.jobs(jobs);
        }
        let outcome = reduction.run().unwrap();
        assert_eq!(paused.load(Ordering::SeqCst), 1);
        // A worker may begin the test that waits for it before that test is canceled.
        let most = jobs.unwrap_or(0) as u64;
        let begun_in_pause = begun_in_pause.load(Ordering::SeqCst);
        assert!(begun_in_pause <= most, "{jobs:?}: {begun_in_pause}");
        assert_eq!(outcome.input.bytes(), free.input.bytes());
        assert_eq!(outcome.statistics.tests, free.statistics.tests);
        assert_eq!(outcome.statistics.interventions, 0);
    }
}

#[test]
fn a_stop_ends_a_pause() {
    let stop = Stop::default();
    let control = Control::default();
    let (ends, pauses) = (stop.clone(), control.clone());
    let mut observer = |event: &Event<'_>, _: &Statistics| {
        if matches!(event, Event::Adopted { .. }) && !pauses.is_paused() {
            pauses.pause();
            let ends = ends.clone();
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(50));
                ends.request();
            });
        }
    };
    let oracle = Closure::new(dependent);
    let outcome = Reduction::new(input(&dependent_text()), &oracle, plan(&["lines"]))
        .jobs(3)
        .stop(stop)
        .control(control)
        .observer(&mut observer)
        .run()
        .unwrap();
    assert!(matches!(outcome.ended, Ended::Stopped));
}

#[test]
fn a_skip_does_not_wait_for_the_test_that_runs() {
    /// An oracle whose second test runs until it is canceled.
    struct Slow(AtomicU64);

    impl Oracle for Slow {
        fn judge(&self, candidate: &Candidate<'_>, ask: &Ask) -> Result<Verdict, Fault> {
            let whole = candidate.files()[0].bytes.len() == 8;
            if self.0.fetch_add(1, Ordering::SeqCst) == 1 {
                while !ask.cancel.is_cancelled() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                return Ok(Verdict::Unresolved(Unresolved::Cancelled));
            }
            Ok(if whole { Verdict::Fail } else { Verdict::Pass })
        }
    }

    let (control, stop) = (Control::default(), Stop::default());
    let (handle, ends) = (control.clone(), stop.clone());
    let mut begun = 0;
    let mut skipped = 0;
    let mut observer = |event: &Event<'_>, _: &Statistics| match event {
        Event::WorkerStarted { .. } => {
            begun += 1;
            if begun == 2 {
                handle.skip_pass();
            }
        }
        Event::PassSkipped { .. } => {
            skipped += 1;
            ends.request();
        }
        _ => {}
    };
    let oracle = Slow(AtomicU64::new(0));
    let outcome = Reduction::new(input("a\nb\nc\nd\n"), &oracle, plan(&["lines"]))
        .jobs(1)
        .control(control)
        .stop(stop)
        .observer(&mut observer)
        .run()
        .unwrap();
    assert_eq!(skipped, 1);
    assert!(matches!(outcome.ended, Ended::Stopped));
}

#[test]
fn every_test_that_a_worker_begins_has_an_event_at_its_end() {
    for jobs in [1, 3] {
        let mut running = vec![false; jobs];
        let (mut begun, mut answered) = (0, 0);
        let (outcome, _) = steered(Some(jobs), |event, _| match event {
            Event::WorkerStarted { worker, .. } => {
                assert!(!running[*worker]);
                running[*worker] = true;
                begun += 1;
            }
            Event::WorkerEnded {
                worker,
                answered: has_answer,
            } => {
                assert!(running[*worker]);
                running[*worker] = false;
                answered += u64::from(*has_answer);
            }
            _ => {}
        });
        assert_eq!(running, vec![false; jobs]);
        assert!(begun >= answered);
        assert!(answered >= outcome.statistics.tests);
    }
}

#[test]
fn a_run_ends_when_the_input_is_small_enough_or_nothing_gets_smaller() {
    let small_enough = |jobs| {
        let oracle = Closure::new(dependent);
        let plan = plan(&["lines", "tokens", "chars"]);
        let reduction = Reduction::new(input(&dependent_text()), &oracle, plan).stop_at(200);
        reduction.jobs(jobs).run().unwrap()
    };
    let alone = small_enough(1);
    assert!(matches!(alone.ended, Ended::SmallEnough));
    assert!(alone.input.size() <= 200 && alone.input.size() > 7);
    let many = small_enough(8);
    assert_eq!(many.input.bytes(), alone.input.bytes());
    assert_eq!(many.statistics.tests, alone.statistics.tests);

    let stalled = |jobs, tests| {
        let oracle = Closure::new(dependent);
        let plan = plan(&["lines", "tokens", "chars"]);
        let reduction = Reduction::new(input(&dependent_text()), &oracle, plan).max_stalled(tests);
        reduction.jobs(jobs).run().unwrap()
    };
    let alone = stalled(1, 4);
    assert!(matches!(alone.ended, Ended::Stalled));
    let whole = run(None, None);
    assert!(alone.statistics.tests < whole.statistics.tests);
    assert!(alone.input.size() < dependent_text().len());
    let many = stalled(8, 4);
    assert_eq!(many.input.bytes(), alone.input.bytes());
    assert_eq!(many.statistics.tests, alone.statistics.tests);
    assert!(matches!(stalled(1, 100_000).ended, Ended::Complete));
}

#[test]
fn an_original_that_is_small_enough_is_the_result() {
    let oracle = Closure::new(|_: &[u8]| true);
    let outcome = Reduction::new(input("text"), &oracle, plan(&["lines"]))
        .stop_at(4)
        .run()
        .unwrap();
    assert!(matches!(outcome.ended, Ended::SmallEnough));
    assert_eq!(outcome.input.bytes(), b"text");
    // The tests are those of the original and of the result.
    assert_eq!(outcome.statistics.tests, 2);
}

#[test]
fn verdicts_that_arrive_after_the_end_of_the_search_are_reported() {
    let ran = AtomicU64::new(0);
    // A closure cannot be canceled while it runs.
    let oracle = Closure::new(|bytes: &[u8]| {
        ran.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(3));
        dependent(bytes)
    });
    let mut judged = 0;
    let mut observer = |event: &Event<'_>, _: &Statistics| {
        judged += u64::from(matches!(event, Event::Judged { .. }));
    };
    let text = input(&dependent_text());
    let outcome = Reduction::new(text, &oracle, plan(&["lines"]))
        .jobs(4)
        .max_tests(20)
        .verify(false)
        .observer(&mut observer)
        .run()
        .unwrap();
    assert!(matches!(outcome.ended, Ended::MaxTests));
    // The original is not a candidate, so its test has no such event.
    assert_eq!(judged, ran.load(Ordering::Relaxed) - 1);
}
