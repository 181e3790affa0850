//! `--json-events`: everything that happens, a line of JSON each.

use crate::output::json::JsonLines;
use nubbin_reduce::isolate::{Event, Statistics};
use serde_json::{Value, json};

/// Version of the format; raised when a field changes its meaning or goes away.
const VERSION: u32 = 1;

pub(super) fn write(lines: &mut JsonLines, event: &Event<'_>, statistics: &Statistics) {
    let Some(mut line) = describe(event) else {
        return;
    };
    let seconds = (statistics.elapsed.as_secs_f64() * 1e6).round() / 1e6;
    line["t"] = json!(seconds);
    line["tests"] = json!(statistics.tests);
    let at_once = !matches!(event, Event::Tested { .. });
    lines.write(&line, at_once);
}

fn describe(event: &Event<'_>) -> Option<Value> {
    Some(match event {
        Event::Started { passing, failing } => json!({
            "event": "started",
            "version": VERSION,
            "passing_bytes": passing.size(),
            "failing_bytes": failing.size(),
        }),
        Event::LevelStarted { atom, changes } => {
            json!({"event": "level-started", "atom": atom.id(), "changes": changes})
        }
        Event::Tested { verdict, bytes } => {
            json!({"event": "tested", "verdict": verdict, "bytes": bytes})
        }
        Event::Narrowed {
            passing,
            failing,
            left,
        } => {
            let side = if passing.is_some() {
                "passing"
            } else {
                "failing"
            };
            let bytes = passing.or(*failing).map(|input| input.size());
            json!({"event": "narrowed", "side": side, "bytes": bytes, "left": left})
        }
        Event::Ended { ended } => json!({"event": "ended", "why": ended.to_string()}),
        _ => return None,
    })
}
