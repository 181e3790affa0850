//! The model of the view. Events update it, and another thread draws a copy of it.

use super::super::waiting::waiting;
use super::colors::Colors;
use crate::view::curve::Curve;
use nubbin_reduce::engine::{Event, Statistics};
use nubbin_reduce::input::Input;
use std::time::Duration;

/// The largest input, in bytes, of which the view holds a second copy to show the last change.
const MAX_SHOWN_BYTES: usize = 8 << 20;

/// The constants of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// The names of the files, as given by the user.
    pub input: String,
    /// The files or the folder with the best so far. Empty if the best so far is in no file.
    pub result: String,
    pub test: String,
    /// The failure that is kept.
    pub failure: String,
    /// The language of the input, if the algorithm uses it.
    pub language: Option<String>,
    pub algorithm: String,
    pub seed: u64,
    pub jobs: usize,
    pub max_tests: Option<u64>,
    /// Whether the algorithm counts the test of the original.
    pub counts_original: bool,
    /// The names of the passes of the plan, in order.
    pub passes: Vec<&'static str>,
    pub colors: Colors,
    /// Whether the user has a pager for the best so far, and whether the user has an editor for a
    /// copy of it.
    pub has_pager: bool,
    pub has_editor: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    /// Whether the original has been tested.
    pub(super) is_begun: bool,
    /// The counts of the run. The counts of each pass are in `passes`.
    pub(super) counts: Statistics,
    pub(super) sizes: Curve,
    pub(super) tests: Curve,
    pub(super) passes: Vec<PassRow>,
    /// The reason why the run waits, if it has waited for some seconds.
    pub(super) waiting: Option<String>,
    pub(super) at_work: Option<&'static str>,
    pub(super) workers: Vec<Worker>,
    pub(super) change: Option<Change>,
    /// The number of choices of the best so far, if choices are reduced.
    pub(super) choices: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PassRow {
    pub(super) id: &'static str,
    pub(super) tests: u64,
    pub(super) adopted: u64,
    pub(super) removed: i64,
}

impl PassRow {
    fn new(id: &'static str) -> Self {
        PassRow {
            id,
            tests: 0,
            adopted: 0,
            removed: 0,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Worker {
    pub(super) running: Option<Running>,
    /// The number of the pass's tests with a verdict.
    pub(super) done: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    pub(super) pass: &'static str,
    pub(super) bytes: usize,
    pub(super) since: Duration,
}

/// The last adoption.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// The number of the adoption; 0 is the original.
    pub(super) number: u64,
    pub(super) pass: &'static str,
    pub(super) at: Duration,
    /// The previous best so far, if there is one and it is small enough.
    pub(super) before: Option<Input>,
    pub(super) best: Input,
}

impl Model {
    pub(super) fn new(facts: &Facts) -> Self {
        let mut passes: Vec<PassRow> = vec![];
        for &id in &facts.passes {
            if passes.iter().all(|row| row.id != id) {
                passes.push(PassRow::new(id));
            }
        }
        Model {
            passes,
            workers: vec![Worker::default(); facts.jobs],
            ..Model::default()
        }
    }

    pub(super) fn observe(&mut self, event: &Event<'_>, statistics: &Statistics) {
        self.count(statistics);
        let now = statistics.elapsed;
        self.waiting = match *event {
            Event::Waiting { what, time } => Some(waiting(what, time)),
            _ => None,
        };
        match *event {
            Event::Started { input, .. } => {
                self.is_begun = true;
                self.sizes.push(Duration::ZERO, input.size() as u64);
                self.tests.push(Duration::ZERO, 0);
                self.change = Some(Change {
                    number: 0,
                    pass: "",
                    at: now,
                    before: None,
                    best: input.clone(),
                });
            }
            Event::PassStarted { pass, .. } => self.at_work = Some(pass),
            Event::PassEnded { .. } => self.at_work = None,
            Event::Tested { pass, .. } => {
                self.row(pass).tests += 1;
                self.tests.push(now, statistics.tests);
            }
            Event::Adopted {
                pass,
                input,
                bytes_before,
                ..
            } => {
                let row = self.row(pass);
                row.adopted += 1;
                row.removed += bytes_before as i64 - input.size() as i64;
                self.sizes.push(now, input.size() as u64);
                let last = self.change.take();
                self.change = Some(Change {
                    number: last.as_ref().map_or(0, |last| last.number + 1),
                    pass,
                    at: now,
                    before: last
                        .map(|last| last.best)
                        .filter(|best| best.size() <= MAX_SHOWN_BYTES),
                    best: input.clone(),
                });
            }
            Event::RolledBack { input, .. } => {
                self.sizes.push(now, input.size() as u64);
                let number = self.change.take().map_or(0, |last| last.number + 1);
                self.change = Some(Change {
                    number,
                    pass: "back to one that fails more often",
                    at: now,
                    before: None,
                    best: input.clone(),
                });
            }
            Event::WorkerStarted { worker, bytes } => {
                let pass = self.at_work.unwrap_or("");
                if let Some(worker) = self.workers.get_mut(worker) {
                    worker.running = Some(Running {
                        pass,
                        bytes,
                        since: now,
                    });
                }
            }
            Event::WorkerEnded { worker, answered } => {
                if let Some(worker) = self.workers.get_mut(worker) {
                    worker.running = None;
                    worker.done += u64::from(answered);
                }
            }
            _ => {}
        }
    }

    /// Copies the counts except the counts of passes, which need memory and are only current when a
    /// pass has ended.
    fn count(&mut self, statistics: &Statistics) {
        self.counts = statistics.without_passes();
    }

    fn row(&mut self, id: &'static str) -> &mut PassRow {
        let at = self.passes.iter().position(|row| row.id == id);
        let at = at.unwrap_or_else(|| {
            self.passes.push(PassRow::new(id));
            self.passes.len() - 1
        });
        &mut self.passes[at]
    }

    /// Returns the passes in the order of the panel: by removed bytes, then by tests, then passes
    /// that have not run.
    pub(super) fn ranked(&self) -> Vec<PassRow> {
        let mut rows = self.passes.clone();
        rows.sort_by_key(|row| (std::cmp::Reverse(row.removed), std::cmp::Reverse(row.tests)));
        rows
    }

    /// Returns the number of busy workers, and the start of the test that has run longest.
    pub(super) fn busy(&self) -> (usize, Option<Duration>) {
        let running = || self.workers.iter().filter_map(|worker| worker.running);
        (running().count(), running().map(|test| test.since).min())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_shown_by_the_bytes_that_they_removed() {
        let facts = Facts {
            passes: vec!["lines", "tokens", "chars", "lines"],
            jobs: 1,
            ..Facts::default()
        };
        let mut model = Model::new(&facts);
        let statistics = Statistics::default();
        let small = Input::single("x", "abc").unwrap();
        for (pass, bytes_before) in [("chars", 10), ("tokens", 100)] {
            model.observe(
                &Event::Adopted {
                    pass,
                    input: &small,
                    edit: &nubbin_reduce::edit::Edit::none(),
                    bytes_before,
                },
                &statistics,
            );
        }
        let order: Vec<_> = model
            .ranked()
            .iter()
            .map(|row| (row.id, row.removed))
            .collect();
        assert_eq!(order, [("tokens", 97), ("chars", 7), ("lines", 0)]);
    }

    #[test]
    fn a_worker_is_busy_until_its_test_has_ended() {
        let facts = Facts {
            jobs: 2,
            ..Facts::default()
        };
        let mut model = Model::new(&facts);
        let at = |seconds| {
            let mut statistics = Statistics::default();
            statistics.elapsed = Duration::from_secs(seconds);
            statistics
        };
        model.observe(
            &Event::WorkerStarted {
                worker: 1,
                bytes: 7,
            },
            &at(3),
        );
        model.observe(
            &Event::WorkerStarted {
                worker: 9,
                bytes: 7,
            },
            &at(3),
        );
        assert_eq!(model.busy(), (1, Some(Duration::from_secs(3))));
        let ended = Event::WorkerEnded {
            worker: 1,
            answered: true,
        };
        model.observe(&ended, &at(4));
        assert_eq!(model.busy(), (0, None));
        assert_eq!(model.workers[1].done, 1);
    }
}
