//! `--json-events` and `--report`: everything that happens, a line of JSON each.

use super::stats::Stats;
use crate::flags::ReduceFlags;
use crate::output::json::JsonLines;
use crate::problem::Problem;
use crate::report::Run;
use nubbin_reduce::engine::{Event, Statistics};
use nubbin_reduce::input::Input;
use serde_json::{Value, json};
use std::path::Path;

/// Version of the format; raised when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Longer inputs are not written down; a page then has no text to show.
const LONGEST_TEXT: usize = 1 << 20;

/// What the log says of a run at its beginning, beside what the engine says.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) test: String,
    pub(super) algorithm: String,
    pub(super) seed: u64,
    pub(super) jobs: usize,
}

/// Who is told: a file for scripts, a record for the page at the end.
pub(super) struct Log {
    lines: Option<JsonLines>,
    record: Option<Run>,
    facts: Facts,
}

impl Log {
    pub(super) fn open(args: &ReduceFlags, facts: Facts) -> Result<Self, Problem> {
        let events = args.output_flags.json_events.as_deref();
        Ok(Log {
            lines: events.map(JsonLines::open).transpose()?,
            record: args.report.is_some().then(Run::default),
            facts,
        })
    }

    pub(super) fn observe(&mut self, event: &Event<'_>, statistics: &Statistics) {
        if self.lines.is_none() && self.record.is_none() {
            return;
        }
        let Some(mut line) = self.describe(event) else {
            return;
        };
        let seconds = (statistics.elapsed.as_secs_f64() * 1e6).round() / 1e6;
        line["t"] = json!(seconds);
        line["tests"] = json!(statistics.tests);
        line["best"] = json!(statistics.bytes_now);
        // A reader that waits for the news of a long run must see a success when it happens.
        self.write(&line, !matches!(event, Event::Tested { .. }));
    }

    /// A proposer broke.
    pub(super) fn proposer_failed(&mut self, id: &str, why: &str, statistics: &Statistics) {
        let line = json!({
            "event": "proposer-failed",
            "pass": id,
            "message": why,
            "t": statistics.elapsed.as_secs_f64(),
            "tests": statistics.tests,
            "best": statistics.bytes_now,
        });
        self.write(&line, true);
    }

    /// The last line: the counts, as in `--stats`.
    pub(super) fn conclude(&mut self, stats: &Stats<'_>) {
        let line = serde_json::to_value(stats).map(|mut line| {
            line["event"] = json!("result");
            line
        });
        if let Ok(line) = line {
            self.write(&line, true);
        }
    }

    fn write(&mut self, line: &Value, at_once: bool) {
        if let Some(lines) = &mut self.lines {
            lines.write(line, at_once);
        }
        if let Some(record) = &mut self.record {
            record.take(line);
        }
    }

    /// Writes the page, and says whether all was written. A reader that went away early is its own
    /// business.
    pub(super) fn finish(self, report: Option<&Path>) -> Result<(), Problem> {
        let lines = self.lines.map_or(Ok(()), JsonLines::finish);
        let page = match (report, &self.record) {
            (Some(path), Some(run)) => crate::report::write(path, run),
            _ => Ok(()),
        };
        lines.and(page)
    }

    fn describe(&self, event: &Event<'_>) -> Option<Value> {
        Some(match event {
            Event::Started { input, first_test } => json!({
                "event": "started",
                "version": VERSION,
                "bytes": input.size(),
                "files": input.file_count(),
                "first_test_s": first_test.as_secs_f64(),
                "nubbin": env!("CARGO_PKG_VERSION"),
                "command": std::env::args_os()
                    .map(|arg| arg.to_string_lossy().into_owned())
                    .collect::<Vec<_>>(),
                "test": self.facts.test,
                "algorithm": self.facts.algorithm,
                "seed": self.facts.seed,
                "jobs": self.facts.jobs,
                "input": texts(input),
            }),
            Event::PassStarted { pass, tier, file } => {
                json!({"event": "pass-started", "pass": pass, "tier": tier, "file": file})
            }
            Event::Tested {
                pass,
                verdict,
                bytes,
                ..
            } => {
                json!({"event": "tested", "pass": pass, "verdict": verdict, "bytes": bytes})
            }
            Event::Adopted {
                pass,
                input,
                edit,
                bytes_before,
            } => {
                let splices = edit.splices().iter();
                json!({
                    "event": "adopted",
                    "pass": pass,
                    "bytes": input.size(),
                    "bytes_before": bytes_before,
                    "splices": splices
                        .map(|splice| json!([splice.span.start, splice.span.end, text(splice.text())]))
                        .collect::<Vec<_>>(),
                })
            }
            Event::PassEnded { pass, run } => json!({
                "event": "pass-ended",
                "pass": pass,
                "pass_tests": run.tests,
                "pass_adopted": run.adopted,
                "bytes_removed": run.bytes_removed,
            }),
            Event::PassSkipped { pass } => json!({"event": "pass-skipped", "pass": pass}),
            Event::PassDisabled { pass } => json!({"event": "pass-disabled", "pass": pass}),
            Event::PassFailed { pass, message } => {
                json!({"event": "pass-failed", "pass": pass, "message": message})
            }
            Event::Flaky { original } => json!({
                "event": "unreliable",
                "failures": original.failures,
                "runs": original.runs,
            }),
            Event::RolledBack {
                input,
                bytes_before,
            } => json!({
                "event": "went-back",
                "bytes": input.size(),
                "bytes_before": bytes_before,
            }),
            Event::Ended { ended, input } => {
                json!({"event": "ended", "why": ended.to_string(), "bytes": input.size()})
            }
            _ => return None,
        })
    }
}

/// The files with their names and texts, in the order in which they lie in the buffer that splices
/// count in: end to end, each with one byte behind it where there are several.
fn texts(input: &Input) -> Value {
    if input.size() > LONGEST_TEXT {
        return Value::Null;
    }
    let files = (0..input.file_count()).filter_map(|number| input.file(number));
    files
        .map(|file| json!({"name": file.name.display().to_string(), "text": text(file.text)}))
        .collect()
}

/// A string where it is text, an array of numbers where it is not.
fn text(bytes: &[u8]) -> Value {
    std::str::from_utf8(bytes).map_or_else(|_| json!(bytes), |text| json!(text))
}
