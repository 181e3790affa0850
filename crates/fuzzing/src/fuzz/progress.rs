//! The progress of a run, and the summary at its end.

use super::stats::Stats;
use crate::problem::say;
use crate::shown::{ProgressLine, style};
use indicatif::HumanCount;
use std::fmt::Write;
use std::path::{MAIN_SEPARATOR, Path};
use std::time::Duration;

/// The shortest time between two lines if there is no terminal.
const QUIET_TIME: Duration = Duration::from_secs(10);
/// The maximum number of characters of a script in the summary.
const LONGEST: usize = 160;

/// A terminal shows one line that is redrawn. Other outputs get a line from time to time. Each new
/// bug gets a permanent line.
pub(super) struct FuzzProgress {
    is_quiet: bool,
    bar: Option<ProgressLine>,
    last_line: Duration,
}

impl FuzzProgress {
    pub(super) fn new(is_quiet: bool) -> Self {
        let bar = (!is_quiet).then(|| ProgressLine::start("starting the engine"));
        FuzzProgress {
            is_quiet,
            bar: bar.flatten(),
            last_line: Duration::ZERO,
        }
    }

    pub(super) fn observe(&mut self, expressions: u64, bugs: usize, elapsed: Duration) {
        let rate = expressions as f64 / elapsed.as_secs_f64().max(1e-9);
        let text = format!(
            "{} expressions, {} · {}",
            HumanCount(expressions),
            self::bugs(bugs),
            crate::shown::rate(rate),
        );
        if let Some(bar) = &self.bar {
            bar.set(&text);
        } else if elapsed >= self.last_line + QUIET_TIME {
            self.last_line = elapsed;
            self.line(&text);
        }
    }

    pub(super) fn line(&self, text: &str) {
        match &self.bar {
            _ if self.is_quiet => {}
            Some(bar) => bar.say(text),
            None => say(text),
        }
    }

    /// Removes the redrawn line, so that other output can follow.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish();
        }
    }
}

fn bugs(count: usize) -> String {
    match count {
        0 => "no bug".to_owned(),
        1 => "1 bug".to_owned(),
        many => format!("{} bugs", HumanCount(many as u64)),
    }
}

pub(super) fn report(stats: &Stats, folder: &Path) {
    let mut text = format!(
        "{} expressions in {:.1} s, {:.0} a second; {}",
        HumanCount(stats.expressions),
        stats.wall_s,
        stats.expressions as f64 / stats.wall_s.max(1e-9),
        bugs(stats.findings.len()),
    );
    if stats.left_out > 0 {
        let _ = write!(
            text,
            "; {} left out, at a limit or a script that did not finish",
            HumanCount(stats.left_out)
        );
    }
    if stats.unstable > 0 {
        let _ = write!(
            text,
            "; {} crashes did not happen again",
            HumanCount(stats.unstable)
        );
    }
    if stats.left_out * 5 > stats.expressions {
        text += "\nmany were left out: `--timeout TIME` and `--memory SIZE` raise the limits";
    }
    for finding in &stats.findings {
        let script: String = finding.script.chars().take(LONGEST).collect();
        let place = folder.join(&finding.folder);
        let _ = write!(
            text,
            "\n{} ({} times)\n  {script}\n  {}{MAIN_SEPARATOR}",
            style(&finding.signature).bold(),
            HumanCount(finding.met),
            style(place.display()).green(),
        );
    }
    say(&text);
}
