//! Lines that include or import other files.

use super::brackets::Brackets;
use super::lines::lines;
use nubbin_edit::Span;

/// Words that begin such a line in some language.
const WORDS: [&str; 25] = [
    "#include",
    "#import",
    "import",
    "from",
    "use",
    "pub use",
    "using",
    "require",
    "require_once",
    "include",
    "include_once",
    "extern crate",
    "@import",
    "open",
    "package",
    "load",
    "source",
    "@use",
    "const",
    "var",
    "local",
    "export",
    "require_relative",
    "mod",
    "pub mod",
];

/// Returns the lines that include or import something, in order. A line with open brackets extends
/// to the end of the line on which they are closed.
///
/// ```
/// use nubbin_view::imports::imports;
///
/// let text = b"use a::{\n  b,\n};\nfn f() {}\n#include <c.h>\n";
/// let found: Vec<&[u8]> = imports(text).into_iter().map(|line| &text[line.range()]).collect();
/// assert_eq!(found, [b"use a::{\n  b,\n};\n".as_slice(), b"#include <c.h>\n"]);
/// ```
pub fn imports(text: &[u8]) -> Vec<Span> {
    let mut found: Vec<Span> = lines(text)
        .filter(|line| brings_in(text.get(line.range()).unwrap_or_default()))
        .collect();
    if !found.is_empty() {
        extend(text, &mut found);
    }
    found.retain(|span| {
        let line = text.get(span.range()).unwrap_or_default();
        !line.trim_ascii_start().starts_with(b"export") || has(line, b" from ")
    });
    found
}

fn brings_in(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let after = |word: &str| {
        let rest = line.strip_prefix(word.as_bytes())?;
        (!rest
            .first()
            .is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_'))
        .then_some(rest)
    };
    if let Some(rest) = line.strip_prefix(b"#") {
        let rest = rest.trim_ascii_start();
        return rest.starts_with(b"include") || rest.starts_with(b"import");
    }
    WORDS
        .iter()
        .filter_map(|word| after(word).map(|rest| (word, rest)))
        .any(|(&word, rest)| match word {
            "from" => has(rest, b"import"),
            "const" | "var" | "local" => has(rest, b"require(") || has(rest, b"require \""),
            // The name must be in quotes, possibly after the brackets.
            "export" => has(rest, b" from ") || rest.ends_with(b"{"),
            "mod" | "pub mod" => rest.ends_with(b";"),
            // These words also name ordinary things, so they count only before a name or a string.
            "open" | "load" | "source" | "include" | "package" | "use" | "require" => {
                matches!(rest, [b' ', next, ..] if !b"=:(.,)".contains(next))
                    || rest.starts_with(b"(\"")
            }
            _ => !rest.is_empty(),
        })
}

fn has(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window == word)
}

/// Extends spans that leave a bracket open to the end of the line where it closes.
fn extend(text: &[u8], found: &mut Vec<Span>) {
    let brackets = Brackets::of(text);
    let mut done = 0;
    found.retain_mut(|span| {
        if span.start < done {
            return false;
        }
        let last = brackets
            .groups()
            .partition_point(|group| group.open < span.end);
        let opened = brackets
            .groups()
            .get(..last)
            .unwrap_or_default()
            .iter()
            .rev();
        let open = opened
            .take_while(|group| group.open >= span.start)
            .map(|group| group.close)
            .max();
        if let Some(close) = open.filter(|&close| close >= span.end) {
            let rest = text.get(close as usize..).unwrap_or_default();
            let line = rest
                .iter()
                .position(|&byte| byte == b'\n')
                .map_or(rest.len(), |at| at + 1);
            span.end = close + line as u32;
        }
        done = span.end;
        true
    });
}
