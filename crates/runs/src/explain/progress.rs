//! The progress of an explanation: one line that is redrawn on a terminal, and the first failure.

use crate::problem::say;
use crate::shown::ProgressLine;
use crate::test::first_line;
use indicatif::HumanCount;
use nubbin_reduce::explain::{ExplainEvent, ExplainStatistics};
use std::time::Duration;

pub(super) struct ExplanationProgress {
    bar: Option<ProgressLine>,
    /// The failure that is kept, until it is printed.
    failure: Option<String>,
    /// The number of parts that can be anything of their kind, so far.
    found: usize,
}

impl ExplanationProgress {
    /// Starts the progress with `failure`, the failure of the input.
    pub(super) fn start(is_quiet: bool, failure: String) -> Self {
        let bar = (!is_quiet).then(|| ProgressLine::start("running the input"));
        ExplanationProgress {
            bar: bar.flatten(),
            failure: (!is_quiet).then_some(failure),
            found: 0,
        }
    }

    /// Shows an event. `elapsed` is the time since the test was built.
    pub(super) fn observe(
        &mut self,
        event: &ExplainEvent,
        statistics: &ExplainStatistics,
        elapsed: Duration,
    ) {
        match event {
            ExplainEvent::Tested { verdict } if verdict.is_fail() => self.first_line(elapsed),
            ExplainEvent::Settled { is_abstract, .. } => self.found += usize::from(*is_abstract),
            ExplainEvent::TookBack { .. } => self.found -= 1,
            _ => {}
        }
        if let Some(bar) = &self.bar {
            bar.set(&format!(
                "{} of {} parts tested, {} can be anything · {} tests",
                statistics.settled,
                statistics.parts,
                self.found,
                HumanCount(statistics.tests),
            ));
        }
    }

    fn first_line(&mut self, elapsed: Duration) {
        let Some(failure) = self.failure.take() else {
            return;
        };
        let line = first_line(&failure, None, Some(elapsed));
        match &self.bar {
            Some(bar) => bar.say(&line),
            None => say(&line),
        }
    }

    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish();
        }
    }
}
