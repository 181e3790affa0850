//! Whether the drafted test holds on the captured files.

use crate::exit::Exit;
use crate::files;
use crate::flags::{Command, CommandLine};
use crate::problem::Problem;
use crate::signals::stopped;
use crate::test::{self, TestSetup};
use clap::Parser;
use nubbin_reduce::engine::Stop;
use nubbin_verdict::{Ask, Oracle, Verdict};
use std::ffi::OsString;
use std::path::Path;

/// Runs the test as `nubbin reduce INPUT --test TEST` does with the original: on a copy in a fresh
/// folder, in a sandbox. Returns the reason why it does not hold, with a diagnosis.
pub(super) fn check(input: &Path, test: &Path, stop: &Stop) -> Result<(), Problem> {
    let words: [OsString; 5] = [
        "nubbin".into(),
        "reduce".into(),
        "--test".into(),
        test.into(),
        input.into(),
    ];
    let wrong = |error: &dyn std::error::Error| {
        Problem::new(Exit::Test, format!("the draft cannot be tested: {error}"))
    };
    let line = CommandLine::try_parse_from(words).map_err(|error| wrong(&error))?;
    let Command::Reduce(mut flags) = line.command else {
        return Ok(());
    };
    flags.output_flags.quiet = true;
    let (input, sources) = files::read(&flags)?;
    let setup = TestSetup::from(&*flags);
    let (oracle, ..) = test::prepare(setup, &input, &sources, 1, stop)?;
    let ask = Ask {
        cancel: stop.token().clone(),
        ..Ask::new(0)
    };
    let verdict = input
        .with_candidate(|candidate| oracle.judge(candidate, &ask))
        .map_err(|fault| Problem::new(Exit::Test, "the draft cannot be tested").because(&fault))?;
    match verdict {
        _ if stop.is_requested() => Err(stopped()),
        Verdict::Fail => Ok(()),
        verdict => Err(test::not_failing(setup, &oracle, &input, &verdict, stop)),
    }
}
