//! The statistics of a run, from its outcome.

use super::log::LogFacts;
use super::tokens::Tokens;
use crate::events::{FailureRate, PassCounts, ReductionStatistics};
use crate::output::json::round;
use nubbin_reduce::engine::{Outcome, Reproduction};
use nubbin_verdict::Verdict;
use std::collections::BTreeMap;
use std::time::Duration;

/// Returns the statistics of a run, without the paths of its result, its sandbox, and other
/// failures.
pub(super) fn statistics(
    outcome: &Outcome,
    tokens: Option<Tokens>,
    facts: &LogFacts,
    first_test: Duration,
) -> ReductionStatistics {
    let counts = &outcome.statistics;
    let modules = tokens.and_then(|tokens| tokens.modules);
    let passes = counts.passes.iter().map(|(pass, counts)| PassCounts {
        pass: (*pass).to_owned(),
        runs: counts.runs,
        tests: counts.tests,
        adopted: counts.adopted,
        bytes_removed: counts.bytes_removed,
        wall_s: round(counts.elapsed.as_secs_f64()),
    });
    ReductionStatistics {
        tests: counts.tests,
        tests_failing: counts.failing,
        tests_unresolved: counts.unresolved,
        tests_timed_out: counts.timed_out,
        build_command: None,
        test_command: None,
        variables: None,
        tests_not_built: Some(counts.not_built).filter(|&tests| tests > 0),
        tests_started: counts.started,
        cache_hits: counts.cache_hits,
        malformed: counts.malformed,
        proposals: counts.proposals,
        configurations: facts.counts_configurations.then_some(counts.configurations),
        interventions: counts.interventions,
        bytes_before: counts.bytes_before as u64,
        bytes_after: counts.bytes_now as u64,
        tokens_before: tokens.map(|tokens| tokens.before as u64),
        tokens_after: tokens.map(|tokens| tokens.after as u64),
        instructions_before: modules.map(|modules| modules.before.instructions),
        instructions_after: modules.map(|modules| modules.after.instructions),
        functions_before: modules.map(|modules| modules.before.functions),
        functions_after: modules.map(|modules| modules.after.functions),
        wall_s: round(counts.elapsed.as_secs_f64()),
        wall_s_resumed: None,
        algorithm: facts.algorithm.clone(),
        sandbox: String::new(),
        sandbox_reason: None,
        sandbox_permitted: vec![],
        ended: outcome.ended.to_string(),
        failure: facts.failure.clone(),
        language: facts.language.clone(),
        first_test_s: round(first_test.as_secs_f64()),
        verified: outcome.verified.as_ref().map(Verdict::is_fail),
        original: outcome.original.map(rate),
        reproduction: outcome.reproduction.map(rate),
        replays: counts.replays,
        result: vec![],
        passes: passes.collect(),
        tests_over_limit: BTreeMap::new(),
        positions: 0,
        places: None,
        other_failures: vec![],
        changed_failure: None,
    }
}

fn rate(seen: Reproduction) -> FailureRate {
    FailureRate {
        failures: seen.failures,
        runs: seen.runs,
    }
}
