use crate::identity::Identity;
use crate::severity::Severity;
use nubbin_oracle::{FailureKind, Run, Signature};
use nubbin_verdict::Unresolved;
use regex::bytes::Regex;

/// The rules that decide whether the run of a test is an issue, and give its identity.
///
/// Without rules, a run is an issue if it shows a failure that [`Signature`] recognizes, except an
/// exit code without a message, with which programs reject an input.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Patterns whose named groups are the identity, in the order of the groups. The patterns are
    /// tried in their order on standard error and then on standard output, and come before the
    /// signature.
    pub identity: Vec<Regex>,
    /// Patterns that standard error must match. A run that does not match all of them is not an
    /// issue. A run that matches all of them is an issue even without a recognized failure.
    pub stderr: Vec<Regex>,
    /// Patterns of outputs that are not issues.
    pub ignore: Vec<Regex>,
    /// The exit codes that are an issue without a message.
    pub exit: Vec<i32>,
    /// The exit codes with which a program may end, even with an uncaught exception, for example if
    /// the program is a script. All other exit codes are an issue. `None` if exit codes are
    /// ignored.
    pub usual_exit: Option<Vec<i32>>,
    /// The pattern that stops a run. If the run shows no other failure, the matching text is the
    /// identity.
    pub until: Option<Regex>,
    /// Whether failures are found on standard error alone, since tests write to standard output.
    pub only_stderr: bool,
    /// Whether a test that hits the time limit is an issue.
    pub hang: bool,
}

/// The outcome of the run of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The run ended without a failure.
    Usual,
    /// The run shows a failure.
    Issue(Identity, Severity),
    /// The run hit a time, memory, or output limit.
    Limit,
    /// The run was canceled.
    Stopped,
}

impl Rules {
    /// Returns the outcome of a run.
    pub fn outcome(&self, run: &Run) -> Outcome {
        match &run.cut_short {
            Some(Unresolved::Cancelled) => return Outcome::Stopped,
            Some(Unresolved::TimedOut(_)) if self.hang => {
                let what = match self.named(run) {
                    Some(named) => named,
                    None => "no end within the time limit".to_owned(),
                };
                let hang = Identity::new("hang", &what, vec![]);
                return Outcome::Issue(hang, Severity::Low);
            }
            Some(_) => return Outcome::Limit,
            None => {}
        }
        let silent;
        let run = match self.only_stderr {
            true => {
                silent = Run {
                    stdout: None,
                    ..run.clone()
                };
                &silent
            }
            false => run,
        };
        let matches =
            |pattern: &Regex| pattern.is_match(run.stderr()) || pattern.is_match(run.stdout());
        if self.ignore.iter().any(matches) {
            return Outcome::Usual;
        }
        if !self.stderr.iter().all(|it| it.is_match(run.stderr())) {
            return Outcome::Usual;
        }
        if let Some(named) = self.named(run) {
            let identity = Identity::new("match", &named, vec![]);
            return Outcome::Issue(identity, Severity::Low);
        }
        if run.is_matched {
            return self.of_matched(run);
        }
        match Signature::of(run) {
            Some(signature) if self.counts(&signature, run) => {
                let identity = Identity::from(&signature);
                let severity = Severity::of(&identity, run);
                Outcome::Issue(identity, severity)
            }
            _ => self.of_stderr(run),
        }
    }

    /// Returns the outcome of a run without a recognized failure. Its identity is the text that
    /// standard error must match.
    fn of_stderr(&self, run: &Run) -> Outcome {
        let first = self.stderr.first();
        match first.and_then(|pattern| pattern.find(run.stderr())) {
            Some(found) => {
                let what = String::from_utf8_lossy(found.as_bytes());
                Outcome::Issue(Identity::new("match", &what, vec![]), Severity::Low)
            }
            None => Outcome::Usual,
        }
    }

    /// Returns the outcome of a run that was stopped because an output matched. Its exit is the
    /// signal that killed it.
    fn of_matched(&self, run: &Run) -> Outcome {
        let signature = Signature::of(run);
        let is_telling = |signature: &Signature| {
            !matches!(
                signature.kind(),
                FailureKind::Signal | FailureKind::ExitCode
            )
        };
        if let Some(signature) = signature.filter(is_telling) {
            let identity = Identity::from(&signature);
            let severity = Severity::of(&identity, run);
            return Outcome::Issue(identity, severity);
        }
        let found = self.until.as_ref().and_then(|until| {
            until
                .find(run.stderr())
                .or_else(|| until.find(run.stdout()))
        });
        let what = found.map_or_else(String::new, |found| {
            String::from_utf8_lossy(found.as_bytes()).into_owned()
        });
        Outcome::Issue(Identity::new("match", &what, vec![]), Severity::Low)
    }

    fn counts(&self, signature: &Signature, run: &Run) -> bool {
        let code = run.exit.code();
        let is_usual = self
            .usual_exit
            .as_ref()
            .map(|usual| code.is_some_and(|code| usual.contains(&code)));
        let is_named = code.is_some_and(|code| self.exit.contains(&code));
        match (signature.kind(), is_usual) {
            (FailureKind::ExitCode, None) => is_named,
            (FailureKind::ExitCode | FailureKind::Exception, Some(true)) => is_named,
            _ => true,
        }
    }

    /// Returns the texts of the named groups of the first pattern that matches, or its whole match
    /// if it has none.
    fn named(&self, run: &Run) -> Option<String> {
        self.identity.iter().find_map(|pattern| {
            let found = pattern
                .captures(run.stderr())
                .or_else(|| pattern.captures(run.stdout()))?;
            let names = pattern.capture_names().flatten();
            let groups: Vec<_> = names
                .filter_map(|name| found.name(name))
                .map(|group| String::from_utf8_lossy(group.as_bytes()))
                .collect();
            Some(match groups.is_empty() {
                true => String::from_utf8_lossy(&found[0]).into_owned(),
                false => groups.join(" "),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_oracle::Exit;
    use std::time::Duration;

    fn run(exit: Exit, stderr: &str) -> Run {
        Run {
            exit,
            cut_short: None,
            has_stopped: false,
            is_matched: false,
            stdout: Some(vec![]),
            stderr: Some(stderr.into()),
            written: Vec::new(),
            elapsed: Duration::ZERO,
            cpu: None,
            inputs: vec![],
            coverage: None,
            is_in_loop: false,
            stack: None,
            taken: None,
        }
    }

    fn shown(rules: &Rules, run: &Run) -> String {
        match rules.outcome(run) {
            Outcome::Issue(identity, _) => identity.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn an_exit_code_is_an_issue_only_where_the_rules_say_so() {
        let mut rules = Rules::default();
        assert_eq!(shown(&rules, &run(Exit::Code(1), "syntax error")), "Usual");
        rules.exit = vec![3];
        assert_eq!(shown(&rules, &run(Exit::Code(1), "")), "Usual");
        assert_eq!(shown(&rules, &run(Exit::Code(3), "")), "exit: exit code 3");
    }

    #[test]
    fn named_groups_are_the_identity() {
        let rules = Rules {
            identity: vec![Regex::new(r"BUG (?<id>\d+) .*in (?<place>\w+)").unwrap()],
            ..Rules::default()
        };
        let run = run(Exit::Code(0), "BUG 7 at 0x1234 in lexer\n");
        assert_eq!(shown(&rules, &run), "match: 7 lexer");
    }

    #[test]
    fn a_run_at_its_time_limit_is_an_issue_only_if_hangs_are() {
        let mut slow = run(Exit::Signal(9), "");
        slow.cut_short = Some(Unresolved::TimedOut(Duration::from_secs(1)));
        let mut rules = Rules::default();
        assert_eq!(rules.outcome(&slow), Outcome::Limit);
        rules.hang = true;
        assert_eq!(shown(&rules, &slow), "hang: no end within the time limit");
    }

    #[test]
    fn ignored_outputs_are_no_issue() {
        let crash = run(Exit::Signal(11), "out of memory\n");
        let mut rules = Rules::default();
        assert_eq!(shown(&rules, &crash), "signal: SIGSEGV");
        rules.ignore = vec![Regex::new("out of memory").unwrap()];
        assert_eq!(shown(&rules, &crash), "Usual");
    }
}
