//! The conditions on a run, as a caller requires them.

use super::error::{Condition, PredicateError};
use crate::command::TestCommand;
use crate::forkserver::{Coverage, Granularity};
use crate::output::Keep;
use crate::run::Exit;
use crate::signal;
use crate::signature::Signature;
use regex::bytes::{Regex, RegexBuilder};
use std::collections::BTreeSet;

/// The exit code with which a test reports that it cannot decide, like `git bisect run`.
pub const ABSTAIN: i32 = 125;

/// The conditions under which a run shows the failure. All conditions must hold.
///
/// Without conditions, exit code 0 means *fail*, as usual for test scripts of reducers. With a
/// condition on the signal, the output, the time, or another command, and without a condition on
/// the exit code, any exit code is accepted. Exit code 125 means that the test cannot decide,
/// unless it is listed.
///
/// ```
/// use nubbin_oracle::Predicate;
///
/// let predicate = Predicate::new().exit("101,134")?.stderr("panicked at .*lib.rs")?;
/// assert_eq!(
///     predicate.to_string(),
///     "exit code 101 or 134, and stderr matches `panicked at .*lib.rs`",
/// );
/// # Ok::<(), nubbin_oracle::PredicateError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Predicate {
    pub(super) codes: BTreeSet<i32>,
    pub(super) signals: Vec<i32>,
    pub(super) patterns: Vec<Pattern>,
    pub(super) timeout_fails: bool,
    pub(super) differs_from: Option<TestCommand>,
    pub(super) same_failure: Option<Signature>,
    pub(super) same_stack: Option<Signature>,
    pub(super) same_coverage: Option<SameCoverage>,
    pub(super) guard: Option<Guard>,
}

/// A command that every candidate has to pass which meets all other conditions.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    command: TestCommand,
    /// The condition in words.
    pub(super) name: String,
}

/// The coverage that a run must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SameCoverage {
    pub(super) granularity: Granularity,
    /// The coverage of the original, and how it ended; any before that is known.
    pub(super) original: Option<(Coverage, Ended)>,
}

/// Whether a run exited by itself or was killed by a signal, which is the difference that fuzzers
/// make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    ByItself,
    BySignal,
}

impl Ended {
    pub(crate) fn of(exit: Exit) -> Self {
        match exit {
            Exit::Code(_) => Ended::ByItself,
            Exit::Signal(_) => Ended::BySignal,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) stream: Stream,
    pub(super) is_wanted: bool,
    pub(super) regex: Regex,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Stdout,
    Stderr,
}

impl Predicate {
    /// Creates a predicate without conditions: exit code 0 means *fail*.
    pub fn new() -> Self {
        Self::default()
    }

    /// Requires one of the given exit codes (`1,2`). Further calls of this method and of
    /// [`Predicate::signal`] add alternatives.
    ///
    /// # Errors
    /// Returns [`PredicateError::ExitCode`] if the text is not a list of numbers from 0 to 255.
    pub fn exit(mut self, list: &str) -> Result<Self, PredicateError> {
        for text in list.split(',').map(str::trim) {
            let code = text.parse::<u8>();
            let code = code.map_err(|_| PredicateError::ExitCode {
                text: text.to_owned(),
            })?;
            self.codes.insert(code.into());
        }
        Ok(self)
    }

    /// Requires that the run is killed by the given signal: `SEGV`, `SIGSEGV` (any case), or `11`.
    /// The exit code with which a shell reports the signal (128 + number) is accepted as well.
    /// `any` stands for every signal with which a program crashes.
    ///
    /// # Errors
    /// Returns [`PredicateError::Signal`] if there is no such signal.
    pub fn signal(mut self, text: &str) -> Result<Self, PredicateError> {
        if text.trim().eq_ignore_ascii_case("any") {
            self.signals.extend(signal::crashes());
            return Ok(self);
        }
        let unknown = || PredicateError::Signal {
            text: text.to_owned(),
        };
        self.signals.push(signal::number(text).ok_or_else(unknown)?);
        Ok(self)
    }

    /// Requires that standard output matches. `^` and `$` match at the ends of lines.
    ///
    /// # Errors
    /// Returns [`PredicateError::Regex`] if the expression has a syntax error.
    pub fn stdout(self, regex: &str) -> Result<Self, PredicateError> {
        self.pattern(Stream::Stdout, true, regex)
    }

    /// Requires that standard error matches. `^` and `$` match at the ends of lines.
    ///
    /// # Errors
    /// Returns [`PredicateError::Regex`] if the expression has a syntax error.
    pub fn stderr(self, regex: &str) -> Result<Self, PredicateError> {
        self.pattern(Stream::Stderr, true, regex)
    }

    /// Requires that standard output does not match.
    ///
    /// # Errors
    /// Returns [`PredicateError::Regex`] if the expression has a syntax error.
    pub fn not_stdout(self, regex: &str) -> Result<Self, PredicateError> {
        self.pattern(Stream::Stdout, false, regex)
    }

    /// Requires that standard error does not match.
    ///
    /// # Errors
    /// Returns [`PredicateError::Regex`] if the expression has a syntax error.
    pub fn not_stderr(self, regex: &str) -> Result<Self, PredicateError> {
        self.pattern(Stream::Stderr, false, regex)
    }

    /// Requires that the run takes until the time limit.
    pub fn timeout_fails(mut self) -> Self {
        self.timeout_fails = true;
        self
    }

    /// Requires that the exit or standard output differs from another command's on the same
    /// candidate. Each command must give the same exit and output when it is run again. Otherwise
    /// the verdict is *unresolved*
    /// ([`Unresolved::DiffersFromItself`](nubbin_verdict::Unresolved::DiffersFromItself)). If
    /// either command exits with code 126 or 127 (a shell found nothing to run), the verdict is
    /// *unresolved*, unless the code is listed.
    pub fn differs_from(mut self, other: TestCommand) -> Self {
        self.differs_from = Some(other);
        self
    }

    /// Requires that the given command exits with code 0 on each candidate that meets all other
    /// conditions. If the command ends with another exit code, the verdict is *unresolved*
    /// ([`Unresolved::Refused`](nubbin_verdict::Unresolved::Refused)). `name` is the condition in
    /// words, for logs.
    ///
    /// The command may take more time than the test: it only runs on candidates that would be
    /// adopted, and has no adaptive time limit.
    pub fn guarded_by(mut self, command: TestCommand, name: impl Into<String>) -> Self {
        let name = name.into();
        self.guard = Some(Guard { command, name });
        self
    }

    /// Returns the command of [`Predicate::guarded_by`].
    pub fn guard(&self) -> Option<&TestCommand> {
        self.guard.as_ref().map(|guard| &guard.command)
    }

    /// Requires that the run shows the given failure and no other.
    pub fn same_failure(mut self, signature: Signature) -> Self {
        self.same_failure = Some(signature);
        self
    }

    /// Requires that the run crashes with the stack of the given signature. The run is repeated
    /// behind a tracer for that, see [`CommandOracle::with_same_stack`].
    ///
    /// [`CommandOracle::with_same_stack`]: crate::CommandOracle::with_same_stack
    pub(crate) fn same_stack(mut self, signature: Signature) -> Self {
        self.same_stack = Some(signature);
        self
    }

    /// Returns the signature of the stack that the conditions require.
    pub fn stack(&self) -> Option<&Signature> {
        self.same_stack.as_ref()
    }
    /// Requires that the run takes the edges of the original, and is killed by a signal if and only
    /// if the original is. [`CommandOracle::try_persistence`] measures the edges of the original.
    /// Afterwards, runs outside a fork server have no coverage and do not meet the condition.
    ///
    /// [`CommandOracle::try_persistence`]: crate::CommandOracle::try_persistence
    pub fn same_coverage(mut self, granularity: Granularity) -> Self {
        self.same_coverage = Some(SameCoverage {
            granularity,
            original: None,
        });
        self
    }

    /// Returns the conditions with the coverage of the original.
    pub(crate) fn with_coverage(mut self, coverage: Coverage, ended: Ended) -> Self {
        if let Some(wanted) = &mut self.same_coverage {
            wanted.original = Some((coverage, ended));
        }
        self
    }

    /// The coverage that the conditions read.
    pub(crate) fn coverage(&self) -> Option<Granularity> {
        self.same_coverage.map(|wanted| wanted.granularity)
    }

    /// Checks that no two conditions exclude each other.
    ///
    /// # Errors
    /// Returns [`PredicateError::Conflict`] with the first two that exclude each other.
    pub fn check(&self) -> Result<(), PredicateError> {
        let others = [
            (!self.codes.is_empty(), Condition::ExitCode),
            (!self.signals.is_empty(), Condition::Signal),
            (self.differs_from.is_some(), Condition::Difference),
            (self.same_failure.is_some(), Condition::SameFailure),
            (self.same_stack.is_some(), Condition::SameStack),
            (self.same_coverage.is_some(), Condition::SameCoverage),
        ];
        match others
            .into_iter()
            .find(|&(given, _)| given && self.timeout_fails)
        {
            Some((_, other)) => Err(PredicateError::Conflict {
                one: Condition::Timeout,
                other,
            }),
            None => Ok(()),
        }
    }

    /// Returns the text of [`Display`](std::fmt::Display): one line for logs.
    pub fn describe(&self) -> String {
        self.to_string()
    }

    /// Returns whether there are no conditions, so that exit code 0 means *fail*.
    pub fn is_default(&self) -> bool {
        self.codes.is_empty() && self.has_no_other()
    }

    /// Returns the command to compare with.
    pub fn other_command(&self) -> Option<&TestCommand> {
        self.differs_from.as_ref()
    }

    /// Returns the failure to reproduce.
    pub fn signature(&self) -> Option<&Signature> {
        self.same_failure.as_ref()
    }

    /// Returns whether a failure with another [`Signature`] than the original's may meet the
    /// conditions.
    pub fn accepts_others(&self) -> bool {
        let is_other = self.differs_from.is_some() || self.same_coverage.is_some();
        self.same_failure.is_none() && self.same_stack.is_none() && !is_other && !self.timeout_fails
    }

    /// Returns whether the failure is that a run takes until the time limit.
    pub(crate) fn is_about_time(&self) -> bool {
        self.timeout_fails
    }

    pub(crate) fn says_nothing_of_exit(&self) -> bool {
        self.codes.is_empty() && self.signals.is_empty()
    }

    pub(crate) fn with_code(mut self, code: i32) -> Self {
        self.codes.insert(code);
        self
    }

    /// Returns the conditions with the exit of a run as another one.
    pub(crate) fn with_exit(mut self, exit: Exit) -> Self {
        match exit {
            Exit::Code(code) => _ = self.codes.insert(code),
            Exit::Signal(number) => self.signals.push(number),
        }
        self
    }

    pub(crate) fn keep(&self) -> Keep {
        let reads = |stream| self.patterns.iter().any(|pattern| pattern.stream == stream);
        let same = self.same_failure.is_some();
        Keep {
            stdout: same || self.differs_from.is_some() || reads(Stream::Stdout),
            stderr: same || reads(Stream::Stderr),
            written: false,
        }
    }

    /// Returns whether exit code 0, or something in standard output, is a condition.
    pub(crate) fn is_about_the_end(&self) -> bool {
        let reads_stdout = |pattern: &Pattern| pattern.stream == Stream::Stdout;
        self.is_default()
            || self.codes.contains(&0)
            || self.differs_from.is_some()
            || self.patterns.iter().any(reads_stdout)
    }

    /// The expressions that an output has to match.
    pub(crate) fn wanted(&self) -> impl Iterator<Item = &Regex> {
        let wanted = self.patterns.iter().filter(|pattern| pattern.is_wanted);
        wanted.map(|pattern| &pattern.regex)
    }

    /// Returns whether there is no condition on anything but the exit code.
    fn has_no_other(&self) -> bool {
        self.signals.is_empty()
            && self.patterns.is_empty()
            && !self.timeout_fails
            && self.differs_from.is_none()
            && self.same_failure.is_none()
            && self.same_stack.is_none()
            && self.same_coverage.is_none()
    }

    fn pattern(
        mut self,
        stream: Stream,
        is_wanted: bool,
        text: &str,
    ) -> Result<Self, PredicateError> {
        let built = RegexBuilder::new(text).multi_line(true).build();
        let regex = built.map_err(|error| PredicateError::Regex {
            text: text.to_owned(),
            why: why(&error),
            escaped: regex::escape(text),
        })?;
        self.patterns.push(Pattern {
            stream,
            is_wanted,
            regex,
        });
        Ok(self)
    }
}

/// Returns the last line of the error, which has the reason. The other lines show the expression.
fn why(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default().trim();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_conditions_are_errors_with_a_correction() {
        for text in ["", "x", "256", "-1", "1,,2"] {
            assert!(Predicate::new().exit(text).is_err(), "{text}");
        }
        assert!(Predicate::new().signal("").is_err());
        let error = Predicate::new().signal("SIGFOO").unwrap_err();
        assert!(error.to_string().contains("`SIGFOO`"), "{error}");
        let error = Predicate::new().stdout("foo(").unwrap_err();
        let expected = r"`foo(` is not a regular expression: unclosed group; to search for it literally, write `foo\(`";
        assert_eq!(error.to_string(), expected);
    }
}
