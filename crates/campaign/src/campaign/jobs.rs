//! The jobs and the limits of a campaign.

use crate::explanation::Explain;
use crate::fuzz::Fuzz;
use crate::program::Program;
use crate::reduce::Reduce;
use crate::schedule::JobKind;
use nubbin_verdict::Cancel;
use serde::Serialize;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

/// The jobs of a campaign for one program.
pub struct ProgramJobs {
    /// The program. Its oracle has a slot for each core of the budget.
    pub program: Arc<Program>,
    /// The reducer for the program's tests, or `None` to validate them without reducing.
    pub reduce: Option<Box<dyn Reduce>>,
    /// The maximum number of tests of one reduction.
    pub reduction_tests: u64,
    /// The maximum duration of one reduction.
    pub reduction_time: Option<Duration>,
    /// The explainer of the program's tests.
    pub explain: Option<Box<dyn Explain>>,
    /// Whether each reduced test is explained, and not only tests that the user selects.
    pub explains: bool,
    /// Whether an issue that an empty test shows is reduced as any other.
    pub allows_empty: bool,
    /// Whether an issue is reduced that only tests of reductions and validations showed. If
    /// not, it is validated, and reduced when a test of a fuzz job shows it.
    pub reduces_met: bool,
    /// The number of runs that decide whether a test shows its issue again.
    pub validations: u64,
    /// The memory that one job needs, in bytes.
    pub memory: u64,
    /// The updater of the program.
    pub update: Option<Box<dyn Update>>,
}

impl ProgramJobs {
    /// Returns the job for a new issue that only tests of other jobs showed.
    pub(super) fn follow_met(&self) -> JobKind {
        match self.reduces_met {
            true => self.follow(),
            false => JobKind::Validate,
        }
    }

    /// Returns the job for a new issue: a reduction if that is possible, a validation otherwise.
    pub(super) fn follow(&self) -> JobKind {
        match self.reduce.is_some() && self.reduction_tests > 0 {
            true => JobKind::Reduce,
            false => JobKind::Validate,
        }
    }
}

/// The updater of a program.
pub trait Update: Send + Sync {
    /// Returns the time until the next update is due.
    fn next(&self) -> Duration;

    /// Updates the program, and returns its new version, or `None` if there was nothing to update.
    ///
    /// # Errors
    /// Returns an error if the program could not be updated.
    fn update(&self, stop: &Cancel) -> Result<Option<String>, Box<dyn Error + Send + Sync>>;

    /// Returns whether all issues of the program are validated after an update.
    fn validates(&self) -> bool;
}

/// A fuzz job of a campaign, with its share of the time.
pub struct FuzzJob {
    /// The index of the job's program in [`Jobs::programs`].
    pub program: usize,
    /// The name of the job's generator.
    pub generator: String,
    /// The implementation of the job.
    pub fuzz: Box<dyn Fuzz>,
    /// The share of the time that the job gets, compared to other fuzz jobs.
    pub weight: f64,
    /// The number of slices that may run at the same time.
    pub instances: usize,
    /// The maximum number of tests of a slice. `None` for as many tests as fit in a second.
    pub batch: Option<u64>,
    /// Whether the job's tests are expected to fail, such as the files in a folder of crashes. Then
    /// it is not reported as a likely mistake if all of them fail.
    pub expects_failures: bool,
    /// Whether its tests are run before any reduction, and the issues that are most severe and that
    /// most tests show are reduced first. If not, fuzz jobs and reductions share the time.
    pub comes_first: bool,
}

/// All jobs of a campaign.
#[derive(Default)]
pub struct Jobs {
    /// The programs.
    pub programs: Vec<ProgramJobs>,
    /// The fuzz jobs.
    pub fuzz: Vec<FuzzJob>,
}

/// The limits at which a campaign ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The time after which the campaign ends.
    pub time: Option<Duration>,
    /// The number of tests of fuzz jobs, counted from the start, after which the campaign ends.
    /// Waiting validations and reductions are still run.
    pub tests: Option<u64>,
    /// The number of new issues, counted from the start, at which the campaign ends. The issues are
    /// still validated and reduced.
    pub issues: Option<u64>,
    /// Whether the campaign waits for jobs that the user adds when there is nothing to do.
    pub stays: bool,
}

/// The reason for the end of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// All jobs are done.
    Complete,
    /// The campaign was stopped.
    Stopped,
    /// The time limit was reached.
    MaxTime,
    /// The test limit was reached.
    MaxTests,
    /// The limit on new issues was reached.
    MaxIssues,
}

/// A running job, for the dashboard and the page.
#[derive(Clone, Debug, Serialize)]
pub struct Running {
    /// `fuzz`, `validate`, `reduce`, `explain`, or `update`.
    pub kind: &'static str,
    /// The name of the program.
    pub program: String,
    /// The generator of a fuzz job.
    pub generator: Option<String>,
    /// The issue of another job.
    pub issue: Option<i64>,
    /// The progress of the job, in words.
    pub progress: String,
    /// The time since the start of the job, in seconds.
    pub seconds: f64,
}
