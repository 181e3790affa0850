use crate::command::TestCommand;
use crate::run::Run;
use crate::run_error::RunError;
use nubbin_verdict::{Cancel, Candidate};

/// A request for a run of a command on a candidate. Both outputs of the run are kept.
#[derive(Clone, Copy, Debug)]
pub struct RunRequest<'a> {
    /// The command to run. The command may differ from the test.
    pub command: &'a TestCommand,
    /// The candidate that the command runs on.
    pub candidate: &'a Candidate<'a>,
    /// The slot of the caller. Two requests with the same slot may be made at the same time; on
    /// this machine, one then waits for the other.
    pub slot: usize,
    /// Stops the run when it is canceled. The run is then cut short with
    /// [`Unresolved::Cancelled`](nubbin_verdict::Unresolved::Cancelled).
    pub cancel: &'a Cancel,
    /// Whether a new run is required. If `true`, the result of an earlier run of the same command
    /// on the same files is not used.
    pub is_anew: bool,
}

/// The number of runs by machine, for reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaceCounts {
    /// The number of runs on this machine.
    pub here: u64,
    /// The number of runs on other machines.
    pub there: u64,
    /// The number of runs whose results were known from earlier runs.
    pub known: u64,
    /// The number of requests that sent one or more runs to other machines.
    pub actions: u64,
}

impl PlaceCounts {
    /// Returns the numbers of runs since an earlier count.
    #[must_use]
    pub fn since(&self, earlier: &PlaceCounts) -> PlaceCounts {
        PlaceCounts {
            here: self.here.saturating_sub(earlier.here),
            there: self.there.saturating_sub(earlier.there),
            known: self.known.saturating_sub(earlier.known),
            actions: self.actions.saturating_sub(earlier.actions),
        }
    }
}

/// Runs commands on candidates, on this machine or on others. The trait is for callers that examine
/// runs themselves. An [`Oracle`](nubbin_verdict::Oracle) decides about candidates instead.
///
/// [`CommandOracle`](crate::CommandOracle) runs them on this machine.
pub trait Runner: std::fmt::Debug + Send + Sync {
    /// Runs a command once. If the run was killed from outside, it is repeated.
    ///
    /// # Errors
    /// Returns [`RunError`] if the command could not be run.
    fn observe_request(&self, request: &RunRequest<'_>) -> Result<Run, RunError>;

    /// Returns the number of requests that each of `callers` callers should make at the same time.
    /// More than one request per caller is useful only if there are more places than callers, or if
    /// requests are answered in batches.
    fn at_once(&self, callers: usize) -> usize {
        let _ = callers;
        1
    }

    /// Reads the files of the commands again after they have changed.
    ///
    /// # Errors
    /// Returns [`RunError`] if they cannot be read.
    fn refresh(&self) -> Result<(), RunError> {
        Ok(())
    }

    /// Returns the numbers of runs by machine, or `None` if all runs are on this machine.
    fn place_counts(&self) -> Option<PlaceCounts> {
        None
    }
}
