//! Bytes in JSON.

use serde::{Deserialize, Serialize};

/// Bytes as JSON: a string if they are UTF-8, and an array of numbers otherwise.
///
/// Untagged, since a log consists mostly of text, and its readers want strings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Text {
    Text(String),
    Bytes(Vec<u8>),
}

impl Text {
    pub fn new(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Text::Text(text.to_owned()),
            Err(_) => Text::Bytes(bytes.to_vec()),
        }
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Text::Text(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
        }
    }
}
