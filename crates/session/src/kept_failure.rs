//! The failure of the original, if the conditions would also accept other failures.

use crate::events::ChangedFailure;
use nubbin_oracle::{CommandOracle, Message, Run, Signature};
use nubbin_reduce::input::Input;
use nubbin_terminal::repeat::quoted;
use std::ffi::OsStr;

/// The length in bytes of the longest value of a message that is compared.
const LONGEST: usize = 64;

/// The failure of the original, if it can be distinguished from other failures and the conditions
/// do not require it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFailure {
    signature: Signature,
    /// The lines of the outputs that meet the conditions.
    lines: Vec<Vec<u8>>,
    is_loose: bool,
    /// Whether the conditions require this failure, whose values may change.
    is_required: bool,
    /// The line that has the message.
    message: String,
    /// The values in quotes in this line, and whether each is in the input. A value that is not in
    /// the input is one of the program, so a result with another value shows another failure.
    values: Vec<(String, bool)>,
}

impl KeptFailure {
    /// Returns the failure of the original's run; `None` if no other failure meets the conditions,
    /// or if nothing distinguishes this failure from others. `is_required` says whether the oracle
    /// will require the failure: then only values in its message may change.
    pub fn of(oracle: &CommandOracle, run: &Run, input: &Input, is_required: bool) -> Option<Self> {
        let conditions = oracle.predicate();
        let accepts_others = conditions.accepts_others() && oracle.judge_run(run).is_fail();
        if !accepts_others && !is_required {
            return None;
        }
        let signature = Signature::of(run).filter(|it| !it.is_general())?;
        let message = message_of(run);
        let values = values(&message).into_iter();
        let values: Vec<_> = values.map(|it| (it.to_owned(), has(input, it))).collect();
        if !accepts_others && values.is_empty() {
            return None;
        }
        Some(KeptFailure {
            signature,
            lines: conditions.lines(run),
            is_loose: accepts_others && conditions.is_loose(run),
            is_required,
            message,
            values,
        })
    }

    /// Returns a message for the start of a run if many other failures would meet the conditions,
    /// or if values in the message may change.
    pub fn told_at_start(&self) -> Option<String> {
        if self.is_required && self.lines.is_empty() && !self.values.is_empty() {
            let values = self.values.iter().map(|(value, _)| format!("`{value}`"));
            let values: Vec<String> = values.collect();
            return Some(format!(
                "`--same-failure` lets values in the message change: {}; `--stderr {}` keeps them",
                values.join(", "),
                quoted(OsStr::new(&pattern(&self.message)))
            ));
        }
        self.is_loose.then(|| {
            format!(
                "other failures that meet these conditions count as well; `--same-failure` keeps \
                 only this one: {}",
                self.signature
            )
        })
    }

    /// Returns the failures of the original and of the result if they differ. Both the old and the
    /// new failure meet the conditions.
    pub fn changed(
        &self,
        oracle: &CommandOracle,
        (input, result): (&Input, &Run),
    ) -> Option<ChangedFailure> {
        if !oracle.judge_run(result).is_fail() {
            return None;
        }
        let found = Signature::of(result)?;
        // The whole line that the user described is still in the output, perhaps among other
        // messages.
        let lines = oracle.predicate().lines(result);
        let shares_line = self.lines.iter().any(|line| lines.contains(line));
        if shares_line {
            return None;
        }
        if !self.signature.may_match(&found) {
            return Some(ChangedFailure {
                original: self.signature.to_string(),
                result: found.to_string(),
                values_differ: false,
            });
        }
        // The lines before the message may quote the source of the program.
        let message = message_of(result);
        let found = values(&message);
        let is_lost = |(value, is_in): &(String, bool)| !is_in && !found.contains(&value.as_str());
        let is_known = |value: &str| self.values.iter().any(|(known, _)| known == value);
        let is_new = |value: &&str| !is_known(value) && !has(input, value);
        let has_lost = !found.is_empty() && self.values.iter().any(is_lost);
        let has_changed = has_lost || found.iter().any(is_new);
        has_changed.then(|| ChangedFailure {
            original: self.message.clone(),
            result: message,
            values_differ: true,
        })
    }
}

/// Returns a regular expression that matches a text.
fn pattern(text: &str) -> String {
    let is_special = |char: char| "\\.+*?()|[]{}^$".contains(char);
    let escaped = |char: char| is_special(char).then_some('\\').into_iter().chain([char]);
    text.chars().flat_map(escaped).collect()
}

/// Returns the line of an uncaught exception, or else the last line of standard error that is not
/// blank. Node prints the stack and its version below the message.
fn message_of(run: &Run) -> String {
    if let Some(line) = Message::of_exception(run) {
        return line.trim().to_owned();
    }
    let output = String::from_utf8_lossy(run.stderr());
    let line = output.lines().rev().find(|line| !line.trim().is_empty());
    line.unwrap_or_default().trim().to_owned()
}

/// Returns the values in quotes in a message, without paths, addresses, and numbers: these may
/// differ between runs.
fn values(message: &str) -> Vec<&str> {
    let mut found = vec![];
    let mut rest = message;
    while let Some((start, quote)) = rest.match_indices(['\'', '"', '`']).next() {
        rest = &rest[start + 1..];
        let end = if quote == "`" { &['`', '\''][..] } else { &[] };
        let closes = |c: char| end.contains(&c) || quote.starts_with(c);
        let Some(len) = rest.find(closes) else { break };
        let value = &rest[..len];
        let is_plain = !value.contains(['/', '\\'])
            && !value.contains("0x")
            && value.contains(char::is_alphabetic);
        if is_plain && (2..=LONGEST).contains(&value.len()) {
            found.push(value);
        }
        rest = &rest[len + 1..];
    }
    found
}

/// Returns whether a value is in an input.
fn has(input: &Input, value: &str) -> bool {
    let mut parts = input.bytes().windows(value.len().max(1));
    parts.any(|part| part == value.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_no_character_with_a_meaning() {
        assert_eq!(pattern("KeyError: 'a.b' (x)"), "KeyError: 'a\\.b' \\(x\\)");
    }

    #[test]
    fn values_are_in_quotes_and_are_not_paths_addresses_or_numbers() {
        assert_eq!(values("KeyError: 'zip'"), ["zip"]);
        assert_eq!(values("no `first name' in \"a b\""), ["first name", "a b"]);
        let none = [
            "can't",
            "<f at '0x7f12'>",
            "open '/tmp/x/y'",
            "'a'",
            "''",
            "'12'",
        ];
        for message in none {
            assert!(values(message).is_empty(), "{message}");
        }
    }
}
