//! The check that a run writes no file that it reads, and the error for two equal inputs.

use super::results::Results;
use crate::exit::Exit;
use crate::outputs;
use crate::paths::{self, Use};
use crate::problem::Problem;
use crate::settings::IsolateSettings;
use crate::test::TestSetup;

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
