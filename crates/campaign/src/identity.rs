use nubbin_oracle::{Signature, frames_match};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The identity of an issue, which distinguishes it from other issues of its program.
///
/// It is the failure signature, without the line numbers of an assertion, and is compared in the
/// same way: the kind and the text must be equal, and the stacks must agree near their top.
///
/// ```
/// use nubbin_campaign::Identity;
///
/// let found = Identity::new("assertion", "`n > 0` at list.c:41", vec![]);
/// assert_eq!(found.to_string(), "assertion: `n > 0` at list.c");
/// assert!(found.matches(&Identity::new("assertion", "`n > 0` at list.c:57", vec![])));
/// assert!(!found.matches(&Identity::new("assertion", "`n > 1` at list.c:41", vec![])));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Identity {
    /// The kind of the failure: `assertion`, `sanitizer`, `hang`, …
    pub kind: String,
    /// The message of the failure.
    pub what: String,
    /// The functions on the stack, innermost first.
    pub frames: Vec<String>,
}

impl Identity {
    /// Creates the identity of a failure.
    ///
    /// A line number at the end of an assertion, or of a report of undefined behavior, is left out:
    /// the expression and the file are enough, and the number changes with every change of the
    /// program.
    pub fn new(kind: &str, what: &str, frames: Vec<String>) -> Self {
        let what = match kind {
            "assertion" | "sanitizer" => without_line(what),
            _ => what,
        };
        Identity {
            kind: kind.to_owned(),
            what: what.to_owned(),
            frames,
        }
    }

    /// Returns whether both identities are the same failure in one build of a program.
    pub fn matches(&self, other: &Identity) -> bool {
        self.kind == other.kind
            && self.what == other.what
            && frames_match(&self.frames, &other.frames)
    }

    /// Returns whether both identities are the same failure in different builds of a program. Line
    /// numbers are ignored.
    ///
    /// ```
    /// # use nubbin_campaign::Identity;
    /// let before = Identity::new("panic", "panicked at lex.rs:12: no token", vec![]);
    /// let after = Identity::new("panic", "panicked at lex.rs:19: no token", vec![]);
    /// assert!(!before.matches(&after));
    /// assert!(before.matches_other_build(&after));
    /// ```
    pub fn matches_other_build(&self, other: &Identity) -> bool {
        self.kind == other.kind
            && without_numbers(&self.what) == without_numbers(&other.what)
            && frames_match(&self.frames, &other.frames)
    }

    /// Returns the name of the cluster of this failure. A cluster has the failures of one kind with
    /// the same innermost function, or, without a stack, with the same text.
    ///
    /// A bug with several symptoms, such as a wrong pointer, has several identities in one cluster.
    pub fn cluster(&self) -> String {
        match self.frames.first() {
            Some(frame) => format!("{} in {frame}", self.kind),
            None => format!("{}: {}", self.kind, without_numbers(&self.what)),
        }
    }
}

impl From<&Signature> for Identity {
    fn from(signature: &Signature) -> Self {
        let kind = signature.kind().to_string();
        Identity::new(&kind, signature.what(), signature.frames().to_vec())
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.what)?;
        let mut prefix = " in ";
        self.frames.iter().try_for_each(|frame| {
            let written = write!(f, "{prefix}{frame}");
            prefix = " < ";
            written
        })
    }
}

/// Returns the text without `:NUMBER` at its end.
fn without_line(text: &str) -> &str {
    let bare = text.trim_end_matches(|char: char| char.is_ascii_digit());
    match bare.strip_suffix(':') {
        Some(before) if bare.len() < text.len() => before,
        _ => text,
    }
}

/// Returns the text with one `N` for each number.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '0'..='9' if out.ends_with('N') => {}
            '0'..='9' => out.push('N'),
            _ => out.push(char),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_panics_count_within_a_build() {
        let at = |line: u32| Identity::new("panic", &format!("panicked at a.rs:{line}: x"), vec![]);
        assert!(at(1).matches(&at(1)));
        assert!(!at(1).matches(&at(22)));
        assert!(at(1).matches_other_build(&at(22)));
    }

    #[test]
    fn stacks_that_differ_below_the_top_are_one_failure() {
        let with = |frames: &[&str]| {
            let frames = frames.iter().map(|&frame| frame.to_owned()).collect();
            Identity::new("sanitizer", "AddressSanitizer: SEGV", frames)
        };
        assert!(with(&["f", "g", "main"]).matches(&with(&["f", "g", "other"])));
        assert!(!with(&["f", "g"]).matches(&with(&["h", "g"])));
        assert_eq!(with(&["f", "g"]).cluster(), with(&["f"]).cluster());
    }

    #[test]
    fn only_a_number_after_a_colon_is_a_line() {
        assert_eq!(without_line("`x` at a.c:12"), "`x` at a.c");
        assert_eq!(without_line("`x == 12"), "`x == 12");
        assert_eq!(without_line("`x`:"), "`x`:");
    }
}
