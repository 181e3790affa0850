//! Texts that a program prints for all of its failures, such as instructions for a bug report.

use regex::Regex;
use std::sync::LazyLock;

/// Beginnings of advice in a message. The rest of the line belongs to it.
const ADVICE: &[&str] = &[
    r"\bplease\b",
    r"\bsee\s+(?:the|our|<|http|file)\S*",
    r"https?://",
    r"\bto report\b",
    r"\breport (?:this|it|a bug|the bug)\b",
    r"\bfile an? (?:bug|issue|crash)",
    r"\bsubmit an?\b",
    r"\bwe would appreciate\b",
    r"\bbug reports?\b",
    r"\bfor (?:(?:more|further) )?(?:information|details|instructions)\b",
    r"\brun(?:ning)? with\b",
    r"\brerun\b",
    r"\bset rust_backtrace\b",
    r"\byou(?: may)? have (?:found|encountered|discovered)\b",
    r"\b(?:this|it) is (?:(?:probably|(?:most )?likely|(?:almost )?certainly) )?an? (?:\S+ )?(?:bug|error|failure)\b",
    r"\bthis (?:should|must) (?:not|never)\b",
    r"\bthe compiler unexpectedly panicked\b",
];

static SHAPE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"(?i)(?:--\s*)?(?:{})", ADVICE.join("|"))).ok());

/// Words of messages that say only that there is a failure.
const GENERAL: &[&str] = &[
    "a",
    "an",
    "the",
    "in",
    "of",
    "has",
    "have",
    "was",
    "is",
    "been",
    "there",
    "and",
    "with",
    "to",
    "for",
    "at",
    "on",
    "by",
    "this",
    "error",
    "errors",
    "internal",
    "compiler",
    "fatal",
    "failure",
    "failed",
    "failures",
    "unexpected",
    "unexpectedly",
    "panic",
    "panicked",
    "panicking",
    "crash",
    "crashed",
    "exception",
    "unhandled",
    "uncaught",
    "occurred",
    "happened",
    "encountered",
    "problem",
    "something",
    "went",
    "wrong",
    "oops",
    "bug",
    "n",
    "input",
    "unknown",
    "condition",
    "program",
    "process",
    "aborted",
    "abort",
    "aborting",
    "terminated",
    "terminating",
    "signal",
    "command",
    "exited",
    "exit",
    "code",
    "status",
    "returned",
    "due",
    "previous",
    "generated",
    "found",
    "segmentation",
    "fault",
    "bus",
    "illegal",
    "instruction",
    "while",
    "during",
    "compilation",
    "compiling",
    "could",
    "not",
    "compile",
];

/// Returns the text without advice at its end.
pub(super) fn without_advice(text: &str) -> &str {
    let advice = SHAPE.as_ref().and_then(|shape| shape.find(text));
    let text = advice.map_or(text, |advice| &text[..advice.start()]);
    text.trim_end_matches([' ', '\t', '-', ':', ',', ';', '(', '.', '!'])
}

/// Returns whether a text says more than that a failure occurred.
pub(super) fn is_telling(text: &str) -> bool {
    let words = without_advice(text).split(|char: char| !char.is_alphanumeric() && char != '_');
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .any(|word| !GENERAL.contains(&&*word) && !word.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_and_general_words_tell_nothing() {
        for text in [
            "",
            "-- Please try using mypy master on GitHub:",
            "unexpected panic",
            "unexpected error, please report this as a bug",
            "Segmentation fault",
            "This is a bug. See <http://bugs.example> for instructions.",
            "An unhandled exception occurred: this is likely a bug in the tool",
            "Oops! Something went wrong! :(",
            "aborting due to 2 previous errors",
        ] {
            assert!(!is_telling(text), "{text}");
        }
        for text in [
            "in vect_transform_stmt, at tree-vect-stmts.cc:11310",
            "'…': panic during lower",
            "tree check: expected class",
            "verify_gimple failed",
            "no type for `x`; please report this",
        ] {
            assert!(is_telling(text), "{text}");
        }
    }
}
