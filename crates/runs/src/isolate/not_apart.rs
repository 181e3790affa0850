//! The errors for a first input that does not pass and a second input that does not fail.

use super::observed::run_of;
use super::prepared::Prepared;
use crate::exit::Exit;
use crate::files::Source;
use crate::problem::Problem;
use crate::repeat::{command_with, command_with_exchanged, command_with_instead, quoted};
use crate::settings::IsolateSettings;
use crate::test::{self, NO_FAILURE, TestSetup};
use nubbin_oracle::{CommandOracle, Signature};
use nubbin_reduce::input::Input;
use nubbin_verdict::Verdict;

/// Returns the problem of a test that cannot require the failure of the second file: the first one
/// may be the failing one.
pub(super) fn without_failure(prepared: &Prepared, problem: Problem) -> Problem {
    let args = &prepared.args;
    let name = prepared.source.name.clone();
    let first = Input::single(name, &prepared.passing[..]);
    let (true, Ok(first)) = (problem.what() == NO_FAILURE, first) else {
        return problem;
    };
    let source = Source {
        path: args.passing.clone(),
        ..prepared.source.clone()
    };
    let setup = TestSetup::from(args).quiet(true);
    match test::prepare(setup, &first, &[source], 1, &prepared.stop) {
        Ok(_) => swapped(args, "shows no failure that can be recognized"),
        Err(other) if other.what() == NO_FAILURE => problem.saying(format!(
            "neither file fails: neither `{}` nor `{}` shows a failure that can be recognized",
            args.passing.display(),
            args.failing.display()
        )),
        Err(_) => problem,
    }
}

/// Returns the problem of files in the wrong order. `second` says what the second file does.
fn swapped(args: &IsolateSettings, second: &str) -> Problem {
    let what = format!(
        "the files are swapped: `{}` fails, and `{}` {second}",
        args.passing.display(),
        args.failing.display()
    );
    Problem::new(Exit::NotFailing, what)
        .hint(format!("the passing file comes first: {}", exchanged(args)))
}

/// Returns the command line with the files in the other order.
fn exchanged(args: &IsolateSettings) -> String {
    let (first, second) = (args.passing.as_os_str(), args.failing.as_os_str());
    let line = command_with_exchanged(first, second).unwrap_or_else(|| {
        let [first, second] = [first, second].map(quoted);
        format!("nubbin isolate {second} {first} ...")
    });
    format!("`{line}`")
}

/// The two files of a test that does not tell them apart.
pub(super) struct NotApart<'a> {
    pub(super) prepared: &'a Prepared,
    pub(super) oracle: &'a CommandOracle,
    pub(super) passing: &'a Verdict,
    pub(super) failing: &'a Verdict,
}

impl NotApart<'_> {
    pub(super) fn problem(self) -> Problem {
        let args = self.args();
        let (first, second) = (args.passing.display(), args.failing.display());
        let first_must_pass = format!("the first file must pass: is `{first}` the right one?");
        let is_default = self.oracle.predicate().is_default();
        match (self.passing, self.failing) {
            // Exit code 0 is the failure of a script, and the success of nearly all other programs.
            (Verdict::Fail, Verdict::Pass) if is_default => {
                let what = format!(
                    "exit code 0 is the failure, and the command exits with 0 for `{first}` and not \
                     for `{second}`"
                );
                Problem::new(Exit::NotFailing, what)
                    .hint(format!(
                        "if another exit code is the failure, add `--same-failure`, `--exit CODE`, \
                         or `--stderr REGEX`: `{}`",
                        command_with("--same-failure")
                    ))
                    .hint(format!(
                        "if a script exits with 0 because the failure is present, the files are \
                         swapped: {}",
                        exchanged(args)
                    ))
            }
            (Verdict::Fail, Verdict::Pass) => swapped(args, "passes"),
            (Verdict::Fail, Verdict::Fail) => self.both_fail(&first_must_pass),
            (Verdict::Unresolved(reason), Verdict::Fail) => {
                let what = format!("the test could not decide whether `{first}` passes: {reason}");
                Problem::new(Exit::NotFailing, what).hint(first_must_pass)
            }
            (_, Verdict::Unresolved(reason)) => self.diagnosed().saying(format!(
                "the test could not decide whether `{second}` fails: {reason}"
            )),
            (Verdict::Pass, _) => self
                .diagnosed()
                .saying(format!("neither file fails: `{second}` passes as well")),
            _ => self.diagnosed().saying(format!("`{second}` does not fail")),
        }
    }

    /// Returns the problem of two files that both fail, with the failures of both if the output
    /// shows them.
    fn both_fail(&self, first_must_pass: &str) -> Problem {
        let args = self.args();
        let (first, second) = (args.passing.display(), args.failing.display());
        let problem = |how: String| {
            Problem::new(
                Exit::NotFailing,
                format!("`{first}` and `{second}` both fail{how}"),
            )
        };
        let is_default = self.oracle.predicate().is_default();
        let prepared = self.prepared;
        let name = prepared.source.name.clone();
        let of_first = Input::single(name, &prepared.passing[..]);
        let failures = of_first.ok().and_then(|of_first| {
            let of = |input| Signature::of(&run_of(self.oracle, input, &prepared.stop)?);
            Some((of(&of_first)?, of(&prepared.failing)?))
        });
        let other = command_with_instead(args.passing.as_os_str(), "PASSING");
        let other = other.map_or(String::new(), |line| format!(" `{line}`"));
        match failures {
            Some((one, two)) if !one.may_match(&two) => {
                let flags = match is_default {
                    true => "--exit 0 --same-failure",
                    false => "--same-failure",
                };
                problem(" in different ways".into())
                    .fact(format!("`{first}`: {one}"))
                    .fact(format!("`{second}`: {two}"))
                    .hint(format!(
                        "this command keeps the failure of `{second}`, so that `{first}` passes: \
                         `{}`",
                        command_with(flags)
                    ))
            }
            Some((one, _)) => problem(format!(" in the same way: {one}"))
                .hint(format!("{first_must_pass}{other}")),
            None => problem(String::new())
                .hint(format!("{first_must_pass}{other}"))
                .hint(
                    "if they fail in different ways, say which one is meant: `--same-failure`, \
                     `--stderr`, `--exit`",
                ),
        }
    }

    fn args(&self) -> &IsolateSettings {
        &self.prepared.args
    }

    fn diagnosed(&self) -> Problem {
        let prepared = self.prepared;
        test::not_failing(
            self.args().into(),
            self.oracle,
            &prepared.failing,
            self.failing,
            &prepared.stop,
        )
    }
}
