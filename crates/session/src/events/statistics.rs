//! The statistics of a reduction.

use nubbin_oracle::PlaceCounts;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The JSON document that `--stats` writes. The document is also the last event of a log.
///
/// The names of fields are stable: new fields may be added, and names change only with the version
/// of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReductionStatistics {
    /// The number of counted tests.
    pub tests: u64,
    pub tests_failing: u64,
    pub tests_unresolved: u64,
    pub tests_timed_out: u64,
    /// Candidates that did not build. These candidates are included in `tests_unresolved`. Absent
    /// without `--build`, and in logs of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests_not_built: Option<u64>,
    /// Started tests, including prefetched tests that were not needed.
    pub tests_started: u64,
    /// Candidates whose verdict was in the cache.
    pub cache_hits: u64,
    /// Candidates that the syntax filter rejected.
    pub malformed: u64,
    /// Proposals of the algorithm: the `tests`, the `cache_hits`, and proposals that are not better
    /// than the best so far.
    pub proposals: u64,
    /// The number of `proposals` that remove different text: the count of the papers on
    /// hierarchical delta debugging. Absent with `auto`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configurations: Option<u64>,
    /// The number of times that the user skipped or disabled a pass. If it is not 0, the seed alone
    /// does not decide the result.
    pub interventions: u64,
    pub bytes_before: u64,
    pub bytes_after: u64,
    /// The tokens of the original and of the result. Absent if a large run had to end in time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_after: Option<u64>,
    /// The instructions and functions of the original and of the result, if both are modules (LLVM
    /// IR, SPIR-V, MLIR, WebAssembly).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions_before: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions_after: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub functions_before: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub functions_after: Option<u64>,
    /// Seconds that the run took.
    pub wall_s: f64,
    /// Seconds of the earlier runs that this run resumed. Their tests are counted. Absent if the
    /// run did not resume an earlier run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_s_resumed: Option<f64>,
    /// The name of the plan.
    pub algorithm: String,
    /// The build with the arguments of the result. Absent without `--build` and `--reduce-args`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_command: Option<String>,
    /// The test with the arguments of the result. Absent without `--reduce-args`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_command: Option<String>,
    /// The names of the variables that the result needs. Absent without `--reduce-env`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variables: Option<Vec<String>>,
    /// Whether the tests ran in a sandbox: `on` or `off`. Absent in logs of older versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sandbox: String,
    /// The reason why there was no sandbox. Absent with a sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox_reason: Option<String>,
    /// The permissions that the original needed, as flags. Absent if the test needed no permission.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sandbox_permitted: Vec<String>,
    /// The reason why the run ended: `complete`, `max-tests`, `max-time`, `small-enough`,
    /// `stalled`, `stopped`, or `fault`.
    pub ended: String,
    /// The failure that is kept, as in the first line of the log.
    #[serde(default)]
    pub failure: String,
    /// The language or grammar of the input, as in the first line of the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Seconds that the test of the original took.
    #[serde(default)]
    pub first_test_s: f64,
    /// Whether the result failed when it was tested again; absent if it was not tested again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
    /// The failures of the original; absent unless the test is flaky.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<FailureRate>,
    /// The failures of the result; absent unless the test is flaky.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reproduction: Option<FailureRate>,
    /// Runs of the test that only checked whether it is flaky.
    pub replays: u64,
    /// Paths of the result; empty if the run ended before its first success and an earlier result
    /// is still in place.
    pub result: Vec<String>,
    pub passes: Vec<PassCounts>,
    /// The number of tests that hit a limit other than time, by the flag of the limit. Prefetched
    /// tests are included.
    pub tests_over_limit: BTreeMap<String, u64>,
    /// The number of positions in the input that the original's run printed and that the first
    /// tests kept; absent if the run printed no positions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub positions: u64,
    /// The numbers of runs of the test by machine. Absent without a farm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<TestPlaces>,
    /// Failures other than the original's, in the order of their first tests. Prefetched tests are
    /// included.
    pub other_failures: Vec<OtherFailure>,
    /// The failures of the original and of the result, if they differ although both meet the
    /// conditions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_failure: Option<ChangedFailure>,
}

/// A result that shows another failure than the original.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedFailure {
    /// The failure of the original, as `--same-failure` recognizes it, or its message.
    pub original: String,
    /// The failure of the result, or its message.
    pub result: String,
    /// Whether `original` and `result` are the messages, since `--same-failure` would not tell the
    /// two failures apart.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub values_differ: bool,
}

/// The number of runs of the test by machine, including prefetched tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestPlaces {
    /// Runs on this machine.
    pub here: u64,
    /// Runs on the workers of the farm.
    pub there: u64,
    /// Runs whose results the farm had stored.
    pub known: u64,
    /// Actions that were requested from the farm. An action has one or more runs.
    pub actions: u64,
}

impl From<PlaceCounts> for TestPlaces {
    fn from(counts: PlaceCounts) -> Self {
        TestPlaces {
            here: counts.here,
            there: counts.there,
            known: counts.known,
            actions: counts.actions,
        }
    }
}

/// The counts of all runs of a pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PassCounts {
    pub pass: String,
    pub runs: u64,
    pub tests: u64,
    pub adopted: u64,
    /// The number of bytes that the pass removed; negative if it added bytes.
    pub bytes_removed: i64,
    pub wall_s: f64,
}

/// The number of failures of an input in a number of runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailureRate {
    pub failures: u32,
    pub runs: u32,
}

/// A failure other than the original's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OtherFailure {
    pub signature: String,
    /// The exit of the run with the smallest input.
    pub exit: String,
    /// The number of tests that showed the failure.
    pub tests: u64,
    /// The size of the smallest input that shows the failure.
    pub bytes: u64,
    /// The folder of the smallest input that shows the failure; absent without `--other-failures`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// Returns whether a count is left out.
fn is_zero(count: &u64) -> bool {
    *count == 0
}
