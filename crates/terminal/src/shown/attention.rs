//! Escape sequences that nubbin sends on request: a notification and the clipboard.

use super::escape::text_of;
use super::stderr;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::io::{IsTerminal, Write};

/// The longest text that common terminals put into the clipboard, in bytes.
const LONGEST: usize = 74_994;

/// Rings the bell, and shows a notification if the terminal supports it (OSC 9).
pub fn notify(text: &str) {
    let mut out = stderr().lock();
    if out.is_terminal() {
        let text = text_of(text.as_bytes());
        let _ = write!(out, "\x1b]9;{text}\x07\x07");
        let _ = out.flush();
    }
}

/// Puts a text into the terminal's clipboard (OSC 52).
///
/// # Errors
/// Returns the reason if the text was not copied.
pub fn copy(text: &[u8]) -> Result<(), String> {
    let mut out = stderr().lock();
    if !out.is_terminal() {
        return Err("standard error is not a terminal".into());
    }
    if text.len() > LONGEST {
        return Err(format!("it has more than {LONGEST} bytes"));
    }
    write!(out, "\x1b]52;c;{}\x07", STANDARD.encode(text))
        .and_then(|()| out.flush())
        .map_err(|error| error.to_string())
}
