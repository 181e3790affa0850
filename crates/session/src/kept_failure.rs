//! The failure of the original, if the conditions would also accept other failures.

use crate::events::ChangedFailure;
use nubbin_oracle::{CommandOracle, Message, Run, Signature};
use nubbin_reduce::input::Input;
use nubbin_terminal::expression::{pattern, pattern_of_message};
use nubbin_terminal::repeat::quoted;
use std::collections::HashSet;
use std::ffi::OsStr;

/// The length in bytes of the longest value of a message that is compared.
const LONGEST: usize = 64;

/// The failure of the original, if it can be distinguished from other failures and the conditions
/// do not require it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFailure {
    /// The signature, if the outputs have a failure that is known by one. Otherwise the lines that
    /// meet the conditions are compared.
    signature: Option<Signature>,
    /// The lines of the outputs that meet the conditions.
    lines: Vec<Vec<u8>>,
    /// The same lines without what differs between inputs, each with its text: also those of later
    /// matches.
    stable_lines: Vec<(String, String)>,
    /// The words of these lines, and whether each may be one of the input.
    words: Vec<Line>,
    /// Whether the conditions describe another message than that of the signature.
    is_of_other_message: bool,
    is_loose: bool,
    /// Whether the conditions require this failure, whose values may change.
    is_required: bool,
    /// The line that has the message.
    message: String,
    /// The values in quotes in this line, and whether each is in the input. A value that is not in
    /// the input is one of the program, so a result with another value shows another failure.
    values: Vec<(String, bool)>,
    /// The innermost function of the stack and the text that names it, if the failure is only
    /// required without it because the function is in the input.
    function: Option<(String, String)>,
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
        let signature = Signature::of(run).filter(|it| !it.is_general());
        let stable_lines = match signature {
            Some(_) => conditions.stable_lines(run),
            None => conditions.stable_messages(run),
        };
        if signature.is_none() && (stable_lines.is_empty() || is_required) {
            return None;
        }
        let message = message_of(run);
        let values = values(&message).into_iter();
        let values: Vec<_> = values.map(|it| (it.to_owned(), has(input, it))).collect();
        let has_frames = signature.as_ref().is_some_and(|it| !it.frames().is_empty());
        let is_free = is_required && !has_frames;
        let function = innermost(run.stderr()).filter(|(name, _)| is_free && has(input, name));
        if !accepts_others && values.is_empty() && function.is_none() {
            return None;
        }
        Some(KeptFailure {
            words: match signature {
                Some(_) => vec![],
                None => words_of_lines(&stable_lines, input),
            },
            is_loose: accepts_others && signature.is_some() && conditions.is_loose(run),
            signature,
            lines: conditions.lines(run),
            is_of_other_message: is_of_other_message(run, &stable_lines),
            stable_lines,
            is_required,
            message,
            values,
            function,
        })
    }

    /// Returns a message for the start of a run whose failure may move to another function: a
    /// reduction renames and removes the functions of the input.
    pub fn told_of_function(&self) -> Option<String> {
        let (name, text) = self.function.as_ref().filter(|_| self.lines.is_empty())?;
        Some(format!(
            "`--same-failure` lets the failure move to another function, since `{name}` is in the \
             input; `--stderr {}` keeps it there",
            quoted(OsStr::new(&pattern(text)))
        ))
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
                quoted(OsStr::new(&pattern_of_message(&self.message)))
            ));
        }
        let signature = self.signature.as_ref().filter(|_| self.is_loose)?;
        Some(format!(
            "other failures that meet these conditions count as well; `--same-failure` keeps only \
             this one: {signature}"
        ))
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
        let Some(signature) = &self.signature else {
            return self.changed_line(oracle, (input, result));
        };
        let found = Signature::of(result)?;
        // The whole line that the user described is still in the output, perhaps among other
        // messages.
        let lines = oracle.predicate().lines(result);
        let shares_line = self.lines.iter().any(|line| lines.contains(line));
        if shares_line {
            return None;
        }
        if !signature.may_match(&found) {
            // The original may print several messages, and the result the one that the conditions
            // describe.
            let same = self
                .is_of_other_message
                .then(|| self.same_line(oracle, result));
            if let Some((known, same)) = same.flatten() {
                return changed_values(&known, &same, input);
            }
            return Some(ChangedFailure {
                original: signature.to_string(),
                result: found.to_string(),
                values_differ: false,
            });
        }
        if self.is_required && self.values.is_empty() {
            return None;
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

    /// Returns a line of the original and one of the result that meet the conditions, if all lines
    /// of the result say something else: another warning of the same group, or a message without
    /// the value that was in it. Words of the input may differ.
    fn changed_line(
        &self,
        oracle: &CommandOracle,
        (input, result): (&Input, &Run),
    ) -> Option<ChangedFailure> {
        let found = oracle.predicate().stable_messages(result);
        let lines = words_of_lines(&found, input);
        let is_known = |line: &Line| self.words.iter().any(|known| may_be_same(known, line));
        if lines.iter().any(is_known) {
            return None;
        }
        let ((_, original), (_, result)) = (self.stable_lines.first()?, found.first()?);
        Some(ChangedFailure {
            original: original.clone(),
            result: result.clone(),
            values_differ: true,
        })
    }

    /// Returns a line of the original that meets the conditions, and the same line of another run,
    /// in which only what depends on the input may differ.
    fn same_line(&self, oracle: &CommandOracle, run: &Run) -> Option<(String, String)> {
        let found = oracle.predicate().stable_lines(run);
        let pairs = self.stable_lines.iter().flat_map(|(stable, line)| {
            let same = found.iter().filter(move |(other, _)| other == stable);
            same.map(move |(_, other)| (line, other))
        });
        // An equal line is better than one with other values.
        let (line, other) = pairs.max_by_key(|(line, other)| line == other)?;
        Some((line.clone(), other.clone()))
    }
}

/// The words of a line, and whether each may come from the input.
type Line = Vec<(String, bool)>;

fn words_of_lines(lines: &[(String, String)], input: &Input) -> Vec<Line> {
    let is_between = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'_' && *byte < 0x80;
    let of_input: HashSet<&[u8]> = input.bytes().split(is_between).collect();
    let is_free = |word: &str| {
        let mut parts = word
            .as_bytes()
            .split(is_between)
            .filter(|it| !it.is_empty());
        let has_parts = parts.clone().next().is_some();
        word.contains('…') || has_parts && parts.all(|part| of_input.contains(part))
    };
    let line = |(line, _): &(String, String)| -> Line {
        let words = line.split_whitespace();
        words.map(|word| (word.to_owned(), is_free(word))).collect()
    };
    lines.iter().map(line).collect()
}

/// Returns whether two lines have the same words, except for words of their inputs.
fn may_be_same(known: &Line, found: &Line) -> bool {
    let mut pairs = known.iter().zip(found);
    known.len() == found.len()
        && pairs
            .all(|((known, of_input), (found, is_free))| known == found || *of_input && *is_free)
}

/// Returns whether the message of a run's signature is in none of the lines.
fn is_of_other_message(run: &Run, lines: &[(String, String)]) -> bool {
    let is_known = |message: &Message| {
        let text = message.line().trim();
        lines.iter().any(|(_, line)| line == text)
    };
    !lines.is_empty() && Message::of(run).is_some_and(|message| !is_known(&message))
}

/// Returns the change of the values in quotes in a line, if one of them is not of the input.
fn changed_values(known: &str, found: &str, input: &Input) -> Option<ChangedFailure> {
    let (before, after) = (values(known), values(found));
    let is_other = |value: &&str, all: &[&str]| !all.contains(value) && !has(input, value);
    let has_changed = before.iter().any(|value| is_other(value, &after))
        || after.iter().any(|value| is_other(value, &before));
    has_changed.then(|| ChangedFailure {
        original: known.to_owned(),
        result: found.to_owned(),
        values_differ: true,
    })
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

/// Returns the name of the innermost function of a stack that an interpreter has printed, and the
/// text by which the stack names it.
fn innermost(output: &[u8]) -> Option<(String, String)> {
    let output = String::from_utf8_lossy(output);
    let lines: Vec<&str> = output.lines().map(str::trim).collect();
    // Python prints the innermost frame last, and the others first.
    let found = lines.iter().rev().find_map(|line| python(line));
    let found = found.or_else(|| lines.iter().find_map(|line| javascript(line)));
    let (name, text) = found.or_else(|| lines.iter().find_map(|line| ruby(line)))?;
    // A method is in the text of its program without its class.
    let name = name.rsplit(['.', '#']).next()?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && name.len() > 1;
    is_name.then(|| (name.to_owned(), text))
}

/// Reads `File "a.py", line 3, in name`.
fn python(line: &str) -> Option<(&str, String)> {
    let (place, name) = line.rsplit_once(", in ")?;
    let is_frame = place.starts_with("File \"");
    is_frame.then(|| (name, format!("in {name}")))
}

/// Reads `at Class.name (file.js:3:1)`.
fn javascript(line: &str) -> Option<(&str, String)> {
    let (name, place) = line.strip_prefix("at ")?.split_once(" (")?;
    place.ends_with(')').then(|| (name, format!("at {name} ")))
}

/// Reads ``a.rb:3:in `name': message``.
fn ruby(line: &str) -> Option<(&str, String)> {
    let (_, rest) = line.split_once(":in ")?;
    let (name, _) = rest.strip_prefix(['`', '\''])?.split_once('\'')?;
    Some((name, format!("{name}'")))
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
            && (value.contains(char::is_alphabetic) || is_fraction(value));
        if is_plain && (2..=LONGEST).contains(&value.len()) {
            found.push(value);
        }
        rest = &rest[len + 1..];
    }
    found
}

/// Returns whether a value is a number with a fraction. Other numbers in a message are mostly
/// positions.
fn is_fraction(value: &str) -> bool {
    value.contains('.') && value.parse::<f64>().is_ok()
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
    fn the_innermost_function_is_the_last_of_python_and_the_first_of_others() {
        let innermost = |output: &str| innermost(output.as_bytes());
        let python = "Traceback (most recent call last):\n  File \"m.py\", line 9, in <module>\n    \
                      run()\n  File \"h.py\", line 2, in lookup\n    return t[k]\nKeyError: 'x'\n";
        let named = |name: &str, text: &str| Some((name.to_owned(), text.to_owned()));
        assert_eq!(innermost(python), named("lookup", "in lookup"));
        let node = "TypeError: a\n    at Shop.total (/w/shop.js:3:5)\n    at main (/w/m.js:1:1)\n";
        assert_eq!(innermost(node), named("total", "at Shop.total "));
        let ruby = "m.rb:2:in `area': bad (RuntimeError)\n\tfrom m.rb:5:in `<main>'\n";
        assert_eq!(innermost(ruby), named("area", "area'"));
        let outside = "  File \"m.py\", line 9, in <module>\nKeyError: 'x'\n";
        assert_eq!(innermost(outside), None);
        assert_eq!(innermost("error: in here\n"), None);
    }

    #[test]
    fn lines_are_the_same_if_only_words_of_their_inputs_differ() {
        let input = |text: &str| Input::single("a.log", text).unwrap();
        let (known, result) = (input("begin 2e71 at noon\n"), input("begin x\nbegin\n"));
        let is_same = |first: &str, second: &str| {
            let of = |line: &str, input| words_of_lines(&[(line.into(), line.into())], input);
            may_be_same(&of(first, &known)[0], &of(second, &result)[0])
        };
        assert!(is_same("duplicate 2e71: lines N", "duplicate x: lines N"));
        assert!(!is_same("duplicate 2e71: lines N", "duplicate : lines N"));
        assert!(!is_same("duplicate 2e71: lines N", "duplicate x: rows N"));
        let warning = "'…' directive writing N bytes";
        assert!(is_same(warning, warning));
        assert!(!is_same(warning, "null format string"));
    }

    #[test]
    fn values_are_in_quotes_and_are_not_paths_addresses_or_numbers() {
        assert_eq!(values("KeyError: 'zip'"), ["zip"]);
        assert_eq!(values("base 10: '1.5'"), ["1.5"]);
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
