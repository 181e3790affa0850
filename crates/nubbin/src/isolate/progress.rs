//! Progress: one line that is redrawn on a terminal, nothing elsewhere without `--verbose`.

use super::report::changes;
use crate::exit::Exit;
use crate::flags::{OutputFlags, ProgressMode as How};
use crate::problem::{Problem, say};
use console::Term;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use nubbin_reduce::isolate::{Event, Statistics};
use std::time::Duration;

pub(super) struct IsolationProgress {
    bar: Option<ProgressBar>,
    every_test: bool,
}

/// Refuses the view, which only a reduction has.
pub(super) fn check(args: &OutputFlags) -> Result<(), Problem> {
    if args.progress != How::View || args.quiet {
        return Ok(());
    }
    Err(
        Problem::new(Exit::Usage, "`isolate` has no full-screen view")
            .hint("use `--progress line` or `--progress plain`"),
    )
}

fn is_line(args: &OutputFlags) -> bool {
    !args.quiet && !args.plain && !matches!(args.progress, How::Plain | How::None)
}

impl IsolationProgress {
    pub(super) fn new(args: &OutputFlags) -> Self {
        let line = is_line(args) && Term::stderr().is_term();
        let bar = line.then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(10);
            let bar = ProgressBar::with_draw_target(None, target);
            // A broken template would be a bug; the default style still shows the text.
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed}") {
                bar.set_style(style);
            }
            bar.set_message("running the two inputs");
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        IsolationProgress {
            // A terminal that cannot move its cursor (TERM=dumb) shows no bar.
            bar: bar.filter(|bar| !bar.is_hidden()),
            every_test: args.verbose && args.progress != How::None,
        }
    }

    pub(super) fn observe(&mut self, event: &Event<'_>, statistics: &Statistics) {
        let left = statistics.levels.last().map(changes).unwrap_or_default();
        if let Event::Tested { verdict, bytes } = event
            && self.every_test
        {
            let number = statistics.tests;
            let line = format!("#{number} {verdict:10} {bytes:>9} bytes  {left}");
            match &self.bar {
                Some(bar) => bar.println(line.trim_end()),
                None => say(line.trim_end()),
            }
        }
        if let Some(bar) = &self.bar
            && !left.is_empty()
        {
            bar.set_message(format!("{left} · {} tests", HumanCount(statistics.tests)));
        }
    }

    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
