//! Progress: one line that is redrawn on a terminal. On other outputs, only `--verbose` prints
//! progress.

use super::report::changes;
use crate::exit::Exit;
use crate::flags::ProgressMode as How;
use crate::problem::{Problem, say};
use crate::settings::OutputSettings;
use crate::shown::ProgressLine;
use crate::test::first_line;
use indicatif::HumanCount;
use nubbin_reduce::isolate::{IsolateEvent, IsolateStatistics};

pub(super) struct IsolationProgress {
    bar: Option<ProgressLine>,
    every_test: bool,
    /// The first line, until it is printed.
    first_line: Option<String>,
}

/// Refuses the view, which only a reduction has.
pub(super) fn check(args: &OutputSettings) -> Result<(), Problem> {
    if args.progress != How::View || args.quiet {
        return Ok(());
    }
    Err(
        Problem::new(Exit::Usage, "`isolate` has no full-screen view")
            .hint("use `--progress line` or `--progress plain`"),
    )
}

fn is_line(args: &OutputSettings) -> bool {
    !args.quiet && !args.plain && !matches!(args.progress, How::Plain | How::None)
}

impl IsolationProgress {
    /// `failure` is the failure of one of the two inputs.
    pub(super) fn new(args: &OutputSettings, failure: &str) -> Self {
        let bar = is_line(args).then(|| ProgressLine::start("running the two inputs"));
        IsolationProgress {
            bar: bar.flatten(),
            every_test: args.verbose && args.progress != How::None,
            first_line: (!args.quiet && args.progress != How::None)
                .then(|| first_line(failure, None, None)),
        }
    }

    pub(super) fn observe(&mut self, event: &IsolateEvent<'_>, statistics: &IsolateStatistics) {
        let left = statistics.levels.last().map(changes).unwrap_or_default();
        if let IsolateEvent::Started { .. } = event
            && let Some(line) = self.first_line.take()
        {
            match &self.bar {
                Some(bar) => bar.say(&line),
                None => say(&line),
            }
        }
        if let IsolateEvent::Tested { verdict, bytes } = event
            && self.every_test
        {
            let number = statistics.tests;
            let line = format!("#{number} {verdict:10} {bytes:>9} bytes  {left}");
            match &self.bar {
                Some(bar) => bar.say(line.trim_end()),
                None => say(line.trim_end()),
            }
        }
        if let Some(bar) = &self.bar
            && !left.is_empty()
        {
            bar.set(&format!("{left} · {} tests", HumanCount(statistics.tests)));
        }
    }

    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish();
        }
    }
}
