//! The check that a run writes no file that it reads, and the errors for a first input that does
//! not pass and a second input that does not fail.

use super::results::Results;
use crate::exit::Exit;
use crate::outputs;
use crate::paths::{self, Use};
use crate::problem::Problem;
use crate::settings::IsolateSettings;
use crate::test::{self, TestSetup};
use nubbin_oracle::CommandOracle;
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use nubbin_verdict::Verdict;

/// Returns an error if an output is also an input or another output.
pub(super) fn keep_apart(args: &IsolateSettings, results: &Results) -> Result<(), Problem> {
    let of = |path, what| Use { path, what };
    let read: Vec<Use<'_>> = [
        of(&args.passing, "the passing input"),
        of(&args.failing, "the failing input"),
    ]
    .into_iter()
    .chain(TestSetup::from(args).read())
    .collect();
    let written: Vec<Use<'_>> = [
        of(&results.passing, "the passing result"),
        of(&results.failing, "the failing result"),
    ]
    .into_iter()
    .chain(outputs::written(&args.output_flags))
    .collect();
    paths::keep_apart(&read, &written)
}

pub(super) fn identical(args: &IsolateSettings) -> Problem {
    let what = format!(
        "`{}` and `{}` have the same content: there is no difference to isolate",
        args.passing.display(),
        args.failing.display()
    );
    Problem::new(Exit::Input, what)
}

pub(super) fn not_apart(
    args: &IsolateSettings,
    oracle: &CommandOracle,
    original: &Input,
    passing: &Verdict,
    failing: &Verdict,
    stop: &Stop,
) -> Problem {
    let (first, second) = (args.passing.display(), args.failing.display());
    let first_must_pass = format!("the first file must pass: is `{first}` the right one?");
    match (passing, failing) {
        // Exit code 0 is the failure of a script, and the success of nearly all other programs.
        (Verdict::Fail, Verdict::Pass) if oracle.predicate().is_default() => {
            let what = format!(
                "exit code 0 is the failure, and the command exits with 0 for `{first}` and not for \
                 `{second}`"
            );
            Problem::new(Exit::NotFailing, what)
                .hint(
                    "if another exit code is the failure, add `--same-failure`, `--exit CODE`, or \
                     `--stderr REGEX`",
                )
                .hint(format!(
                    "if a script exits with 0 because the failure is present, the files are \
                     swapped: `nubbin isolate {second} {first} ...`"
                ))
        }
        (Verdict::Fail, Verdict::Pass) => {
            let what = format!("the files are swapped: `{first}` fails, and `{second}` passes");
            Problem::new(Exit::NotFailing, what).hint(format!(
                "the passing file comes first: `nubbin isolate {second} {first} ...`"
            ))
        }
        (Verdict::Fail, Verdict::Fail) => Problem::new(
            Exit::NotFailing,
            format!("`{first}` and `{second}` both fail"),
        )
        .hint(first_must_pass)
        .hint(
            "if they fail in different ways, say which one is meant: `--same-failure`, \
                     `--stderr`, `--exit`",
        ),
        (Verdict::Unresolved(reason), Verdict::Fail) => {
            let what = format!("the test could not decide whether `{first}` passes: {reason}");
            Problem::new(Exit::NotFailing, what).hint(first_must_pass)
        }
        (_, Verdict::Unresolved(reason)) => diagnosed(args, oracle, original, failing, stop)
            .saying(format!(
                "the test could not decide whether `{second}` fails: {reason}"
            )),
        (Verdict::Pass, _) => diagnosed(args, oracle, original, failing, stop)
            .saying(format!("neither file fails: `{second}` passes as well")),
        _ => diagnosed(args, oracle, original, failing, stop)
            .saying(format!("`{second}` does not fail")),
    }
}

fn diagnosed(
    args: &IsolateSettings,
    oracle: &CommandOracle,
    original: &Input,
    verdict: &Verdict,
    stop: &Stop,
) -> Problem {
    test::not_failing(args.into(), oracle, original, verdict, stop)
}
