//! The verdict on a run: whether it meets the conditions.

use super::require::{ABSTAIN, Ended, Predicate, Stream};
use crate::run::{Exit, Run};
use crate::signature::Signature;
use nubbin_verdict::{Unresolved, Verdict};

impl Predicate {
    /// Returns the verdict on a run under a tracer. Without the tracer, the candidate has met all
    /// other conditions.
    pub(crate) fn judge_stack(&self, traced: &Run) -> Verdict {
        match &traced.cut_short {
            Some(reason) => Verdict::Unresolved(reason.clone()),
            None => fail_if(self.stack_holds(traced)),
        }
    }

    pub(super) fn stack_holds(&self, traced: &Run) -> bool {
        self.same_stack.as_ref().is_none_or(|wanted| {
            let found = traced.stack.as_ref().and_then(Signature::of_stack);
            found.is_some_and(|found| wanted.matches(&found))
        })
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

    pub(super) fn exit_holds(&self, exit: Exit) -> bool {
        if self.says_nothing_of_exit() {
            return !self.is_default() || exit == Exit::Code(0);
        }
        exit.code().is_some_and(|code| self.codes.contains(&code))
            || self.signals.iter().any(|&number| exit.is_signal(number))
    }

    pub(super) fn patterns_hold(&self, run: &Run) -> bool {
        self.patterns.iter().all(|pattern| {
            let text = match pattern.stream {
                Stream::Stdout => run.stdout(),
                Stream::Stderr => run.stderr(),
            };
            pattern.regex.is_match(text) == pattern.is_wanted
        })
    }
}

/// Returns whether two runs have the same exit and the same standard output.
fn has_same_result(one: &Run, other: &Run) -> bool {
    one.exit == other.exit && one.stdout() == other.stdout()
}

fn fail_if(holds: bool) -> Verdict {
    if holds { Verdict::Fail } else { Verdict::Pass }
}

#[cfg(test)]
mod tests {
    use super::super::{Condition, PredicateError};
    use super::*;
    use crate::command::TestCommand;
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
}
