//! Checks whether the drafted test fails on the captured files.

use crate::exit::Exit;
use crate::files::{self, Inputs};
use crate::problem::Problem;
use crate::settings::TestSettings;
use crate::signals::stopped;
use crate::test::{self, TestSetup};
use nubbin_reduce::engine::Stop;
use nubbin_verdict::{Ask, Oracle, Verdict};
use std::path::Path;

/// Runs the test as `nubbin reduce INPUT --test TEST` does with the original: on a copy in a fresh
/// folder, in a sandbox. Returns the reason why it does not hold, with a diagnosis.
pub(super) fn check(input: &Path, test: &Path, stop: &Stop) -> Result<(), Problem> {
    let inputs = [input.to_path_buf()];
    let flags = TestSettings {
        program: Some(test.to_path_buf()),
        ..TestSettings::default()
    };
    let (input, sources) = files::read(Inputs::of(&inputs, &flags))?;
    let setup = TestSetup::of(&flags).of_original(&inputs).quiet(true);
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
