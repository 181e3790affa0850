//! The end of a run in messages.

use nubbin_oracle::{Run, last_lines};

/// Returns the last lines of both outputs of a run.
pub(super) fn end_of(run: &Run) -> String {
    let outputs = [("stdout", run.stdout()), ("stderr", run.stderr())];
    let lines = outputs.into_iter().flat_map(|(name, bytes)| {
        let lines = last_lines(bytes).into_iter();
        lines.map(move |line| format!("\n  {name}: {line}"))
    });
    let lines: String = lines.collect();
    match lines.is_empty() {
        true => "it prints nothing".to_owned(),
        false => format!("the end of its output:{lines}"),
    }
}
