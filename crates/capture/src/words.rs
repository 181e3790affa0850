//! Words and numbers in messages.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::PathBuf;

/// The largest number of paths in a message.
pub(super) const NAMED: usize = 3;

/// Returns a word as a shell reads it.
pub(super) fn quoted(text: &OsStr) -> String {
    let text = text.to_string_lossy();
    shlex::try_quote(&text).map_or_else(|_| text.to_string(), |quoted| quoted.into_owned())
}

/// Returns the first of the given paths, and the number of the other paths.
pub(super) fn named(paths: &BTreeSet<PathBuf>) -> String {
    let some = paths.iter().take(NAMED);
    let some: Vec<String> = some.map(|path| format!("`{}`", path.display())).collect();
    let mut text = some.join(", ");
    if paths.len() > NAMED {
        text += &format!(" and {} more", paths.len() - NAMED);
    }
    text
}
