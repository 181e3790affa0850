//! What is seen while it runs: one line that is redrawn on a terminal, plain lines elsewhere.

use crate::args::OutputArgs;
use crate::problem::say;
use console::{Term, style};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use nubbin_reduce::engine::{Event, Statistics};
use std::time::Duration;

/// Where there is no terminal, a line at most this often.
const QUIET_TIME: Duration = Duration::from_secs(2);

pub(super) struct Progress {
    style: Style,
    pass: &'static str,
    /// Tests and successes of the pass at work.
    pass_tests: u64,
    pass_adopted: u64,
    last_line: Duration,
    last_size: usize,
    max_tests: Option<u64>,
}

enum Style {
    Silent,
    Plain { every_test: bool },
    Line { bar: ProgressBar, every_test: bool },
}

impl Progress {
    pub(super) fn new(args: &OutputArgs, max_tests: Option<u64>) -> Self {
        let style = if args.quiet {
            Style::Silent
        } else if args.plain || !Term::stderr().is_term() {
            Style::Plain {
                every_test: args.verbose,
            }
        } else {
            let target = ProgressDrawTarget::stderr_with_hz(10);
            let bar = ProgressBar::with_draw_target(None, target);
            // A broken template would be a bug of ours; the default style still shows the text.
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed}") {
                bar.set_style(style);
            }
            bar.set_message("running the original");
            bar.enable_steady_tick(Duration::from_millis(200));
            let every_test = args.verbose;
            // A terminal that cannot move its cursor (TERM=dumb) shows no bar.
            if bar.is_hidden() {
                Style::Plain { every_test }
            } else {
                Style::Line { bar, every_test }
            }
        };
        Progress {
            style,
            pass: "",
            pass_tests: 0,
            pass_adopted: 0,
            last_line: Duration::ZERO,
            last_size: usize::MAX,
            max_tests,
        }
    }

    pub(super) fn observe(&mut self, event: &Event<'_>, statistics: &Statistics) {
        match event {
            Event::PassStarted { pass, .. } => {
                self.pass = pass;
                (self.pass_tests, self.pass_adopted) = (0, 0);
            }
            Event::Tested { .. } => self.pass_tests += 1,
            Event::Adopted { .. } => self.pass_adopted += 1,
            Event::PassFailed { pass, message } => self.line(&format!(
                "{} the pass `{pass}` has a bug and is left out: {message}",
                style("warning:").for_stderr().yellow()
            )),
            _ => {}
        }
        match &self.style {
            Style::Silent => {}
            Style::Line { bar, every_test } => {
                bar.set_message(self.summary(statistics));
                if *every_test
                    && let Event::Tested {
                        pass,
                        verdict,
                        bytes,
                    } = event
                {
                    bar.println(test_line(statistics, pass, verdict, *bytes));
                }
            }
            Style::Plain { every_test } => {
                if *every_test
                    && let Event::Tested {
                        pass,
                        verdict,
                        bytes,
                    } = event
                {
                    say(&test_line(statistics, pass, verdict, *bytes));
                }
                let due = statistics.elapsed >= self.last_line + QUIET_TIME;
                let shrunk = statistics.bytes_now != self.last_size;
                if matches!(event, Event::Started { .. }) || due && shrunk {
                    say(&self.summary(statistics));
                    self.last_line = statistics.elapsed;
                    self.last_size = statistics.bytes_now;
                }
            }
        }
    }

    pub(super) fn finish(&self) {
        if let Style::Line { bar, .. } = &self.style {
            bar.finish_and_clear();
        }
    }

    fn line(&self, text: &str) {
        match &self.style {
            Style::Silent => {}
            Style::Line { bar, .. } => bar.println(text),
            Style::Plain { .. } => say(text),
        }
    }

    fn summary(&self, statistics: &Statistics) -> String {
        let seconds = statistics.elapsed.as_secs_f64();
        let rate = if seconds > 0.0 {
            statistics.tests as f64 / seconds
        } else {
            0.0
        };
        let of_max = self
            .max_tests
            .map_or(String::new(), |max| format!("/{}", HumanCount(max)));
        let mut text = format!(
            "{} bytes, {:.1} % gone · {}{of_max} tests, {rate:.0}/s",
            HumanCount(statistics.bytes_now as u64),
            statistics.percent_removed(),
            HumanCount(statistics.tests),
        );
        if !self.pass.is_empty() {
            let tested = self.pass_tests.max(1) as f64;
            let share = 100.0 * self.pass_adopted as f64 / tested;
            text += &format!(" · {} {share:.0} % hits", self.pass);
        }
        text
    }
}

fn test_line(statistics: &Statistics, pass: &str, verdict: &str, bytes: usize) -> String {
    format!(
        "#{} {verdict:10} {bytes:>9} bytes  {pass}",
        statistics.tests
    )
}
