//! `{}` in the words of a command, and what replaces it.

use std::ffi::{OsStr, OsString};
use std::path::Path;

pub(super) const PLACE: &str = "{}";
const ESCAPED: &str = "{{}}";

pub(super) fn is_place(word: &OsStr) -> bool {
    word == PLACE || word == "./{}"
}

/// Returns the path from `{}` of a program that belongs to the candidate: `{}`, `./{}`, or
/// `{}/run.sh`.
pub(super) fn in_candidate(program: &OsStr) -> Option<&Path> {
    let path = Path::new(program);
    let path = path.strip_prefix(".").unwrap_or(path);
    path.starts_with(PLACE).then_some(path)
}

/// The position of the first `{}` that is not part of `{{}}`.
pub(super) fn next_place(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(ESCAPED.as_bytes()) {
            at += ESCAPED.len();
        } else if bytes[at..].starts_with(PLACE.as_bytes()) {
            return Some(at);
        } else {
            at += 1;
        }
    }
    None
}

/// Returns a word with another text in all places of `place`.
pub(super) fn replace_all(arg: &OsStr, place: &str, text: &[u8]) -> OsString {
    let mut out = Vec::new();
    let mut rest = arg.as_encoded_bytes();
    while let Some(&first) = rest.first() {
        match rest.strip_prefix(place.as_bytes()) {
            Some(after) => {
                out.extend_from_slice(text);
                rest = after;
            }
            None => {
                out.push(first);
                rest = &rest[1..];
            }
        }
    }
    to_os(out)
}

pub(super) fn to_os(bytes: Vec<u8>) -> OsString {
    #[cfg(unix)]
    {
        std::os::unix::ffi::OsStringExt::from_vec(bytes)
    }
    #[cfg(not(unix))]
    {
        String::from_utf8_lossy(&bytes).into_owned().into()
    }
}

pub(super) fn replace_place(arg: &OsStr, path: &OsStr) -> OsString {
    let bytes = arg.as_encoded_bytes();
    if !bytes.windows(2).any(|pair| pair == PLACE.as_bytes()) {
        return arg.to_owned();
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
        let mut out = Vec::with_capacity(bytes.len() + path.len());
        let mut rest = bytes;
        while let Some((&first, others)) = rest.split_first() {
            if let Some(after) = rest.strip_prefix(ESCAPED.as_bytes()) {
                out.extend_from_slice(PLACE.as_bytes());
                rest = after;
            } else if let Some(after) = rest.strip_prefix(PLACE.as_bytes()) {
                out.extend_from_slice(path.as_bytes());
                rest = after;
            } else {
                out.push(first);
                rest = others;
            }
        }
        OsString::from_vec(out)
    }
    #[cfg(not(unix))]
    {
        let arg = arg.to_string_lossy();
        let parts = arg.split(ESCAPED);
        let path = path.to_string_lossy();
        let parts: Vec<String> = parts.map(|part| part.replace(PLACE, &path)).collect();
        parts.join(PLACE).into()
    }
}

pub(super) fn escaped(text: &OsStr) -> Option<OsString> {
    if !text
        .as_encoded_bytes()
        .windows(2)
        .any(|pair| pair == PLACE.as_bytes())
    {
        return Some(text.to_owned());
    }
    text.to_str()
        .map(|text| text.replace(PLACE, ESCAPED).into())
}

/// Returns the path as one word of a shell line. A path of harmless characters is not quoted, so
/// that it also works in a line with quotes around `{}`.
pub(super) fn quoted(path: &Path) -> OsString {
    let bytes = path.as_os_str().as_encoded_bytes();
    let harmless = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+,:@%=".contains(byte);
    if bytes.iter().all(harmless) {
        return path.into();
    }
    let mut out = OsString::from("'");
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        for (nth, part) in bytes.split(|&byte| byte == b'\'').enumerate() {
            if nth > 0 {
                out.push(r"'\''");
            }
            out.push(OsStr::from_bytes(part));
        }
    }
    #[cfg(not(unix))]
    out.push(path);
    out.push("'");
    out
}
