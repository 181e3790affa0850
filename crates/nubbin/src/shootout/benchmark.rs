//! Runs every algorithm on every task.

use super::algorithms::{BenchmarkAlgorithm, InputView};
use super::grammars::Subject;
use super::task::Task;
use crate::shown::ProgressLine;
use nubbin_reduce::engine::{Ended, Flaky, Outcome, Reduction};
use nubbin_reduce::input::Input;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The limit of tests of a reduction. At the limit it stops and counts with its best result so far.
pub(super) const MOST_TESTS: u64 = 20_000;

/// The score of one algorithm on one task.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Score {
    /// The number of tests, with the test of the original.
    pub(super) tests: u64,
    /// The number of tests whose candidate was not valid.
    pub(super) unresolved: u64,
    pub(super) before: usize,
    pub(super) after: usize,
    /// Whether the reduction ended before its limits of tests and time.
    pub(super) complete: bool,
}

impl Score {
    /// Returns the remaining part of the original.
    pub(super) fn left(&self) -> f64 {
        self.after as f64 / self.before.max(1) as f64
    }
}

/// All scores, by task and then by algorithm.
pub(super) struct Scores {
    pub(super) by_task: Vec<Vec<Score>>,
}

/// Runs every algorithm on every task, on `jobs` threads. The scores do not depend on `jobs`.
pub(super) fn run_all(
    tasks: usize,
    algorithms: &[BenchmarkAlgorithm],
    jobs: usize,
    quiet: bool,
    run: &(dyn Fn(usize, &BenchmarkAlgorithm) -> Score + Sync),
) -> Scores {
    let all = tasks * algorithms.len();
    let bar = (!quiet).then(|| ProgressLine::counting(all as u64, "reductions"));
    let bar = bar.flatten();
    let scores: Vec<Mutex<Score>> = (0..all).map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(place) = scores.get(at) else {
                        return;
                    };
                    let (task, algorithm) = (at / algorithms.len(), at % algorithms.len());
                    let score = run(task, &algorithms[algorithm]);
                    *place.lock().unwrap_or_else(PoisonError::into_inner) = score;
                    bar.iter().for_each(ProgressLine::count);
                }
            });
        }
    });
    bar.iter().for_each(ProgressLine::finish);
    let scores: Vec<Score> = scores
        .into_iter()
        .map(|score| score.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect();
    let rows = scores.chunks(algorithms.len().max(1));
    Scores {
        by_task: rows.map(<[Score]>::to_vec).collect(),
    }
}

impl From<&Outcome> for Score {
    fn from(outcome: &Outcome) -> Self {
        let statistics = &outcome.statistics;
        Score {
            tests: statistics.tests,
            unresolved: statistics.unresolved,
            before: statistics.bytes_before,
            after: statistics.bytes_now,
            complete: matches!(outcome.ended, Ended::Complete),
        }
    }
}

/// Runs one algorithm on one task. With `workers`, also simulates the time that the reduction takes
/// with that many workers and tests of 100 ms ± 30 %.
pub(super) fn run(
    algorithm: &BenchmarkAlgorithm,
    subject: &Subject,
    task: &Task,
    workers: Option<usize>,
) -> (Score, Duration) {
    let Ok(input) = Input::single("input", task.text.clone()) else {
        return (Score::default(), Duration::ZERO);
    };
    let view = InputView::of_chars(Arc::clone(&subject.parser) as _);
    let Some(plan) = algorithm.plan(&view, &input) else {
        return (Score::default(), Duration::ZERO);
    };
    let time = |_: &Input, print: nubbin_reduce::edit::Fingerprint| {
        let part = (print.0 % 601) as f64 / 1000.0;
        Duration::from_secs_f64(0.1 * (0.7 + part))
    };
    let mut reduction = Reduction::new(input, &task.test, plan)
        .max_tests(MOST_TESTS)
        .verify(false)
        .flaky(Flaky::Off);
    if let Some(workers) = workers {
        reduction = reduction.jobs(workers).simulate(&time);
    }
    let Ok(outcome) = reduction.run() else {
        return (Score::default(), Duration::ZERO);
    };
    (Score::from(&outcome), outcome.statistics.elapsed)
}
