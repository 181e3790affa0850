//! `--stats`: the final counts, for scripts.

use crate::other_failures::OtherFailure;
use crate::output::json::round;
use nubbin_reduce::engine::{Outcome, Reproduction, Statistics};
use serde::Serialize;
use std::collections::BTreeMap;

/// The counts as written. Names are a promise: they are added to, never changed.
#[derive(Debug, Serialize)]
pub(super) struct Stats<'a> {
    pub(super) tests: u64,
    pub(super) tests_failing: u64,
    pub(super) tests_unresolved: u64,
    pub(super) tests_timed_out: u64,
    /// Tests started, with those that ran ahead and were not needed.
    pub(super) tests_started: u64,
    pub(super) cache_hits: u64,
    /// Proposals that were not tested since they did not parse as well as the best so far.
    pub(super) malformed: u64,
    /// What the algorithm asked, if nothing was remembered: the `tests`, the `cache_hits`, and what
    /// was not tested since it is no better.
    pub(super) proposals: u64,
    /// Of these, how many there are if outcomes are remembered by what was taken out: the count of
    /// the papers on hierarchical delta debugging. Absent with `auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) configurations: Option<u64>,
    /// How often somebody skipped a pass or left one out while it ran. Unless it is 0, the seed
    /// alone does not decide the result.
    pub(super) interventions: u64,
    pub(super) bytes_before: usize,
    pub(super) bytes_after: usize,
    pub(super) tokens_before: usize,
    pub(super) tokens_after: usize,
    pub(super) wall_s: f64,
    pub(super) algorithm: &'a str,
    /// Why the run ended: `complete`, `max-tests`, `max-time`, `small-enough`, `stalled`, `stopped` or
    /// `fault`.
    pub(super) ended: String,
    /// Whether the result failed again when it was tested once more; absent if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) verified: Option<bool>,
    /// How often the original failed, where the test is not reliable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) original: Option<Rate>,
    /// And how often the result does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reproduction: Option<Rate>,
    /// Runs that were only to see whether the test always says the same.
    pub(super) replays: u64,
    /// Paths of the result.
    pub(super) result: Vec<String>,
    pub(super) passes: Vec<Pass>,
    /// How many tests ran into which limit other than time. Tests that ran ahead count as well.
    pub(super) tests_over_limit: BTreeMap<&'static str, u64>,
    /// Failures other than the wanted one, in the order they were met. Tests that ran ahead count
    /// as well.
    pub(super) other_failures: Vec<OtherFailure>,
}

#[derive(Debug, Serialize)]
pub(super) struct Pass {
    pass: &'static str,
    runs: u64,
    tests: u64,
    adopted: u64,
    bytes_removed: i64,
    wall_s: f64,
}

/// How often an input failed.
#[derive(Debug, Serialize)]
pub(super) struct Rate {
    failures: u32,
    runs: u32,
}

impl From<Reproduction> for Rate {
    fn from(seen: Reproduction) -> Self {
        Rate {
            failures: seen.failures,
            runs: seen.runs,
        }
    }
}

/// Sizes in tokens, counted once each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens {
    pub(super) before: usize,
    pub(super) after: usize,
}

impl<'a> Stats<'a> {
    pub(super) fn new(outcome: &Outcome, tokens: Tokens, algorithm: &'a str) -> Self {
        let Statistics {
            tests,
            failing,
            unresolved,
            timed_out,
            started,
            ..
        } = outcome.statistics;
        let passes = outcome.statistics.passes.iter().map(|(pass, counts)| Pass {
            pass,
            runs: counts.runs,
            tests: counts.tests,
            adopted: counts.adopted,
            bytes_removed: counts.bytes_removed,
            wall_s: round(counts.elapsed.as_secs_f64()),
        });
        Stats {
            tests,
            tests_failing: failing,
            tests_unresolved: unresolved,
            tests_timed_out: timed_out,
            tests_started: started,
            cache_hits: outcome.statistics.cache_hits,
            malformed: outcome.statistics.malformed,
            proposals: outcome.statistics.proposals,
            configurations: Some(outcome.statistics.configurations).filter(|&count| count > 0),
            interventions: outcome.statistics.interventions,
            bytes_before: outcome.statistics.bytes_before,
            bytes_after: outcome.statistics.bytes_now,
            tokens_before: tokens.before,
            tokens_after: tokens.after,
            wall_s: round(outcome.statistics.elapsed.as_secs_f64()),
            algorithm,
            ended: outcome.ended.to_string(),
            verified: outcome
                .verified
                .as_ref()
                .map(nubbin_verdict::Verdict::is_fail),
            original: outcome.original.map(Rate::from),
            reproduction: outcome.reproduction.map(Rate::from),
            replays: outcome.statistics.replays,
            result: vec![],
            passes: passes.collect(),
            tests_over_limit: BTreeMap::new(),
            other_failures: vec![],
        }
    }
}
