//! Tests on this machine only: nubbin is built without the feature `remote`.

use crate::cores::cores;
use crate::exit::Exit;
use crate::flags::{Jobs, TestFlags};
use crate::problem::Problem;
use nubbin_oracle::CommandOracle;
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use nubbin_verdict::{Ask, Candidate, Fault, Oracle, Verdict};

/// Returns the number of tests that run on this machine at the same time.
pub(crate) fn jobs_here(flags: &TestFlags) -> usize {
    match flags.jobs {
        None => cores(),
        Some(Jobs::Number(here) | Jobs::Places { here, .. }) => here.max(1).into(),
    }
}

/// The oracle of a run.
#[derive(Debug)]
pub(crate) struct Places<'o> {
    here: &'o CommandOracle,
}

impl<'o> Places<'o> {
    /// Refuses slots of a farm, of which this program knows nothing.
    pub(crate) fn open(
        flags: &TestFlags,
        oracle: &'o CommandOracle,
        _: &Input,
        _: bool,
        _: &Stop,
    ) -> Result<Self, Problem> {
        match flags.jobs {
            Some(Jobs::Places { there: 1.., .. }) => Err(Problem::new(
                Exit::Usage,
                "this nubbin is built without tests on a farm",
            )
            .hint("build it with `--features remote`")),
            _ => Ok(Places { here: oracle }),
        }
    }

    /// The number of tests at the same time.
    pub(crate) fn jobs(&self) -> usize {
        self.here.jobs()
    }

    /// Messages about a farm.
    pub(crate) fn news(&self) -> Vec<String> {
        vec![]
    }

    /// The line of a report about a farm.
    pub(crate) fn summary(&self) -> Option<String> {
        None
    }
}

impl Oracle for Places<'_> {
    fn judge(&self, candidate: &Candidate<'_>, ask: &Ask) -> Result<Verdict, Fault> {
        self.here.judge(candidate, ask)
    }
}

/// Returns what verdicts depend on beside what a test on this machine depends on.
pub(crate) fn identity(_: &TestFlags) -> String {
    String::new()
}
