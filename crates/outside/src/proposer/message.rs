//! A line of a proposer.

use crate::hex::from_hex;
use nubbin_reduce::edit::{Edit, Splice, between};
use nubbin_reduce::span::Span;
use serde::Deserialize;
use std::path::PathBuf;

/// A line that a proposer may write.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ProposerMessage {
    /// A candidate that applies all of these replacements.
    Edits(Vec<Replacement>),
    /// A candidate that replaces the whole text.
    Text(String),
    /// A whole text in hexadecimal digits.
    TextBytes(String),
    /// The path of a file with a whole text.
    File(PathBuf),
    /// The end of the list.
    Done,
}

/// A span of the text, in bytes, and its replacement.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Replacement {
    start: u32,
    end: u32,
    #[serde(default)]
    text: String,
    /// The replacement in hexadecimal digits, instead of `text`.
    bytes: Option<String>,
}

/// The content of a line, checked.
#[derive(Debug)]
pub(super) enum Proposed {
    /// A change of the text.
    Change(Edit),
    /// The text in this file.
    File(PathBuf),
    /// The end of the list.
    Done,
}

impl ProposerMessage {
    /// Reads a line. The error is a message that shows the line.
    pub(super) fn read(line: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(line).map_err(|error| {
            let shown: String = String::from_utf8_lossy(line).chars().take(80).collect();
            format!("the program wrote a line that is not a candidate: `{shown}`: {error}")
        })
    }

    /// Returns the change of a text that the message proposes.
    pub(super) fn proposed(self, text: &[u8]) -> Result<Proposed, String> {
        Ok(match self {
            ProposerMessage::Edits(replacements) => {
                Proposed::Change(edit(&replacements, text.len())?)
            }
            ProposerMessage::Text(new) => Proposed::Change(between(text, new.as_bytes())),
            ProposerMessage::TextBytes(hex) => {
                let new = from_hex(&hex).ok_or("`text_bytes` is not hexadecimal")?;
                Proposed::Change(between(text, &new))
            }
            ProposerMessage::File(path) => Proposed::File(path),
            ProposerMessage::Done => Proposed::Done,
        })
    }
}

fn edit(replacements: &[Replacement], size: usize) -> Result<Edit, String> {
    let mut splices = vec![];
    for replacement in replacements {
        let Replacement {
            start, end, text, ..
        } = replacement;
        if start > end || *end as usize > size {
            return Err(format!(
                "the program proposed to replace bytes {start} to {end} of an input of {size}"
            ));
        }
        let bytes = match &replacement.bytes {
            Some(hex) => from_hex(hex).ok_or("`bytes` is not hexadecimal")?,
            None => text.clone().into_bytes(),
        };
        splices.push(Splice::replace(Span::new(*start, *end), &bytes));
    }
    Edit::new(splices)
        .map_err(|conflict| format!("of the replacements of one candidate, {conflict}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(line: &str) -> Option<ProposerMessage> {
        ProposerMessage::read(line.as_bytes()).ok()
    }

    #[test]
    fn lines_that_are_not_messages_are_rejected() {
        assert!(matches!(message("\"done\""), Some(ProposerMessage::Done)));
        let edits = message(r#"{"edits": [{"start": 0, "end": 2}]}"#);
        assert!(matches!(edits, Some(ProposerMessage::Edits(list)) if list.len() == 1));
        assert!(matches!(
            message(r#"{"text": "x"}"#),
            Some(ProposerMessage::Text(_))
        ));
        for nonsense in [
            "",
            "done",
            "{}",
            "[]",
            r#"{"edits": 3}"#,
            r#"{"edit": []}"#,
            r#"{"edits": [{"start": -1, "end": 2}]}"#,
            r#"{"edits": [{"start": 1}]}"#,
        ] {
            assert!(message(nonsense).is_none(), "{nonsense}");
        }
    }

    #[test]
    fn replacements_lie_in_the_text_and_do_not_overlap() {
        let text = b"abcdef";
        let of = |json: &str| {
            let list: Vec<Replacement> = serde_json::from_str(json).unwrap();
            edit(&list, text.len()).map(|edit| edit.render(text))
        };
        let both =
            of(r#"[{"start": 4, "end": 5, "bytes": "58"}, {"start": 0, "end": 1, "text": "yy"}]"#);
        assert_eq!(both.unwrap(), b"yybcdXf");
        for wrong in [
            r#"[{"start": 2, "end": 1}]"#,
            r#"[{"start": 0, "end": 7}]"#,
            r#"[{"start": 0, "end": 1, "bytes": "5"}]"#,
            r#"[{"start": 0, "end": 3, "text": "x"}, {"start": 2, "end": 5, "text": "y"}]"#,
        ] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
