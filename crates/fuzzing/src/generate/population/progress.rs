//! The progress of a run, and the summary at its end.

use super::stats::Stats;
use crate::problem::say;
use crate::shown::{ProgressLine, style};
use indicatif::HumanCount;
use nubbin_generate::{Mutator, PopulationFuzzer};
use std::fmt::Write;
use std::path::{MAIN_SEPARATOR, Path};
use std::time::Duration;

/// The shortest time between two lines if there is no terminal.
const QUIET_TIME: Duration = Duration::from_secs(10);

/// The progress of a run. A terminal shows one line that is redrawn. Other outputs get a line from
/// time to time. Each new outcome gets a permanent line.
pub(super) struct PopulationProgress {
    is_quiet: bool,
    bar: Option<ProgressLine>,
    last_line: Duration,
}

impl PopulationProgress {
    pub(super) fn new(is_quiet: bool) -> Self {
        let bar = (!is_quiet).then(|| ProgressLine::start("running the seeds"));
        PopulationProgress {
            is_quiet,
            bar: bar.flatten(),
            last_line: Duration::ZERO,
        }
    }

    /// Shows the counts. `joined` is the file of the text that has just joined the population.
    pub(super) fn observe(
        &mut self,
        fuzzer: &PopulationFuzzer<impl Mutator>,
        joined: Option<&str>,
        elapsed: Duration,
    ) {
        let last = fuzzer.population().members().last();
        let novelty = last.and_then(|member| member.novelty.as_ref());
        if let (Some(file), Some(novelty)) = (joined, novelty)
            && novelty.is_new_outcome
        {
            self.line(&format!("{file}: {}", novelty.outcome));
        }
        if let Some(bar) = &self.bar {
            bar.set(&summary(fuzzer, elapsed));
        } else if elapsed >= self.last_line + QUIET_TIME {
            self.last_line = elapsed;
            self.line(&summary(fuzzer, elapsed));
        }
    }

    fn line(&self, text: &str) {
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

fn summary(fuzzer: &PopulationFuzzer<impl Mutator>, elapsed: Duration) -> String {
    let (population, tests) = (fuzzer.population(), fuzzer.counts().tests());
    let rate = tests as f64 / elapsed.as_secs_f64().max(1e-9);
    let mut text = format!(
        "{} inputs, {}, {}",
        HumanCount(population.members().len() as u64),
        bytes(population.bytes()),
        outcomes(population.outcomes()),
    );
    if population.covered() > 0 {
        let _ = write!(
            text,
            ", {} covered",
            HumanCount(population.covered() as u64)
        );
    }
    let _ = write!(
        text,
        " · {} runs, {}",
        HumanCount(tests),
        crate::shown::rate(rate)
    );
    text
}

fn outcomes(count: usize) -> String {
    match count {
        1 => "1 outcome".to_owned(),
        many => format!("{} outcomes", HumanCount(many as u64)),
    }
}

fn bytes(count: usize) -> String {
    match count {
        1 => "1 byte".to_owned(),
        many => format!("{} bytes", HumanCount(many as u64)),
    }
}

/// The largest number of outcomes that the summary lists.
const LISTED: usize = 20;

/// Prints the summary: the counts, and a text for each outcome.
pub(super) fn report(stats: &Stats, folder: &Path) {
    let covered = match stats.covered {
        0 => "the program reported no coverage".to_owned(),
        many => format!("{} parts of the program covered", HumanCount(many as u64)),
    };
    let mut text = format!(
        "{} runs in {:.1} s, {} of them to reduce inputs; {covered}\n{}{MAIN_SEPARATOR}: {} inputs \
         of {}, {}",
        HumanCount(stats.tests),
        stats.wall_s,
        HumanCount(stats.tests_reducing),
        style(folder.display()).green(),
        HumanCount(stats.members.len() as u64),
        bytes(stats.bytes),
        outcomes(stats.outcomes.len()),
    );
    for outcome in stats.outcomes.iter().take(LISTED) {
        let _ = write!(
            text,
            "\n  {} ({}): {}",
            outcome.file,
            bytes(outcome.bytes),
            outcome.outcome,
        );
    }
    if stats.outcomes.len() > LISTED {
        let _ = write!(text, "\n  and {} more", stats.outcomes.len() - LISTED);
    }
    say(&text);
}
