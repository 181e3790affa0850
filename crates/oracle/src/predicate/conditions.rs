use super::require::{Pattern, Predicate, Stream};
use crate::run::Run;
use crate::signature::{Report, Signature};
use std::ops::Range;

impl Predicate {
    /// Returns each condition on a run of the main command, in words, and whether it holds.
    pub(crate) fn conditions(&self, run: &Run) -> Vec<(String, bool)> {
        let only = |one: Predicate| one.to_string();
        let mut found = vec![];
        if !self.says_nothing_of_exit() || self.is_default() {
            let ends = Predicate {
                codes: self.codes.clone(),
                signals: self.signals.clone(),
                ..Predicate::new()
            };
            found.push((only(ends), self.exit_holds(run.exit)));
        }
        for pattern in &self.patterns {
            let one = Predicate {
                patterns: vec![pattern.clone()],
                ..Predicate::new()
            };
            let holds = one.patterns_hold(run);
            found.push((only(one), holds));
        }
        if let Some(wanted) = &self.same_failure {
            let holds = Signature::of(run).is_some_and(|seen| wanted.matches(&seen));
            found.push((only(Predicate::new().same_failure(wanted.clone())), holds));
        }
        if let (Some(wanted), Some(_)) = (&self.same_stack, &run.stack) {
            let holds = self.stack_holds(run);
            found.push((only(Predicate::new().same_stack(wanted.clone())), holds));
        }
        if self.timeout_fails {
            // A run that was ended at the time limit is diagnosed as a timeout.
            found.push((only(Predicate::new().timeout_fails()), false));
        }
        found
    }

    /// Returns the lines of a run's outputs with the first match of each expression that must
    /// match.
    pub fn lines(&self, run: &Run) -> Vec<Vec<u8>> {
        let found = self.matched(run);
        found.map(|(line, _)| line.trim_ascii().to_vec()).collect()
    }

    /// Returns the lines of a run's outputs with matches of each expression that must match. Each
    /// line comes without the parts that differ between inputs, and then as it is.
    pub fn stable_lines(&self, run: &Run) -> Vec<(String, String)> {
        self.stable(run, |_| true)
    }

    /// Returns the lines of [`Predicate::stable_lines`] that are on standard error. Lines of
    /// standard output may be data.
    pub fn stable_messages(&self, run: &Run) -> Vec<(String, String)> {
        self.stable(run, |pattern| matches!(pattern.stream, Stream::Stderr))
    }

    fn stable(&self, run: &Run, is_one: impl Fn(&Pattern) -> bool) -> Vec<(String, String)> {
        let report = Report::of(run);
        let wanted = self
            .patterns
            .iter()
            .filter(|pattern| pattern.is_wanted && is_one(pattern));
        let lines = wanted.flat_map(|pattern| {
            let text = pattern.text_of(run);
            let found = pattern.regex.find_iter(text).take(MATCHES);
            found.map(|found| line_around(text, found.range()))
        });
        let mut stable: Vec<(String, String)> = Vec::new();
        for line in lines {
            let line = String::from_utf8_lossy(line.trim_ascii()).into_owned();
            let one = (report.stable(&line), line);
            if !stable.contains(&one) {
                stable.push(one);
            }
        }
        stable
    }

    /// Returns whether the conditions say little about the failure of a run: they require only an
    /// exit, or one word of a longer line. For a script that decides itself, this is unknown and
    /// `false`.
    pub fn is_loose(&self, run: &Run) -> bool {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        let words = |text: &[u8]| {
            text.split(|byte| !is_word(byte))
                .filter(|word| !word.is_empty())
                .count()
        };
        !self.is_default()
            && self
                .matched(run)
                .all(|(line, matched)| words(matched) <= 1 && words(line) > 1)
    }

    /// Returns the first match of each expression that must match, after the line around it.
    fn matched<'r>(&self, run: &'r Run) -> impl Iterator<Item = (&'r [u8], &'r [u8])> {
        let wanted = self.patterns.iter().filter(|pattern| pattern.is_wanted);
        wanted.filter_map(move |pattern: &Pattern| {
            let text = pattern.text_of(run);
            let found = pattern.regex.find(text)?;
            Some((line_around(text, found.range()), found.as_bytes()))
        })
    }
}

impl Pattern {
    fn text_of<'r>(&self, run: &'r Run) -> &'r [u8] {
        match self.stream {
            Stream::Stdout => run.stdout(),
            Stream::Stderr => run.stderr(),
        }
    }
}

/// The number of matches of an expression that are looked at.
const MATCHES: usize = 100;

/// Returns the line, or the lines, that have a part of a text.
fn line_around(text: &[u8], part: Range<usize>) -> &[u8] {
    let is_end = |byte: &u8| *byte == b'\n';
    let start = text[..part.start].iter().rposition(is_end);
    let start = start.map_or(0, |at| at + 1);
    let rest = &text[part.end..];
    let end = rest.iter().position(is_end).unwrap_or(rest.len());
    &text[start..part.end + end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Exit;

    #[test]
    fn each_condition_is_judged_by_itself() {
        let run = Run {
            stdout: Some(b"one".to_vec()),
            stderr: Some(b"two".to_vec()),
            exit: Exit::Code(3),
            ..Run::refused(0)
        };
        let predicate = Predicate::new().exit("3,4").unwrap().stdout("two").unwrap();
        let predicate = predicate.not_stderr("one").unwrap().timeout_fails();
        let conditions = predicate.conditions(&run);
        let found: Vec<(&str, bool)> = conditions
            .iter()
            .map(|(words, holds)| (words.as_str(), *holds))
            .collect();
        assert_eq!(
            found,
            [
                ("exit code 3 or 4", true),
                ("stdout matches `two`", false),
                ("stderr does not match `one`", true),
                ("it runs until the time limit", false),
            ]
        );
        assert_eq!(
            Predicate::new().conditions(&run),
            [("exit code 0".to_owned(), false)]
        );
    }
    fn printed(stderr: &str) -> Run {
        Run {
            stderr: Some(stderr.as_bytes().to_vec()),
            ..Run::refused(1)
        }
    }

    #[test]
    fn one_word_of_a_line_says_little() {
        let run = printed("Traceback:\n  File\nKeyError: 'price'\n");
        for (expression, is_loose) in [
            ("KeyError", true),
            ("^KeyErr", true),
            ("KeyError: 'price'", false),
            ("Traceback", false),
        ] {
            let predicate = Predicate::new().stderr(expression).unwrap();
            assert_eq!(predicate.is_loose(&run), is_loose, "{expression}");
        }
        assert!(Predicate::new().exit("1").unwrap().is_loose(&run));
        assert!(!Predicate::new().is_loose(&run));
        let both = Predicate::new().stderr("KeyError").unwrap();
        let both = both.stderr("KeyError: 'p").unwrap();
        assert!(!both.is_loose(&run));
        assert_eq!(both.lines(&run), [b"KeyError: 'price'"; 2]);
    }
}
