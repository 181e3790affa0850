//! The lines of the process that loads libclang.

use nubbin_reduce::edit::{Edit, Splice};
use nubbin_reduce::span::Span;
use serde::{Deserialize, Serialize};

/// The meaning of a line of the process that computes slices.
pub(super) enum SliceAnswer {
    /// The failure is a warning.
    Warning,
    Slice(Edit),
    /// There are no more slices.
    Done,
}

/// A line of the process.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ClangMessage {
    /// The failure is a warning, so that the text must have no error.
    Warning,
    /// The parts of the text that a slice lacks: the offset of their first byte, the offset after
    /// their last byte, and their replacement.
    Slice(Vec<(u32, u32, String)>),
    /// The number of errors of a text, or nothing if it is unknown.
    Errors(Option<usize>),
    /// There are no more slices.
    Done,
    /// There are no slices, or the errors cannot be counted, for this reason.
    Failed(String),
}

impl ClangMessage {
    /// Reads a line of the process that computes slices. The error is a reason for a message.
    pub(super) fn slice(line: &[u8]) -> Result<SliceAnswer, String> {
        match ClangMessage::read(line)? {
            ClangMessage::Slice(parts) => {
                let splice = |(start, end, text): (u32, u32, String)| {
                    let is_valid = start <= end;
                    is_valid.then(|| Splice::replace(Span::new(start, end), text.as_bytes()))
                };
                let splices: Option<Vec<Splice>> = parts.into_iter().map(splice).collect();
                let edit = splices.and_then(|splices| Edit::new(splices).ok());
                let edit = edit.map(SliceAnswer::Slice);
                edit.ok_or_else(|| "it has no valid slice".into())
            }
            ClangMessage::Warning => Ok(SliceAnswer::Warning),
            ClangMessage::Done => Ok(SliceAnswer::Done),
            ClangMessage::Errors(_) => Err("it has counted errors".into()),
            ClangMessage::Failed(why) => Err(why),
        }
    }

    /// Reads a line of the process that counts errors. The error is a reason for a message.
    pub(super) fn errors(line: &[u8]) -> Result<Option<usize>, String> {
        match ClangMessage::read(line)? {
            ClangMessage::Errors(count) => Ok(count),
            ClangMessage::Failed(why) => Err(why),
            ClangMessage::Slice(_) | ClangMessage::Warning | ClangMessage::Done => {
                Err("it has computed slices".into())
            }
        }
    }

    fn read(line: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(line).map_err(|error| error.to_string())
    }
}
