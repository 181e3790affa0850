mod conditions;

use crate::command::TestCommand;
use crate::forkserver::{Coverage, Granularity};
use crate::output::Keep;
use crate::run::{Exit, Run};
use crate::signal;
use crate::signature::Signature;
use nubbin_verdict::{Unresolved, Verdict};
use regex::bytes::{Regex, RegexBuilder};
use std::collections::BTreeSet;
use std::fmt;

/// The exit code with which a test reports that it cannot decide, like `git bisect run`.
pub const ABSTAIN: i32 = 125;

/// The reason why a predicate cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PredicateError {
    /// The text is not a list of exit codes.
    #[error("`{text}` is not an exit code: write numbers from 0 to 255, such as `1` or `1,2,101`")]
    ExitCode {
        /// The text that was given.
        text: String,
    },
    /// There is no signal of this name or number.
    #[error("unknown signal `{text}`: write a name or number, such as `SEGV`, `SIGABRT`, or `11`")]
    Signal {
        /// The text that was given.
        text: String,
    },
    /// The regular expression has a syntax error.
    #[error(
        "`{text}` is not a regular expression: {why}; to search for it literally, write \
         `{escaped}`"
    )]
    Regex {
        /// The text that was given.
        text: String,
        /// The error in the expression.
        why: String,
        /// The text with a backslash before each special character.
        escaped: String,
    },
    /// No run can meet both conditions.
    #[error("no run can meet two of the conditions: {one} and {other}")]
    Conflict {
        /// The first condition.
        one: Condition,
        /// The second condition.
        other: Condition,
    },
    /// The run whose failure should be reproduced shows no failure.
    #[error(
        "the run shows no failure to reproduce: it ended with {exit} and printed no known error \
         message"
    )]
    NoFailure {
        /// The exit of the run.
        exit: Exit,
    },
    /// The run whose stack should be reproduced shows none.
    #[error(
        "the run shows no stack to compare: it ended with {exit}, and no process of it crashed in \
         a function of its own"
    )]
    NoStack {
        /// The exit of the run.
        exit: Exit,
    },
    /// The run whose failure should be reproduced was stopped early.
    #[error("the failure cannot be recognized, because its run was stopped early: {reason}")]
    CutShort {
        /// The reason why the run was stopped early.
        reason: Unresolved,
    },
}

/// A kind of condition on a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The run ends with one of the given exit codes.
    ExitCode,
    /// The run ends by a given signal.
    Signal,
    /// The run takes until the time limit.
    Timeout,
    /// The run differs from the run of another command.
    Difference,
    /// The run shows a given failure.
    SameFailure,
    /// The run crashes with a given stack.
    SameStack,
    /// The run has the coverage of the original.
    SameCoverage,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Condition::ExitCode => "an exit code",
            Condition::Signal => "a signal",
            Condition::Timeout => "running until the time limit",
            Condition::Difference => "a difference from another command",
            Condition::SameFailure => "the same failure",
            Condition::SameStack => "the same stack",
            Condition::SameCoverage => "the same coverage",
        })
    }
}

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
    codes: BTreeSet<i32>,
    signals: Vec<i32>,
    patterns: Vec<Pattern>,
    timeout_fails: bool,
    differs_from: Option<TestCommand>,
    same_failure: Option<Signature>,
    same_stack: Option<Signature>,
    same_coverage: Option<SameCoverage>,
    guard: Option<Guard>,
}

/// A command that every candidate has to pass which meets all other conditions.
#[derive(Clone, Debug)]
struct Guard {
    command: TestCommand,
    /// The condition in words.
    name: String,
}

/// The coverage that a run must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SameCoverage {
    granularity: Granularity,
    /// The coverage of the original, and how it ended; any before that is known.
    original: Option<(Coverage, Ended)>,
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
struct Pattern {
    stream: Stream,
    is_wanted: bool,
    regex: Regex,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stream {
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
    /// the verdict is *unresolved* ([`Unresolved::DiffersFromItself`]). If either command exits
    /// with code 126 or 127 (a shell found nothing to run), the verdict is *unresolved*, unless the
    /// code is listed.
    pub fn differs_from(mut self, other: TestCommand) -> Self {
        self.differs_from = Some(other);
        self
    }

    /// Requires that the given command exits with code 0 on each candidate that meets all other
    /// conditions. If the command ends with another exit code, the verdict is *unresolved*
    /// ([`Unresolved::Refused`]). `name` is the condition in words, for logs.
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

    /// Returns the verdict on a run under a tracer. Without the tracer, the candidate has met all
    /// other conditions.
    pub(crate) fn judge_stack(&self, traced: &Run) -> Verdict {
        match &traced.cut_short {
            Some(reason) => Verdict::Unresolved(reason.clone()),
            None => fail_if(self.stack_holds(traced)),
        }
    }

    fn stack_holds(&self, traced: &Run) -> bool {
        self.same_stack.as_ref().is_none_or(|wanted| {
            let found = traced.stack.as_ref().and_then(Signature::of_stack);
            found.is_some_and(|found| wanted.matches(&found))
        })
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

    /// Returns the text of [`fmt::Display`]: one line for logs.
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

    /// Returns the verdict of a run of the main command, without the other command.
    pub(crate) fn judge(&self, run: &Run) -> Verdict {
        match &run.cut_short {
            Some(Unresolved::TimedOut(_)) if self.timeout_fails => {
                return fail_if(self.patterns_hold(run));
            }
            Some(reason) => return Verdict::Unresolved(reason.clone()),
            None => {}
        }
        if self.abstains(run) {
            return Verdict::Unresolved(Unresolved::Abstained);
        }
        let same = || {
            self.same_failure
                .as_ref()
                .is_none_or(|wanted| Signature::of(run).is_some_and(|found| wanted.matches(&found)))
        };
        fail_if(
            !self.timeout_fails
                && self.exit_holds(run.exit)
                && self.coverage_holds(run)
                && self.patterns_hold(run)
                && same(),
        )
    }

    fn coverage_holds(&self, run: &Run) -> bool {
        let original = self.same_coverage.and_then(|wanted| wanted.original);
        original.is_none_or(|(coverage, ended)| {
            run.coverage == Some(coverage) && Ended::of(run.exit) == ended
        })
    }

    /// Returns the verdict on the runs of both commands, if the verdict on the main command alone
    /// is *fail*.
    pub(crate) fn compare(&self, main: &Run, other: &Run) -> Verdict {
        if let Some(reason) = &other.cut_short {
            return Verdict::Unresolved(reason.clone());
        }
        // A missing command would differ from every other one.
        let is_lost = self.abstains(other) || self.could_not_run(main) || self.could_not_run(other);
        if is_lost {
            return Verdict::Unresolved(Unresolved::Abstained);
        }
        fail_if(!has_same_result(main, other))
    }

    /// Returns whether a repeated run of a compared command has the result of the earlier run.
    /// Otherwise, a difference from the other command says nothing.
    pub(crate) fn is_repeated(&self, earlier: &Run, again: &Run) -> bool {
        again.cut_short.is_none() && has_same_result(earlier, again)
    }

    fn abstains(&self, run: &Run) -> bool {
        run.exit == Exit::Code(ABSTAIN) && !self.codes.contains(&ABSTAIN)
    }

    /// Returns whether the exit code is one with which a shell reports that it found nothing to
    /// run.
    pub fn could_not_run(&self, run: &Run) -> bool {
        let is_report = |code| [126, 127].contains(&code) && !self.codes.contains(&code);
        run.exit.code().is_some_and(is_report)
    }

    fn exit_holds(&self, exit: Exit) -> bool {
        if self.says_nothing_of_exit() {
            return !self.is_default() || exit == Exit::Code(0);
        }
        exit.code().is_some_and(|code| self.codes.contains(&code))
            || self.signals.iter().any(|&number| exit.is_signal(number))
    }

    /// The expressions that an output has to match.
    pub(crate) fn wanted(&self) -> impl Iterator<Item = &Regex> {
        let wanted = self.patterns.iter().filter(|pattern| pattern.is_wanted);
        wanted.map(|pattern| &pattern.regex)
    }

    fn patterns_hold(&self, run: &Run) -> bool {
        self.patterns.iter().all(|pattern| {
            let text = match pattern.stream {
                Stream::Stdout => run.stdout(),
                Stream::Stderr => run.stderr(),
            };
            pattern.regex.is_match(text) == pattern.is_wanted
        })
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

/// Returns whether two runs have the same exit and the same standard output.
fn has_same_result(one: &Run, other: &Run) -> bool {
    one.exit == other.exit && one.stdout() == other.stdout()
}

fn fail_if(holds: bool) -> Verdict {
    if holds { Verdict::Fail } else { Verdict::Pass }
}

/// Returns the last line of the error, which has the reason. The other lines show the expression.
fn why(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default().trim();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        let codes: Vec<String> = self.codes.iter().map(i32::to_string).collect();
        let mut ends: Vec<String> = Vec::new();
        if !codes.is_empty() {
            ends.push(format!("exit code {}", codes.join(" or ")));
        }
        ends.extend(self.signals.iter().map(|&number| signal::name(number)));
        if !ends.is_empty() {
            parts.push(ends.join(" or "));
        }
        for pattern in &self.patterns {
            let stream = match pattern.stream {
                Stream::Stdout => "stdout",
                Stream::Stderr => "stderr",
            };
            let verb = if pattern.is_wanted {
                "matches"
            } else {
                "does not match"
            };
            parts.push(format!("{stream} {verb} `{}`", pattern.regex));
        }
        if self.timeout_fails {
            parts.push("it runs until the time limit".into());
        }
        if let Some(other) = &self.differs_from {
            parts.push(format!("exit or stdout differ from `{other}`"));
        }
        if let Some(signature) = &self.same_failure {
            parts.push(format!("the failure is {signature}"));
        }
        if let Some(signature) = &self.same_stack {
            let frames = signature.frames().join(" < ");
            parts.push(format!("the stack is {frames}"));
        }
        if let Some(wanted) = &self.same_coverage {
            let what = match wanted.granularity {
                Granularity::Hits => "the coverage",
                Granularity::Edges => "the set of edges",
            };
            let mut text = format!("{what} is that of the original");
            if let Some((coverage, ended)) = wanted.original {
                text += &format!(" ({coverage})");
                text += match ended {
                    Ended::ByItself => "",
                    Ended::BySignal => ", and a signal kills it",
                };
            }
            parts.push(text);
        }
        if parts.is_empty() {
            parts.push("exit code 0".into());
        }
        parts.extend(self.guard.as_ref().map(|guard| guard.name.clone()));
        write!(f, "{}", parts.join(", and "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn run(exit: Exit, stdout: &str, stderr: &str) -> Run {
        Run {
            stdout: Some(stdout.into()),
            stderr: Some(stderr.into()),
            ..Run {
                exit,
                ..Run::refused(0)
            }
        }
    }

    fn code(code: i32) -> Run {
        run(Exit::Code(code), "", "")
    }

    #[test]
    fn without_conditions_only_exit_code_0_fails() {
        let predicate = Predicate::new();
        assert!(predicate.judge(&code(0)).is_fail());
        assert_eq!(predicate.judge(&code(1)), Verdict::Pass);
        assert_eq!(
            predicate.judge(&run(Exit::Signal(11), "", "")),
            Verdict::Pass
        );
        assert_eq!(predicate.to_string(), "exit code 0");
    }

    #[test]
    fn code_125_abstains_unless_it_is_listed() {
        let abstained = Verdict::Unresolved(Unresolved::Abstained);
        assert_eq!(Predicate::new().judge(&code(125)), abstained);
        assert_eq!(
            Predicate::new().stderr("x").unwrap().judge(&code(125)),
            abstained
        );
        assert!(
            Predicate::new()
                .exit("1,125")
                .unwrap()
                .judge(&code(125))
                .is_fail()
        );
    }

    #[test]
    fn a_condition_on_the_output_accepts_any_exit_code() {
        let predicate = Predicate::new().stderr("^boom$").unwrap();
        assert!(
            predicate
                .judge(&run(Exit::Code(7), "", "a\nboom\nb"))
                .is_fail()
        );
        assert_eq!(
            predicate.judge(&run(Exit::Code(0), "boom", "")),
            Verdict::Pass
        );
    }

    #[test]
    fn all_conditions_must_hold() {
        let predicate = Predicate::new().exit("3").unwrap().stdout("a").unwrap();
        let predicate = predicate.not_stdout("b").unwrap().not_stderr("c").unwrap();
        assert!(predicate.judge(&run(Exit::Code(3), "a", "")).is_fail());
        assert_eq!(predicate.judge(&run(Exit::Code(4), "a", "")), Verdict::Pass);
        assert_eq!(
            predicate.judge(&run(Exit::Code(3), "ab", "")),
            Verdict::Pass
        );
        assert_eq!(
            predicate.judge(&run(Exit::Code(3), "a", "c")),
            Verdict::Pass
        );
        assert_eq!(predicate.judge(&run(Exit::Code(3), "", "")), Verdict::Pass);
    }

    #[test]
    fn a_signal_is_recognized_by_itself_and_by_the_exit_code_of_a_shell() {
        let predicate = Predicate::new().signal("segv").unwrap().exit("3").unwrap();
        for exit in [Exit::Signal(11), Exit::Code(139), Exit::Code(3)] {
            assert!(predicate.judge(&run(exit, "", "")).is_fail(), "{exit}");
        }
        assert_eq!(predicate.judge(&code(11)), Verdict::Pass);
        let any = Predicate::new().signal("any").unwrap();
        for exit in [Exit::Signal(11), Exit::Signal(6), Exit::Code(139)] {
            assert!(any.judge(&run(exit, "", "")).is_fail(), "{exit}");
        }
        for exit in [Exit::Signal(9), Exit::Signal(15), Exit::Code(1)] {
            assert_eq!(any.judge(&run(exit, "", "")), Verdict::Pass, "{exit}");
        }
    }

    #[test]
    fn a_timeout_is_the_failure_only_on_request() {
        let limit = Duration::from_secs(1);
        let hung = Run {
            cut_short: Some(Unresolved::TimedOut(limit)),
            ..run(Exit::Signal(9), "", "")
        };
        let unresolved = Verdict::Unresolved(Unresolved::TimedOut(limit));
        assert_eq!(Predicate::new().judge(&hung), unresolved);
        let predicate = Predicate::new().timeout_fails();
        assert!(predicate.judge(&hung).is_fail());
        assert_eq!(predicate.judge(&code(0)), Verdict::Pass);
        let conflict = predicate.exit("1").unwrap().check().unwrap_err();
        let expected = PredicateError::Conflict {
            one: Condition::Timeout,
            other: Condition::ExitCode,
        };
        assert_eq!(conflict, expected);
    }

    #[test]
    fn commands_differ_in_exit_or_output() {
        let predicate = Predicate::new().differs_from(TestCommand::shell("true").unwrap());
        let main = run(Exit::Code(0), "1\n", "");
        assert!(predicate.judge(&main).is_fail());
        assert_eq!(
            predicate.compare(&main, &run(Exit::Code(0), "1\n", "x")),
            Verdict::Pass
        );
        assert!(
            predicate
                .compare(&main, &run(Exit::Code(0), "2\n", ""))
                .is_fail()
        );
        assert!(
            predicate
                .compare(&main, &run(Exit::Code(1), "1\n", ""))
                .is_fail()
        );
    }

    #[test]
    fn a_command_that_could_not_be_run_is_unresolved() {
        let predicate = Predicate::new().differs_from(TestCommand::shell("true").unwrap());
        let unresolved = Verdict::Unresolved(Unresolved::Abstained);
        for missing in [126, 127] {
            assert_eq!(predicate.compare(&code(0), &code(missing)), unresolved);
            assert_eq!(predicate.compare(&code(missing), &code(0)), unresolved);
        }
        let predicate = predicate.exit("127").unwrap();
        assert!(predicate.compare(&code(127), &code(0)).is_fail());
    }

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
