//! Texts that contain the absolute path of a folder, so that a test may read the original.

use std::path::Path;

/// Returns whether a text contains the absolute path of a folder, alone or at the start of a longer
/// path.
pub fn names_folder(text: &[u8], folder: &Path) -> bool {
    let path = folder.as_os_str().as_encoded_bytes();
    // Every absolute path starts with the path of the root.
    if path.len() < 2 {
        return false;
    }
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-".contains(byte);
    let mut from = 0;
    while let Some(at) = find(&text[from..], path).map(|at| from + at) {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        let after = text.get(at + path.len());
        let begins = !before.is_some_and(is_of_name) || is_flag(&text[..at]);
        if begins && !after.is_some_and(|byte| is_of_name(byte) && *byte != b'/') {
            return true;
        }
        from = at + 1;
    }
    false
}

/// Returns whether a text ends with a flag that its value follows at once, such as `-I/path`.
fn is_flag(text: &[u8]) -> bool {
    let word = text.rsplit(|byte| !byte.is_ascii_alphabetic() && *byte != b'-');
    word.into_iter()
        .next()
        .is_some_and(|word| word.len() > 1 && word[0] == b'-')
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    let first = part.first()?;
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.iter().position(|byte| byte == first)?;
        if text[at..].starts_with(part) {
            return Some(at);
        }
        from = at + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_counts_as_a_whole() {
        let names = |text: &str| names_folder(text.as_bytes(), Path::new("/p/q"));
        for text in [
            "/p/q",
            "\"/p/q\"",
            "x=/p/q/a.c",
            "-I/p/q/inc",
            "a /p/qq /p/q",
            "(/p/q)",
        ] {
            assert!(names(text), "{text}");
        }
        for text in ["/p/qq", "/x/p/q", "x/p/q", "/p/q.c", "", "/p/"] {
            assert!(!names(text), "{text}");
        }
        assert!(!names_folder(b"/ /a", Path::new("/")));
    }
}
