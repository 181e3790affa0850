//! The log of a run: a file given by `--json-events`, and the history for the `--report` page.

use crate::events::{
    Event as Logged, InputFile, Line, ReductionStatistics, Splice, Start, Text, VERSION,
    command_line,
};
use crate::output::Destination;
use crate::output::json::{EventsFile, JsonLines};
use crate::problem::Problem;
use crate::report::{self, History};
use crate::sandbox::SandboxState;
use crate::settings::ReduceSettings;
use nubbin_reduce::engine::{Event, Statistics};
use nubbin_reduce::input::Input;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The log leaves out the text of longer inputs; a page then shows no text.
const LONGEST_TEXT: usize = 1 << 20;

/// The facts about a run that the engine does not know.
#[derive(Clone, Debug)]
pub(super) struct LogFacts {
    pub(super) test: String,
    /// The failure that is kept.
    pub(super) failure: String,
    pub(super) language: Option<String>,
    pub(super) algorithm: String,
    pub(super) seed: u64,
    pub(super) jobs: usize,
    pub(super) sandbox: SandboxState,
    pub(super) counts_configurations: bool,
}

/// Writes each event to a file, and keeps it for the page of the run.
pub(super) struct Log {
    lines: Option<JsonLines>,
    history: Option<History>,
    facts: LogFacts,
    /// Whether events have the texts of candidates.
    has_texts: bool,
    /// The original, and the best so far.
    inputs: Option<(Input, Input)>,
    /// The time that the test of the original took.
    pub(super) first_test: Duration,
    /// Whether the search has ended.
    has_ended: bool,
}

impl Log {
    pub(super) fn open(
        args: &ReduceSettings,
        events: Option<EventsFile>,
        facts: LogFacts,
    ) -> Result<Self, Problem> {
        Ok(Log {
            lines: events.map(JsonLines::open).transpose()?,
            history: args.report.is_some().then(History::default),
            facts,
            has_texts: args.log_texts,
            inputs: None,
            first_test: Duration::ZERO,
            has_ended: false,
        })
    }

    pub(super) fn observe(&mut self, event: &Event<'_>, statistics: &Statistics) {
        if let Event::Started { first_test, .. } = event {
            self.first_test = *first_test;
        }
        if self.lines.is_none() && self.history.is_none() {
            return;
        }
        if matches!(event, Event::Ended { .. }) {
            // The size of the result is known later, since an earlier result may be smaller.
            self.has_ended = true;
            return;
        }
        if let Some(logged) = self.logged(event) {
            // A program that reads the log of a long run must receive a success at once.
            self.write(logged, statistics, !matches!(event, Event::Tested { .. }));
        }
        match (event, &mut self.inputs) {
            (Event::Started { input, .. }, inputs) => {
                *inputs = Some(((*input).clone(), (*input).clone()));
            }
            (Event::Adopted { input, .. } | Event::RolledBack { input, .. }, Some((_, best))) => {
                *best = (*input).clone();
            }
            _ => {}
        }
    }

    pub(super) fn proposer_failed(&mut self, id: &str, why: &str, statistics: &Statistics) {
        let event = Logged::ProposerFailed {
            pass: id.to_owned(),
            message: why.to_owned(),
        };
        self.write(event, statistics, true);
    }

    /// Writes the last lines.
    pub(super) fn conclude(&mut self, result: &ReductionStatistics, statistics: &Statistics) {
        if self.has_ended {
            let (why, bytes) = (result.ended.clone(), result.bytes_after);
            self.write(Logged::Ended { why, bytes }, statistics, true);
        }
        let event = Logged::Result {
            statistics: Box::new(result.clone()),
        };
        self.write(event, statistics, true);
    }

    fn write(&mut self, event: Logged, statistics: &Statistics, at_once: bool) {
        let line = Line {
            seconds: (statistics.elapsed.as_secs_f64() * 1e6).round() / 1e6,
            tests: statistics.tests,
            best: statistics.bytes_now as u64,
            event,
        };
        if let Some(lines) = &mut self.lines {
            lines.write(&line, at_once);
        }
        if let Some(history) = &mut self.history {
            history.take(&line);
        }
    }

    /// Writes the page, and returns an error if the log or the page could not be written.
    pub(super) fn finish(self, page: Option<&Destination>) -> Result<(), Problem> {
        let lines = self.lines.map_or(Ok(()), JsonLines::finish);
        let page = match (page, &self.history) {
            (Some(file), Some(history)) => report::write(file, history),
            _ => Ok(()),
        };
        lines.and(page)
    }

    /// Returns the facts about the run with which the log begins.
    fn start(&self, input: &Input, first_test: Duration) -> Start {
        Start {
            version: VERSION,
            bytes: input.size() as u64,
            files: input.file_count() as u64,
            first_test_s: first_test.as_secs_f64(),
            nubbin: env!("CARGO_PKG_VERSION").to_owned(),
            command: command_line(std::env::args_os()),
            test: self.facts.test.clone(),
            failure: self.facts.failure.clone(),
            language: self.facts.language.clone(),
            algorithm: self.facts.algorithm.clone(),
            seed: self.facts.seed,
            jobs: self.facts.jobs as u64,
            sandbox: self.facts.sandbox.word().to_owned(),
            sandbox_reason: self.facts.sandbox.reason.clone(),
            sandbox_permitted: self.facts.sandbox.permitted.clone(),
            input: texts(input),
        }
    }

    /// Returns the event as the log has it, or `None` if the log leaves it out.
    fn logged(&self, event: &Event<'_>) -> Option<Logged> {
        Some(match *event {
            Event::Started { input, first_test } => {
                Logged::Started(Box::new(self.start(input, first_test)))
            }
            Event::PassStarted { pass, tier, file } => Logged::PassStarted {
                pass: pass.to_owned(),
                tier: tier.to_owned(),
                file,
            },
            Event::Tested {
                pass,
                verdict,
                input,
                bytes,
            } => Logged::Tested {
                pass: pass.to_owned(),
                verdict: verdict.into(),
                bytes: bytes as u64,
                text: (self.has_texts).then(|| Text::new(&input.bytes()[..input.files_end()])),
            },
            Event::Adopted {
                pass,
                input,
                edit,
                bytes_before,
            } => {
                let inputs = self.inputs.as_ref();
                // Names come after all files, and have a field of their own.
                let end = inputs.map_or(usize::MAX, |(_, best)| best.files_end());
                let splices = edit.splices().iter();
                let splices = splices.filter(|splice| splice.span.end as usize <= end);
                Logged::Adopted {
                    pass: pass.to_owned(),
                    bytes: input.size() as u64,
                    bytes_before: bytes_before as u64,
                    splices: splices
                        .map(|splice| {
                            let (start, end) = (splice.span.start, splice.span.end);
                            Splice(start as usize, end as usize, Text::new(splice.text()))
                        })
                        .collect(),
                    renamed: inputs.map_or_else(BTreeMap::new, |(original, best)| {
                        renamed(original, best, input)
                    }),
                }
            }
            Event::PassEnded { pass, ref run } => Logged::PassEnded {
                pass: pass.to_owned(),
                pass_tests: run.tests,
                pass_adopted: run.adopted,
                bytes_removed: run.bytes_removed,
            },
            Event::PassSkipped { pass } => Logged::PassSkipped {
                pass: pass.to_owned(),
            },
            Event::PassDisabled { pass } => Logged::PassDisabled {
                pass: pass.to_owned(),
            },
            Event::PassFailed { pass, message } => Logged::PassFailed {
                pass: pass.to_owned(),
                message: message.to_owned(),
            },
            Event::Flaky { original } => Logged::Flaky {
                failures: original.failures,
                runs: original.runs,
            },
            Event::RolledBack {
                input,
                bytes_before,
            } => Logged::RolledBack {
                bytes: input.size() as u64,
                bytes_before: bytes_before as u64,
            },
            _ => return None,
        })
    }
}

/// Returns the renamed files: their names in the original, and their new names.
fn renamed(original: &Input, before: &Input, after: &Input) -> BTreeMap<String, String> {
    let name = |name: &Path| name.display().to_string();
    let renamed = after.present().filter_map(|file| {
        let is_same = before.file(file.number)?.name == file.name;
        let old = original.file(file.number)?.name;
        (!is_same).then(|| (name(old), name(file.name)))
    });
    renamed.collect()
}

/// Returns the files with their names and texts, in the order in which they are in the buffer that
/// splices count in, or `None` if they are long.
fn texts(input: &Input) -> Option<Vec<InputFile>> {
    if input.size() > LONGEST_TEXT {
        return None;
    }
    let files = (0..input.file_count()).filter_map(|number| input.file(number));
    let files = files.map(|file| InputFile {
        name: file.name.display().to_string(),
        text: Text::new(file.text),
    });
    Some(files.collect())
}
