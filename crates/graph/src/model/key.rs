//! Labels of property edges.

use serde::{Deserialize, Serialize};

/// The label of a property edge: the key of the property.
///
/// It is written as a text. The text of a well-known symbol begins with `@@`: `@@iterator`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Key(String);

impl Key {
    /// Creates a label with the given text.
    pub fn new(text: impl Into<String>) -> Self {
        Key(text.into())
    }

    /// Returns the text of the label.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name of the well-known symbol that is the key, if it is one.
    pub fn symbol(&self) -> Option<&str> {
        self.0.strip_prefix("@@").filter(|name| is_identifier(name))
    }

    /// Appends an access to this property: `.map`, `[0]`, `["a b"]`, `[this.Symbol.iterator]`.
    ///
    /// ```
    /// use nubbin_graph::Key;
    ///
    /// let access = |key: &str| {
    ///     let mut text = vec![];
    ///     Key::new(key).access(&mut text);
    ///     String::from_utf8(text)
    /// };
    /// assert_eq!(access("map")?, ".map");
    /// assert_eq!(access("12")?, "[12]");
    /// assert_eq!(access("a \"b\"")?, r#"["a \"b\""]"#);
    /// assert_eq!(access("@@iterator")?, "[this.Symbol.iterator]");
    /// # Ok::<(), std::string::FromUtf8Error>(())
    /// ```
    pub fn access(&self, text: &mut Vec<u8>) {
        if let Some(symbol) = self.symbol() {
            text.extend_from_slice(b"[this.Symbol.");
            text.extend_from_slice(symbol.as_bytes());
            text.push(b']');
        } else if is_identifier(&self.0) {
            text.push(b'.');
            text.extend_from_slice(self.0.as_bytes());
        } else if is_index(&self.0) {
            text.push(b'[');
            text.extend_from_slice(self.0.as_bytes());
            text.push(b']');
        } else {
            text.push(b'[');
            // All escape sequences of JSON are valid in JavaScript.
            text.extend(serde_json::to_vec(&self.0).unwrap_or_default());
            text.push(b']');
        }
    }
}

impl From<&str> for Key {
    fn from(text: &str) -> Self {
        Key::new(text)
    }
}

fn is_identifier(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
    !text.is_empty() && text.bytes().all(is_part) && !text.as_bytes()[0].is_ascii_digit()
}

fn is_index(text: &str) -> bool {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits && (text == "0" || (!text.is_empty() && text.len() < 10 && !text.starts_with('0')))
}
