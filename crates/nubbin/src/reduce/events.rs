//! `--json-events`: everything that happens, a line of JSON each.

use crate::json::JsonLines;
use crate::problem::Problem;
use nubbin_reduce::engine::{Event, Statistics};
use serde_json::{Value, json};
use std::path::Path;

/// Version of the format; raised when a field changes its meaning or goes away.
const VERSION: u32 = 1;

pub(super) struct JsonEvents {
    lines: JsonLines,
}

impl JsonEvents {
    pub(super) fn open(path: &Path) -> Result<Self, Problem> {
        JsonLines::open(path).map(|lines| JsonEvents { lines })
    }

    pub(super) fn observe(&mut self, event: &Event<'_>, statistics: &Statistics) {
        let Some(mut line) = describe(event) else {
            return;
        };
        let seconds = (statistics.elapsed.as_secs_f64() * 1e6).round() / 1e6;
        line["t"] = json!(seconds);
        line["tests"] = json!(statistics.tests);
        line["best"] = json!(statistics.bytes_now);
        // A reader that waits for the news of a long run must see a success when it happens.
        let at_once = !matches!(event, Event::Tested { .. });
        self.lines.write(&line, at_once);
    }

    /// Whether all was written. A reader that went away early is its own business.
    pub(super) fn finish(self) -> Result<(), Problem> {
        self.lines.finish()
    }
}

fn describe(event: &Event<'_>) -> Option<Value> {
    Some(match event {
        Event::Started { input, first_test } => json!({
            "event": "started",
            "version": VERSION,
            "bytes": input.size(),
            "files": input.file_count(),
            "first_test_s": first_test.as_secs_f64(),
        }),
        Event::PassStarted { pass, tier, file } => {
            json!({"event": "pass-started", "pass": pass, "tier": tier, "file": file})
        }
        Event::Tested {
            pass,
            verdict,
            bytes,
        } => {
            json!({"event": "tested", "pass": pass, "verdict": verdict, "bytes": bytes})
        }
        Event::Adopted {
            pass,
            input,
            bytes_before,
        } => json!({
            "event": "adopted",
            "pass": pass,
            "bytes": input.size(),
            "bytes_before": bytes_before,
        }),
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
        Event::Unreliable { original } => json!({
            "event": "unreliable",
            "failures": original.failures,
            "runs": original.runs,
        }),
        Event::WentBack {
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
