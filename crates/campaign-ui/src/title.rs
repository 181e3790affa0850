//! Titles of issues for people, as trackers of errors have them.

use nubbin_campaign::Issue;
use regex::Regex;
use std::path::Path;
use std::sync::LazyLock;

/// A source file and a line: `a.c:12`, `File "a.py", line 12`.
static PLACE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"([^\s()"':]+\.\w+)"?(?::|, line )(\d+)"#).ok());

/// A line of a source file that a program has named in its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceLine {
    /// The path as the program wrote it.
    pub(crate) path: String,
    /// The number of the line, from 1.
    pub(crate) line: u64,
}

/// Returns the title of an issue: `AddressSanitizer: FPE in parse_product (target.c:29)`.
pub(crate) fn title(issue: &Issue) -> String {
    let identity = &issue.identity;
    let mut title = match &*identity.kind {
        kind @ ("assertion" | "internal error" | "hang") => format!("{kind}: {}", identity.what),
        _ => identity.what.clone(),
    };
    if let Some(frame) = identity.frames.first() {
        title += " in ";
        title += frame;
        if let Some(place) = source_line(&issue.output, frame) {
            let file = Path::new(&place.path).file_name().unwrap_or_default();
            title += &format!(" ({}:{})", file.to_string_lossy(), place.line);
        }
    }
    title
}

/// Returns the line of source at which the output has a function.
pub(crate) fn source_line(output: &[u8], function: &str) -> Option<SourceLine> {
    let output = String::from_utf8_lossy(output);
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let names = |line: &str| {
        line.match_indices(function).any(|(at, _)| {
            !line[..at].ends_with(is_word) && !line[at + function.len()..].starts_with(is_word)
        })
    };
    let line = output.lines().find(|line| names(line))?;
    let found = PLACE.as_ref()?.captures(line)?;
    Some(SourceLine {
        path: found[1].to_owned(),
        line: found[2].parse().ok().filter(|line| *line > 0)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_that_of_the_function() {
        let place = |output: &[u8], function| {
            source_line(output, function).map(|it| format!("{}:{}", it.path, it.line))
        };
        let report = b"    #0 0x55 in parse /src/a.c:12:9\n    #1 0x56 in parse_all /src/b.c:7\n";
        assert_eq!(place(report, "parse").as_deref(), Some("/src/a.c:12"));
        assert_eq!(place(report, "parse_all").as_deref(), Some("/src/b.c:7"));
        assert_eq!(place(report, "pars"), None);
        let traceback = b"  File \"lib/calc.py\", line 29, in product\n";
        let found = place(traceback, "product");
        assert_eq!(found.as_deref(), Some("lib/calc.py:29"));
        assert_eq!(
            place(b"    at f (/app/x.js:3:1)\n", "f").as_deref(),
            Some("/app/x.js:3")
        );
    }
}
