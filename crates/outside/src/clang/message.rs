//! A line of the process that computes slices.

use nubbin_reduce::edit::{Edit, Splice};
use nubbin_reduce::span::Span;
use serde::{Deserialize, Serialize};

/// A line of the process.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ClangMessage {
    /// The parts of the text that a slice lacks: the offset of their first byte, the offset after
    /// their last byte, and their replacement.
    Slice(Vec<(u32, u32, String)>),
    /// There are no more slices.
    Done,
    /// There are no slices, for this reason.
    Failed(String),
}

impl ClangMessage {
    /// Reads a line of the process. Returns the slice, or `None` after the last one. The error is
    /// a reason for a message.
    pub(super) fn read(line: &[u8]) -> Result<Option<Edit>, String> {
        match serde_json::from_slice(line).map_err(|error| error.to_string())? {
            ClangMessage::Slice(parts) => {
                let splice = |(start, end, text): (u32, u32, String)| {
                    let is_valid = start <= end;
                    is_valid.then(|| Splice::replace(Span::new(start, end), text.as_bytes()))
                };
                let splices: Option<Vec<Splice>> = parts.into_iter().map(splice).collect();
                let edit = splices.and_then(|splices| Edit::new(splices).ok());
                edit.map(Some).ok_or_else(|| "it has no valid slice".into())
            }
            ClangMessage::Done => Ok(None),
            ClangMessage::Failed(why) => Err(why),
        }
    }
}
