//! The log of a run: the file given by `--json-events`.

use crate::events::{IsolationEvent, IsolationLine, Side, VERSION};
use crate::output::json::JsonLines;
use nubbin_reduce::isolate::{IsolateEvent, IsolateStatistics};

pub(super) fn write(
    lines: &mut JsonLines,
    event: &IsolateEvent<'_>,
    statistics: &IsolateStatistics,
) {
    let Some(logged) = logged(event) else {
        return;
    };
    let line = IsolationLine {
        seconds: (statistics.elapsed.as_secs_f64() * 1e6).round() / 1e6,
        tests: statistics.tests,
        event: logged,
    };
    lines.write(&line, !matches!(event, IsolateEvent::Tested { .. }));
}

/// Returns the event as the log has it, or `None` if the log leaves it out.
fn logged(event: &IsolateEvent<'_>) -> Option<IsolationEvent> {
    Some(match *event {
        IsolateEvent::Started { passing, failing } => IsolationEvent::Started {
            version: VERSION,
            passing_bytes: passing.size() as u64,
            failing_bytes: failing.size() as u64,
        },
        IsolateEvent::LevelStarted { atom, changes } => IsolationEvent::LevelStarted {
            atom: atom.id().to_owned(),
            changes: changes.into(),
        },
        IsolateEvent::Tested { verdict, bytes } => IsolationEvent::Tested {
            verdict: verdict.word().to_owned(),
            bytes: bytes as u64,
        },
        IsolateEvent::Narrowed {
            passing,
            failing,
            left,
        } => {
            let (side, input) = match (passing, failing) {
                (Some(input), _) => (Side::Passing, input),
                (None, Some(input)) => (Side::Failing, input),
                (None, None) => return None,
            };
            IsolationEvent::Narrowed {
                side,
                bytes: input.size() as u64,
                left: left.into(),
            }
        }
        IsolateEvent::Ended { ended } => IsolationEvent::Ended {
            why: ended.to_string(),
        },
        _ => return None,
    })
}
