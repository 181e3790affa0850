//! Names in quotes that say which failure a message of an interpreter is about.

use super::report::Report;
use regex::Regex;
use std::sync::LazyLock;

/// Forms of messages about a name of the program. The name is the group of each form.
///
/// A message of a program itself, such as `bad value 'x'`, is about a value, which changes.
const FORMS: [&str; 11] = [
    // JavaScript.
    r"\((?:reading|setting|evaluating) '([^']+)'\)",
    r"Cannot access '([^']+)' before initialization",
    r"Identifier '([^']+)' has already been declared",
    r"The requested module '[^']*' does not provide an export named '([^']+)'",
    // Python.
    r"^name '([^']+)' is not defined",
    r"local variable '([^']+)'",
    r"'([^']+)' object ",
    r"has no attribute '([^']+)'",
    r"cannot import name '([^']+)'",
    r"unexpected keyword argument '([^']+)'",
    // Ruby.
    r"undefined (?:local variable or )?method [`']([^']+)'",
];

static SHAPES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    FORMS
        .iter()
        .filter_map(|form| Regex::new(form).ok())
        .collect()
});

/// Stands for a quote that is kept.
const QUOTE: char = '\u{1}';

/// Returns a message as [`Report::stable`] does, with the names that it is about.
pub(super) fn stable_with_names(report: &Report, said: &str) -> String {
    let mut text = said.to_owned();
    for shape in SHAPES.iter() {
        let names = shape.captures_iter(said).filter_map(|found| found.get(1));
        for name in names.filter(|name| is_name(name.as_str())) {
            // Marks are as long as quotes, so that all places keep their meaning.
            let (from, to) = (name.start() - 1, name.end());
            for at in [from, to] {
                text.replace_range(at..=at, &QUOTE.to_string());
            }
        }
    }
    report.stable(&text).replace(QUOTE, "'")
}

/// Returns whether a text is a name, or names with dots.
fn is_name(text: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || "_$.#?!=".contains(char);
    text.starts_with(|first: char| first.is_alphabetic() || "_$#".contains(first))
        && text.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::super::testing::run;
    use super::*;
    use crate::run::Exit;

    #[test]
    fn names_of_the_program_are_kept_and_values_are_not() {
        let report = Report::of(&run(Exit::Code(1), ""));
        let long = format!("{} (reading 'timeout')", "é".repeat(20));
        for (said, expected) in [
            (
                "Cannot read properties of undefined (reading 'timeout')",
                "Cannot read properties of undefined (reading 'timeout')",
            ),
            (
                "Cannot set properties of null (setting '0')",
                "Cannot set properties of null (setting '…')",
            ),
            (
                "'NoneType' object has no attribute 'split'",
                "'NoneType' object has no attribute 'split'",
            ),
            ("name 'x1' is not defined", "name 'x1' is not defined"),
            (
                "undefined method `size' for nil:NilClass",
                "undefined method 'size' for nil:NilClass",
            ),
            ("bad value 'abc' at 17", "bad value '…' at N"),
            ("Unexpected token '}'", "Unexpected token '…'"),
            (&long, &long),
        ] {
            assert_eq!(stable_with_names(&report, said), expected, "{said}");
        }
    }
}
