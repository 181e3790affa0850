//! The statistics of an isolation, as `--stats` writes them.

use super::results::Results;
use crate::events::TestPlaces;
use crate::output::json::round;
use nubbin_reduce::isolate::{DdOrder, Isolated};
use nubbin_verdict::Verdict;
use serde::Serialize;

/// The document that `--stats` writes. Names are a promise: they are added to, never changed.
#[derive(Debug, Serialize)]
pub(super) struct Stats {
    tests: u64,
    tests_failing: u64,
    tests_passing: u64,
    tests_unresolved: u64,
    tests_timed_out: u64,
    /// Absent without `--build`.
    #[serde(skip_serializing_if = "Option::is_none")]
    tests_not_built: Option<u64>,
    /// Started tests, with prefetched ones that were not needed.
    tests_started: u64,
    cache_hits: u64,
    /// Changes between the two inputs, by the first kind of atom.
    changes_before: u32,
    /// Changes that are left, by the last kind.
    changes_after: u32,
    levels: Vec<Level>,
    wall_s: f64,
    algorithm: &'static str,
    /// The reason why the run ended: `complete`, `max-tests`, `max-time`, `stopped` or `fault`.
    ended: String,
    /// Whether both results held when they were tested again; absent if they were not tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<bool>,
    /// The numbers of runs of the test by machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) places: Option<TestPlaces>,
    /// Paths of the results, passing result first.
    result: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Level {
    atom: &'static str,
    changes: u32,
    left: u32,
    tests: u64,
}

impl Stats {
    pub(super) fn new(isolated: &Isolated, order: DdOrder, results: &Results) -> Self {
        let counts = &isolated.statistics;
        let levels: Vec<Level> = counts
            .levels
            .iter()
            .map(|level| Level {
                atom: level.atom.id(),
                changes: level.changes,
                left: level.left,
                tests: level.tests,
            })
            .collect();
        Stats {
            tests: counts.tests,
            tests_failing: counts.failing,
            tests_passing: counts.passing,
            tests_unresolved: counts.unresolved,
            tests_timed_out: counts.timed_out,
            tests_not_built: Some(counts.not_built).filter(|&tests| tests > 0),
            tests_started: counts.started,
            cache_hits: counts.cache_hits,
            changes_before: levels.first().map_or(0, |level| level.changes),
            changes_after: levels.last().map_or(0, |level| level.left),
            levels,
            wall_s: round(counts.elapsed.as_secs_f64()),
            algorithm: order.id(),
            ended: isolated.ended.to_string(),
            verified: isolated
                .verified
                .as_ref()
                .map(|verdicts| *verdicts == [Verdict::Pass, Verdict::Fail]),
            places: None,
            result: results
                .paths()
                .map(|path| path.display().to_string())
                .collect(),
        }
    }
}
