//! Parts of paths and of the names of modules in a text.

use nubbin_view::lines::lines;
use nubbin_view::tokens::is_word_byte;
use std::ops::Range;

/// Returns the ranges in which a word occurs by itself.
pub(super) fn places<'a>(
    text: &'a [u8],
    word: &'a [u8],
) -> impl Iterator<Item = Range<usize>> + 'a {
    let first = word.first().copied();
    let starts = (0..text.len()).filter(move |&at| Some(text[at]) == first);
    starts.filter_map(move |start| {
        let end = start + word.len();
        let is_whole = text.get(start..end)? == word
            && !text[..start].last().copied().is_some_and(is_word_byte)
            && !text.get(end).copied().is_some_and(is_word_byte);
        is_whole.then_some(start..end)
    })
}

/// Returns the ranges to remove so that no path in a text leads through a folder with one of the
/// given names: the name with a separator, as in `lib/a.h`, `lib::a`, `lib.a`, and `./lib`.
pub(super) fn without_folders(text: &[u8], folders: &[&str]) -> Vec<Range<usize>> {
    let mut gone = vec![];
    for folder in folders {
        for place in places(text, folder.as_bytes()) {
            gone.extend(with_separator(text, place));
        }
    }
    for line in lines(text) {
        let start = line.start as usize;
        if let Some((within, is_all)) = from_import(&text[line.range()], folders) {
            let within = within.start + start..within.end + start;
            gone.retain(|place| place.end <= within.start || place.start >= within.end);
            match is_all {
                true => gone.push(within),
                false => gone.extend(parts(text, within, folders)),
            }
        }
    }
    gone
}

/// Returns the name of a folder with the separator after it or, at the end of a path, before it.
fn with_separator(text: &[u8], name: Range<usize>) -> Option<Range<usize>> {
    let behind = &text[name.end..];
    let is_word = |at: usize| behind.get(at).copied().is_some_and(is_word_byte);
    match behind {
        [b'/' | b'\\', ..] => Some(name.start..name.end + 1),
        [b':', b':', ..] => Some(name.start..name.end + 2),
        [b'.', ..] if is_word(1) => Some(name.start..name.end + 1),
        _ if text[..name.start].ends_with(b"/") => Some(name.start - 1..name.end),
        _ => None,
    }
}

/// Returns the range of the name of a package in `from PACKAGE import`, and whether all parts of
/// the name are folders. In that case, the range covers `from PACKAGE`.
fn from_import(line: &[u8], folders: &[&str]) -> Option<(Range<usize>, bool)> {
    let indent = line.len() - line.trim_ascii_start().len();
    let name = indent + b"from ".len();
    let rest = line[indent..].strip_prefix(b"from ")?;
    let len = rest.iter().position(|&byte| byte == b' ')?;
    if !rest[len + 1..].starts_with(b"import ") {
        return None;
    }
    let mut parts = rest[..len].split(|&byte| byte == b'.');
    let is_all = parts.all(|part| folders.iter().any(|folder| folder.as_bytes() == part));
    Some(match is_all {
        true => (indent..name + len + 1, true),
        false => (name..name + len, false),
    })
}

/// Returns the parts of the name of a package that are folders, each with the dot after it or
/// before it. Dots at the beginning are kept.
fn parts(text: &[u8], name: Range<usize>, folders: &[&str]) -> Vec<Range<usize>> {
    let mut gone = vec![];
    let mut start = name.start;
    for part in text[name.clone()].split(|&byte| byte == b'.') {
        let end = start + part.len();
        if folders.iter().any(|folder| folder.as_bytes() == part) {
            gone.push(
                match text[name.start..start].iter().any(|&byte| byte != b'.') {
                    true => start - 1..end,
                    false => start..(end + 1).min(name.end),
                },
            );
        }
        start = end + 1;
    }
    gone
}

/// Returns the steps up, `../`, that lead out of a folder `depth` folders above the text's own, one
/// per path.
pub(super) fn steps_up(text: &[u8], depth: usize) -> Vec<Range<usize>> {
    const UP: &[u8] = b"../";
    let mut found = vec![];
    let mut at = 0;
    while let Some(next) = text[at..].windows(UP.len()).position(|part| part == UP) {
        let start = at + next;
        at = start;
        while text[at..].starts_with(UP) {
            at += UP.len();
        }
        if (at - start) / UP.len() > depth {
            found.push(start..start + UP.len());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(text: &str, folders: &[&str]) -> String {
        let mut gone = without_folders(text.as_bytes(), folders);
        gone.sort_by_key(|place| place.start);
        let mut left = text.to_owned();
        for place in gone.into_iter().rev() {
            left.replace_range(place, "");
        }
        left
    }

    #[test]
    fn a_folder_goes_from_the_paths_of_many_languages() {
        for (text, left) in [
            ("#include \"../lib/a.h\"", "#include \"../a.h\""),
            ("-I./lib -Ilib", "-I. -Ilib"),
            ("import lib.a\nlib.a.f()", "import a\na.f()"),
            ("use crate::lib::a;", "use crate::a;"),
            ("from lib import a\n", "import a\n"),
            ("    from .lib import a", "    from . import a"),
            ("from x.lib import a", "from x import a"),
            ("from lib.x import a", "from x import a"),
            ("from x.lib.y import a", "from x.y import a"),
            (
                "mylib/a lib_/a lib = 1; lib.",
                "mylib/a lib_/a lib = 1; lib.",
            ),
        ] {
            assert_eq!(without(text, &["lib"]), left);
        }
        assert_eq!(without("from a.b import c", &["a", "b"]), "import c");
        assert_eq!(without("a/b/c.h", &["a", "b"]), "c.h");
    }

    #[test]
    fn a_step_up_is_found_where_it_leads_far_enough() {
        let text = b"../a ../../b x/../../c";
        assert_eq!(steps_up(text, 0), [0..3, 5..8, 15..18]);
        assert_eq!(steps_up(text, 1), [5..8, 15..18]);
        assert!(steps_up(b"..", 0).is_empty());
    }

    #[test]
    fn a_word_is_found_by_itself() {
        let found: Vec<_> = places(b"a ab a.b _a a", b"a").collect();
        assert_eq!(found, [0..1, 5..6, 12..13]);
        assert_eq!(places(b"a", b"").count(), 0);
    }
}
