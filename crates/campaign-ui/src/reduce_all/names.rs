//! Names of files for failures.

use nubbin_campaign::{Identity, Issue};
use std::collections::HashSet;

/// The list of the failures.
pub(super) const FAILURES: &str = "failures.jsonl";
/// The folder of the failures that no file shows.
pub(super) const OTHER: &str = "other";
/// The list of the files.
pub(super) const FILES: &str = "files.jsonl";

/// The maximum number of characters of each part of a file's name.
const LONGEST: usize = 40;

/// Common names of failures, by the words of reports.
const NAMES: [(&str, &str); 12] = [
    ("FPE", "zero-division"),
    ("SIGFPE", "zero-division"),
    ("SEGV", "segfault"),
    ("SIGSEGV", "segfault"),
    ("SIGABRT", "abort"),
    ("ABRT", "abort"),
    ("SIGBUS", "bus-error"),
    ("BUS", "bus-error"),
    ("SIGILL", "illegal-instruction"),
    ("ILL", "illegal-instruction"),
    ("attempting double-free", "double-free"),
    ("SIGTRAP", "trap"),
];

/// Returns the names of the files of failures, in their order:
/// `zero-division-in-parse_product.txt`. Failures with the same name have numbers, so that a later
/// failure never changes an earlier name.
pub(super) fn file_names(issues: &[Issue], extension: Option<&str>) -> Vec<String> {
    numbered(issues.iter().map(|issue| {
        let usual = match std::str::from_utf8(&issue.test) {
            Ok(text) if !text.contains('\0') => "txt",
            _ => "bin",
        };
        (stem(&issue.identity), extension.unwrap_or(usual))
    }))
}

/// Joins names and extensions to names of files, of which no two are equal.
fn numbered<'e>(names: impl Iterator<Item = (String, &'e str)>) -> Vec<String> {
    // Names are compared without case, since some file systems ignore it.
    let mut taken = HashSet::from([FAILURES, FILES].map(str::to_owned));
    let each = names.map(|(stem, extension)| {
        let named = |number: u64| match number {
            1 => format!("{stem}.{extension}"),
            more => format!("{stem}-{more}.{extension}"),
        };
        let mut number = 1;
        while !taken.insert(named(number).to_ascii_lowercase()) {
            number += 1;
        }
        named(number)
    });
    each.collect()
}

fn stem(identity: &Identity) -> String {
    let what = match identity.what.split_once(": ") {
        Some((tool, what)) if tool.ends_with("Sanitizer") => what,
        _ => &identity.what,
    };
    let what = what.strip_prefix("Python ").unwrap_or(what);
    let known = NAMES.iter().find(|(report, _)| *report == what);
    let what = match known {
        Some((_, name)) => (*name).to_owned(),
        None => part(&what.to_ascii_lowercase()),
    };
    let what = match &*identity.kind {
        "assertion" => format!("assertion-{what}"),
        "hang" => "hang".to_owned(),
        _ => what,
    };
    let function = identity.frames.first().map(|frame| part(frame));
    let parts = [Some(what), function].into_iter().flatten();
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    match parts.is_empty() {
        true => "failure".to_owned(),
        false => parts.join("-in-"),
    }
}

/// Returns the letters, digits, and underscores of a text, with hyphens between them.
fn part(text: &str) -> String {
    let mut name = String::new();
    for char in text.chars() {
        match char {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => name.push(char),
            _ if name.is_empty() || name.ends_with('-') => {}
            _ => name.push('-'),
        }
        if name.len() >= LONGEST {
            break;
        }
    }
    name.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(kind: &str, what: &str, frames: &[&str]) -> String {
        let frames = frames.iter().map(|&frame| frame.to_owned()).collect();
        stem(&Identity::new(kind, what, frames))
    }

    #[test]
    fn a_file_has_the_name_that_a_person_would_give() {
        let fpe = named(
            "sanitizer",
            "AddressSanitizer: FPE",
            &["parse_product", "main"],
        );
        assert_eq!(fpe, "zero-division-in-parse_product");
        let free = "AddressSanitizer: attempting double-free";
        assert_eq!(named("sanitizer", free, &["f"]), "double-free-in-f");
        assert_eq!(named("signal", "SIGSEGV", &[]), "segfault");
        assert_eq!(named("exit", "exit code 1", &[]), "exit-code-1");
        let raised = named("exception", "Python ZeroDivisionError", &["<module>"]);
        assert_eq!(raised, "zerodivisionerror-in-module");
        assert_eq!(named("match", "…", &[]), "failure");
    }

    #[test]
    fn no_two_results_have_one_name() {
        let stems = ["e", "e", "e-2", "E", "files", "failures"];
        let names = numbered(stems.iter().map(|stem| ((*stem).to_owned(), "jsonl")));
        let expected = [
            "e.jsonl",
            "e-2.jsonl",
            "e-2-2.jsonl",
            "E-3.jsonl",
            "files-2.jsonl",
            "failures-2.jsonl",
        ];
        assert_eq!(names, expected);
    }
}
