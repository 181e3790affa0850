//! The test of a run: it is prepared from the settings, with the machines on which it runs.

use crate::files::Source;
use crate::other_failures::OtherFailures;
use crate::problem::{Problem, say};
use crate::remote::Places;
use crate::sandbox::SandboxState;
use crate::settings::TestSettings;
use crate::test::{self, TestSetup};
use nubbin_oracle::CommandOracle;
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use std::sync::Arc;

/// A test that can run, and has run the original where that is needed.
pub(crate) struct Tested {
    pub(crate) oracle: Arc<CommandOracle>,
    pub(crate) others: Arc<OtherFailures>,
    pub(crate) sandbox: SandboxState,
    pub(crate) places: Places,
}

impl Tested {
    /// Builds the test of the given settings. `jobs` is the number of tests that run on this
    /// machine at the same time.
    pub(crate) fn of(
        settings: &TestSettings,
        setup: TestSetup<'_>,
        (input, sources): (&Input, &[Source]),
        (jobs, is_quiet): (usize, bool),
        stop: &Stop,
    ) -> Result<Self, Problem> {
        let (oracle, others, sandbox) = test::prepare(setup, input, sources, jobs, stop)?;
        if settings.run.keep_temp {
            say(&format!(
                "the tests run in `{}`, which is kept",
                oracle.folder().display()
            ));
        }
        let oracle = Arc::new(oracle);
        let places = Places::open(settings, &oracle, input, is_quiet, stop)?;
        Ok(Tested {
            oracle,
            others,
            sandbox,
            places,
        })
    }
}
