//! `--json-events`: everything that happens, a line of JSON each.

use crate::exit::Exit;
use crate::problem::Problem;
use nubbin_reduce::engine::{Event, Statistics};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Version of the format; raised when a field changes its meaning or goes away.
const VERSION: u32 = 1;

pub(super) struct JsonEvents {
    out: Box<dyn Write>,
    failed: Option<io::Error>,
}

impl JsonEvents {
    pub(super) fn open(path: &Path) -> Result<Self, Problem> {
        let out: Box<dyn Write> = if path == Path::new("-") {
            Box::new(io::stdout())
        } else {
            let file = File::create(path).map_err(|error| {
                let what = format!("cannot write events to `{}`", path.display());
                Problem::new(Exit::Output, what).because(&error)
            })?;
            Box::new(BufWriter::new(file))
        };
        Ok(JsonEvents { out, failed: None })
    }

    pub(super) fn observe(&mut self, event: &Event<'_>, statistics: &Statistics) {
        let Some(mut line) = describe(event) else {
            return;
        };
        let seconds = (statistics.elapsed.as_secs_f64() * 1e6).round() / 1e6;
        line["t"] = json!(seconds);
        line["tests"] = json!(statistics.tests);
        line["best"] = json!(statistics.bytes_now);
        let written = writeln!(self.out, "{line}");
        // A reader that waits for the news of a long run must see a success when it happens.
        let flushed = match event {
            Event::Tested { .. } => Ok(()),
            _ => self.out.flush(),
        };
        if let Err(error) = written.and(flushed) {
            self.failed.get_or_insert(error);
        }
    }

    /// Whether all was written. A reader that went away early is its own business.
    pub(super) fn finish(mut self) -> Result<(), Problem> {
        let flushed = self.out.flush().err();
        match self.failed.or(flushed) {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Problem::new(
                Exit::Output,
                "the events could not all be written",
            )
            .because(&error)),
            _ => Ok(()),
        }
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
        Event::Ended { ended, input } => {
            json!({"event": "ended", "why": ended.to_string(), "bytes": input.size()})
        }
        _ => return None,
    })
}
