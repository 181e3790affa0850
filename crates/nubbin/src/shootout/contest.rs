//! Everybody on everything.

use super::contestants::{Contestant, InputView};
use super::grammars::Subject;
use super::task::Task;
use indicatif::{ProgressBar, ProgressStyle};
use nubbin_reduce::engine::{Ended, Flaky, Outcome, Reduction};
use nubbin_reduce::input::Input;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// After so many tests a reduction is given up: it is counted with what it had.
pub(super) const MOST_TESTS: u64 = 20_000;

/// How one contestant did on one task.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Score {
    /// Tests, that of the original included.
    pub(super) tests: u64,
    /// Of these, how many were of texts that are not valid.
    pub(super) unresolved: u64,
    pub(super) before: usize,
    pub(super) after: usize,
    /// Not stopped for want of tests or time.
    pub(super) complete: bool,
}

impl Score {
    /// Of the original, what is left.
    pub(super) fn left(&self) -> f64 {
        self.after as f64 / self.before.max(1) as f64
    }
}

/// All scores: by task, then by contestant.
pub(super) struct Scores {
    pub(super) by_task: Vec<Vec<Score>>,
}

/// Every contestant on every one of so many tasks, on `jobs` threads. The scores do not depend on
/// how many.
pub(super) fn hold(
    tasks: usize,
    contestants: &[Contestant],
    jobs: usize,
    quiet: bool,
    run: &(dyn Fn(usize, &Contestant) -> Score + Sync),
) -> Scores {
    let all = tasks * contestants.len();
    let bar = if quiet {
        ProgressBar::hidden()
    } else {
        ProgressBar::new(all as u64)
    };
    if let Ok(style) =
        ProgressStyle::with_template("{pos} of {len} reductions, {eta} left {wide_bar}")
    {
        bar.set_style(style);
    }
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
                    let (task, contestant) = (at / contestants.len(), at % contestants.len());
                    let score = run(task, &contestants[contestant]);
                    *place.lock().unwrap_or_else(PoisonError::into_inner) = score;
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let scores: Vec<Score> = scores
        .into_iter()
        .map(|score| score.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect();
    let rows = scores.chunks(contestants.len().max(1));
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

/// One contestant on one task; where workers are to be simulated, also how long it takes with so
/// many of them, whose tests take 100 ms, give or take 30 %.
pub(super) fn run(
    contestant: &Contestant,
    subject: &Subject,
    task: &Task,
    workers: Option<usize>,
) -> (Score, Duration) {
    let Ok(input) = Input::single("input", task.text.clone()) else {
        return (Score::default(), Duration::ZERO);
    };
    let view = InputView::of_chars(Arc::clone(&subject.parser) as _);
    let Some(plan) = contestant.plan(&view, &input) else {
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
