use crate::command::TestCommand;
use crate::run::Run;
use crate::run_error::RunError;
use nubbin_verdict::{Cancel, Candidate};

/// A run that is asked for, both outputs of which are kept.
#[derive(Clone, Copy, Debug)]
pub struct RunRequest<'a> {
    /// The command, which may be another one than the test.
    pub command: &'a TestCommand,
    /// The files that it runs on.
    pub candidate: &'a Candidate<'a>,
    /// The slot of the caller. Two requests with the same slot may be made at the same time; on
    /// this machine, one then waits for the other.
    pub slot: usize,
    /// Ends the run when it is canceled: it is then cut short with
    /// [`Unresolved::Cancelled`](nubbin_verdict::Unresolved::Cancelled).
    pub cancel: &'a Cancel,
    /// Whether the run has to be a new one. The result of an earlier run of the same command on the
    /// same files is not used.
    pub is_anew: bool,
}

/// The number of runs by place, for reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaceCounts {
    /// The runs on this machine.
    pub here: u64,
    /// The runs on other machines.
    pub there: u64,
    /// The runs whose results were known from before.
    pub known: u64,
    /// The requests for which runs were sent to other machines, each with one run or more.
    pub actions: u64,
}

impl PlaceCounts {
    /// Returns the runs since an earlier moment.
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

/// Runs commands on candidates, on this machine or on others. It is for callers that look at runs
/// by themselves. An [`Oracle`](nubbin_verdict::Oracle) decides about candidates instead.
///
/// [`CommandOracle`](crate::CommandOracle) runs them on this machine.
pub trait Runner: std::fmt::Debug + Send + Sync {
    /// Runs a command once. A run that was killed from outside is repeated.
    ///
    /// # Errors
    /// [`RunError`] if the command could not be run.
    fn observe_request(&self, request: &RunRequest<'_>) -> Result<Run, RunError>;

    /// The number of requests that each of so many callers should make at the same time. More than
    /// one has a use only if there are more places than callers, or if requests are answered
    /// together.
    fn at_once(&self, callers: usize) -> usize {
        let _ = callers;
        1
    }

    /// Takes over that files of the commands have changed.
    ///
    /// # Errors
    /// [`RunError`] if they cannot be read.
    fn refresh(&self) -> Result<(), RunError> {
        Ok(())
    }

    /// Returns the number of runs by place; `None` if there is no place but this machine.
    fn place_counts(&self) -> Option<PlaceCounts> {
        None
    }
}
