//! Tests on this machine only: nubbin is built without the feature `remote`.

use super::connection::Connection;
use crate::cores::cores;
use crate::exit::Exit;
use crate::flags::Jobs;
use crate::problem::Problem;
use crate::settings::{RemoteSettings, TestSettings};
use nubbin_campaign::Program;
use nubbin_oracle::{CommandOracle, PlaceCounts};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use nubbin_verdict::{Ask, Candidate, Fault, Oracle, Verdict};
use std::sync::Arc;

/// Returns the number of tests that run on this machine at the same time.
pub fn jobs_here(flags: &TestSettings) -> usize {
    split(flags.jobs, cores()).0.max(1)
}

/// Returns the number of slots on this machine. Slots of a farm are an error.
pub fn slots(
    jobs: Option<Jobs>,
    remote: &RemoteSettings,
    usual: usize,
    _: Option<usize>,
) -> Result<(usize, usize), Problem> {
    match (split(jobs, usual), remote.address()) {
        ((_, 1..), _) | (_, Some(_)) => Err(none()),
        (slots, None) => Ok(slots),
    }
}

fn split(jobs: Option<Jobs>, usual: usize) -> (usize, usize) {
    match jobs {
        None => (usual, 0),
        Some(Jobs::Number(number)) => (number.into(), 0),
        Some(Jobs::Places { here, there }) => (here.into(), there.into()),
    }
}

fn none() -> Problem {
    Problem::new(Exit::Usage, "this nubbin is built without tests on a farm")
        .hint("the packages of nubbin have them, and `cargo install` with `--features remote`")
}

impl Connection<'_> {
    /// Returns an error, since this program has no support for farms.
    pub fn open(&self, _: &Program, _: Box<dyn Fn(&str) + Send + Sync>) -> Result<(), Problem> {
        let _ = (self.flags, self.slots, self.known, self.is_quiet, self.stop);
        Err(none())
    }
}

/// The oracle of a run, which runs all tests on this machine.
#[derive(Debug)]
pub struct Places {
    here: Arc<CommandOracle>,
}

impl Places {
    /// Returns the oracle of this machine. Slots of a farm are an error, since this program has no
    /// support for farms.
    pub fn open(
        flags: &TestSettings,
        oracle: &Arc<CommandOracle>,
        _: &Input,
        _: bool,
        _: &Stop,
    ) -> Result<Self, Problem> {
        slots(flags.jobs, &flags.remote, cores(), None)?;
        Ok(Places {
            here: Arc::clone(oracle),
        })
    }

    /// Returns the number of tests that the engine should run at the same time.
    pub fn jobs(&self) -> usize {
        self.here.jobs()
    }

    /// Returns no messages, since there is no farm.
    pub fn news(&self) -> Vec<String> {
        vec![]
    }

    /// Returns `None`, since there is no farm.
    pub fn counts(&self) -> Option<PlaceCounts> {
        None
    }

    /// Returns `None`, since there is no farm.
    pub fn summary(&self) -> Option<String> {
        None
    }
}

impl Oracle for Places {
    fn judge(&self, candidate: &Candidate<'_>, ask: &Ask) -> Result<Verdict, Fault> {
        self.here.judge(candidate, ask)
    }
}

/// Returns an empty text, since verdicts do not depend on a farm.
pub fn identity(_: &TestSettings) -> String {
    String::new()
}
