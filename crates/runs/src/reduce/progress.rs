//! Progress: on a terminal, the view or one line that is redrawn; otherwise, plain lines.

use super::view::{Facts, Handles, View};
use super::waiting::waiting;
use crate::exit::Exit;
use crate::flags::ProgressMode as How;
use crate::problem::{Problem, say};
use crate::screen;
use crate::settings::OutputSettings;
use crate::shown::{self, ProgressLine, REPORTS, shrinkage, tests, visible, warning};
use crate::test::first_line;
use console::Term;
use indicatif::HumanCount;
use nubbin_reduce::engine::{Event, Statistics, Waiting};
use nubbin_verdict::VerdictKind;
use std::path::Path;
use std::time::Duration;

/// The least time between two plain lines.
const QUIET_TIME: Duration = Duration::from_secs(2);

/// The least length of a wait for a test that is worth a plain line, and the same as a multiple of
/// the longest test so far.
const LONG_WAIT: Duration = Duration::from_secs(10);
const LONG_WAITS: u32 = 3;

pub(super) struct ReductionProgress {
    style: Style,
    pass: &'static str,
    /// Tests and successes of the pass at work.
    pass_tests: u64,
    pass_adopted: u64,
    last_line: Duration,
    last_size: usize,
    /// The number of choices of the best so far, if choices are reduced.
    choices: Option<usize>,
    max_tests: Option<u64>,
    /// Whether the test of the original is number 1, not 0.
    counts_original: bool,
    /// The reason why the run waits, for the line.
    waiting: String,
    /// The least length of a wait for the next plain line about it.
    next_told: Option<Duration>,
    /// The longest wait for a test so far that has ended, or the time of the original's test.
    longest: Duration,
    /// The wait for the test that runs.
    wait: Duration,
    /// The failure that is kept, and the language.
    failure: String,
    language: Option<String>,
}

enum Style {
    Silent,
    Plain {
        every_test: bool,
    },
    Line {
        bar: ProgressLine,
        every_test: bool,
    },
    View {
        view: View,
        /// Lines to print when the view has ended.
        held: Vec<String>,
    },
}

/// Refuses `--progress view` where the view cannot be shown.
pub(super) fn check(args: &OutputSettings) -> Result<(), Problem> {
    if args.progress != How::View || args.quiet {
        return Ok(());
    }
    let cannot = |what: &str| {
        Err(Problem::new(Exit::Usage, what)
            .hint("omit `--progress view`, or use `--progress line` or `plain`"))
    };
    if args.verbose {
        cannot(
            "the view does not show every test: `--verbose` and `--progress view` exclude each other",
        )
    } else if prints_over_view(args) {
        cannot("the events would be printed over the view")
    } else if !screen::is_able() {
        cannot("the view needs a terminal for standard input and standard error")
    } else {
        Ok(())
    }
}

/// Returns whether JSON lines go to a terminal.
fn prints_over_view(args: &OutputSettings) -> bool {
    args.json_events.as_deref() == Some(Path::new("-")) && Term::stdout().is_term()
}

/// Resolves `auto`, for the given flags and this terminal.
fn how(args: &OutputSettings) -> How {
    match args.progress {
        _ if args.quiet => How::None,
        _ if args.plain => How::Plain,
        How::Auto if !args.verbose && !prints_over_view(args) && screen::is_able() => How::View,
        How::Auto | How::Line if Term::stderr().is_term() => How::Line,
        How::Auto | How::Line => How::Plain,
        how => how,
    }
}

impl Style {
    /// Creates the style of one line, which is redrawn if the terminal supports it.
    fn line(every_test: bool) -> Self {
        match ProgressLine::start("running the original") {
            Some(bar) => Style::Line { bar, every_test },
            None => Style::Plain { every_test },
        }
    }
}

impl ReductionProgress {
    pub(super) fn new(args: &OutputSettings, facts: Facts, handles: Handles) -> Self {
        let (max_tests, counts_original) = (facts.max_tests, facts.counts_original);
        let (failure, language) = (facts.failure.clone(), facts.language.clone());
        let style = match how(args) {
            How::None => Style::Silent,
            How::Plain => Style::Plain {
                every_test: args.verbose,
            },
            How::View => match View::start(facts, handles) {
                Ok(view) => Style::View { view, held: vec![] },
                // This error does not end the run: the line shows the essentials.
                Err(_) => Style::line(args.verbose),
            },
            How::Auto | How::Line => Style::line(args.verbose),
        };
        ReductionProgress {
            style,
            pass: "",
            pass_tests: 0,
            pass_adopted: 0,
            last_line: Duration::ZERO,
            last_size: usize::MAX,
            choices: None,
            max_tests,
            counts_original,
            waiting: String::new(),
            next_told: None,
            longest: Duration::ZERO,
            wait: Duration::ZERO,
            failure,
            language,
        }
    }

    /// Shows an event. If choices are reduced, `choices` is the number of choices of the candidate
    /// of a test, or else of the best so far. The other figures are about the text.
    pub(super) fn observe(
        &mut self,
        event: &Event<'_>,
        statistics: &Statistics,
        choices: Option<usize>,
    ) {
        let is_test = matches!(event, Event::Tested { .. });
        if !is_test {
            self.choices = choices;
        }
        if let Event::Waiting { what, time } = event {
            self.waiting = waiting(*what, *time);
            self.wait = *time;
        } else if !matches!(event, Event::WorkerStarted { .. }) {
            self.waiting.clear();
            self.longest = self.longest.max(std::mem::take(&mut self.wait));
            self.next_told = None;
        }
        self.tell(event);
        self.show(event, statistics, choices);
    }

    /// Counts the tests of a pass, and prints a line about an important event.
    fn tell(&mut self, event: &Event<'_>) {
        match event {
            Event::Started { first_test, .. } => {
                self.longest = self.longest.max(*first_test);
                let language = self.language.as_deref();
                self.line(&first_line(&self.failure, language, Some(*first_test)));
            }
            Event::PassStarted { pass, .. } => {
                self.pass = pass;
                (self.pass_tests, self.pass_adopted) = (0, 0);
            }
            Event::Tested { .. } => self.pass_tests += 1,
            Event::Adopted { .. } => self.pass_adopted += 1,
            Event::Flaky { original } => self.warn(&format!(
                "the test is flaky: the original failed in {} of {} runs; from now on, \
                 each candidate is tested several times",
                original.failures, original.runs,
            )),
            Event::RolledBack {
                input,
                bytes_before,
            } => self.line(&format!(
                "the best so far, {} bytes, failed too rarely; rolled back to {} bytes",
                HumanCount(*bytes_before as u64),
                HumanCount(input.size() as u64),
            )),
            Event::PassFailed { pass, message } => self.warn(&format!(
                "the pass `{pass}` has a bug and is disabled: {message}; please report this line at \
                 {REPORTS}"
            )),
            _ => {}
        }
    }

    fn show(&mut self, event: &Event<'_>, statistics: &Statistics, choices: Option<usize>) {
        let number = (statistics.tests).saturating_sub(u64::from(!self.counts_original));
        match &self.style {
            Style::Silent => {}
            Style::View { view, .. } => view.observe(event, statistics, self.choices),
            Style::Line { bar, every_test } => {
                bar.set(&self.summary(statistics));
                if *every_test && let Some(line) = test_line(event, number, choices) {
                    bar.say(&line);
                }
            }
            Style::Plain { every_test } => {
                if *every_test && let Some(line) = test_line(event, number, choices) {
                    say(&line);
                }
                if let Event::Waiting { what, time } = event {
                    let least = match what {
                        Waiting::Opening { .. } => QUIET_TIME,
                        _ => LONG_WAIT.max(self.longest * LONG_WAITS),
                    };
                    if *time >= self.next_told.unwrap_or(least) {
                        say(&self.waiting);
                        self.next_told = Some(*time * 2);
                    }
                    return;
                }
                // Runs of the original before its test also take time.
                let has_begun = statistics.tests > 0;
                let due = has_begun && statistics.elapsed >= self.last_line + QUIET_TIME;
                let shrunk = statistics.bytes_now != self.last_size;
                if matches!(event, Event::Started { .. }) || due && shrunk {
                    say(&self.summary(statistics));
                    self.last_line = statistics.elapsed;
                    self.last_size = statistics.bytes_now;
                }
            }
        }
    }

    /// Ends the view or the line; afterwards others may print.
    pub(super) fn finish(&mut self) {
        match &mut self.style {
            Style::Silent | Style::Plain { .. } => {}
            Style::Line { bar, .. } => bar.finish(),
            Style::View { view, held } => {
                view.finish();
                held.drain(..).for_each(|line| say(&line));
            }
        }
    }

    /// Prints a warning above the line, or after the view.
    pub(super) fn warn(&mut self, text: &str) {
        self.line(&warning(text));
    }

    fn line(&mut self, text: &str) {
        match &mut self.style {
            Style::Silent => {}
            Style::View { held, .. } => held.push(text.to_owned()),
            Style::Line { bar, .. } => bar.say(text),
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
        let of_choices = self.choices.map_or(String::new(), |choices| {
            format!("{} choices, ", HumanCount(choices as u64))
        });
        let (before, now) = (statistics.bytes_before as u64, statistics.bytes_now as u64);
        let mut text = format!("{of_choices}{} bytes", HumanCount(now));
        if now != before {
            text += &format!(", {}", shrinkage(before, now));
        }
        text += &match self.max_tests {
            Some(max) => format!(
                " · {}/{} tests",
                HumanCount(statistics.tests),
                HumanCount(max)
            ),
            None => format!(" · {}", tests(statistics.tests)),
        };
        text += &format!(", {}", shown::rate(rate));
        if !self.pass.is_empty() {
            let tested = self.pass_tests.max(1) as f64;
            let share = 100.0 * self.pass_adopted as f64 / tested;
            text += &format!(" · {} {share:.0} % accepted", self.pass);
        }
        if !self.waiting.is_empty() {
            text += &format!(" · {}", self.waiting);
        }
        text
    }
}

/// The number of characters of a candidate that are shown.
const SHOWN: usize = 60;

/// Returns the line of a test: its number, verdict, size, pass, and the beginning of the text.
fn test_line(event: &Event<'_>, number: u64, choices: Option<usize>) -> Option<String> {
    let (pass, verdict, input) = match *event {
        Event::Started { input, .. } => ("original", VerdictKind::Fail, input),
        Event::Tested {
            pass,
            verdict,
            input,
            ..
        } => (pass, verdict, input),
        Event::Verified { input, verdict } => ("result", verdict, input),
        _ => return None,
    };
    let bytes = input.size();
    let size = match choices {
        None => format!("{bytes:>9} bytes"),
        Some(choices) => format!("{choices:>6} choices, {bytes:>6} bytes"),
    };
    let text = beginning(input.bytes());
    Some(format!("#{number} {verdict:10} {size}  {pass}  {text}"))
}

/// Returns the beginning of a text on one line, in quotes.
fn beginning(text: &[u8]) -> String {
    // A character has at most four bytes.
    let long = String::from_utf8_lossy(&text[..text.len().min(4 * SHOWN + 4)]).into_owned();
    let mut chars = long.chars();
    let shown: String = chars.by_ref().take(SHOWN).collect();
    let more = if chars.next().is_some() { "…" } else { "" };
    format!("\"{}{more}\"", visible(&shown))
}
