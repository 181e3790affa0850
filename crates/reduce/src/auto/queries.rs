use super::rows::copies_if_many;
use nubbin_engine::plan::{Plan, Repeat, Tier};
use nubbin_engine::work::Pass;
use nubbin_trees::tree_reducer::{Queries, TreeReducer, Trees};
use std::sync::Arc;

/// Adds the pass over queries to a plan if a file has a tree of a query language. The pass runs
/// before all other passes, and runs again when they have made the file smaller. `notes/sql.md` has
/// the figures.
///
/// Metamorphic tests have one predicate in several queries (Rigger, Su: Testing Database Engines
/// via Pivoted Query Synthesis, OSDI 2020, and the works after it). In such a test, no change of a
/// single query is adopted, so the copies are changed first.
pub(super) fn with_queries(
    plan: &mut Plan,
    trees: &Trees,
    pass: impl Fn(&Plan, Arc<dyn TreeReducer>) -> Arc<dyn Pass>,
) {
    let mut grammars = trees.grammars();
    if !grammars.any(|grammar| !grammar.conventions().queries.select.is_empty()) {
        return;
    }
    let at = |name: &str| plan.tiers.iter().position(|tier| tier.name == name);
    let first = at("probes").map_or(0, |at| at + 1);
    let coarse = at("coarse");
    let all = pass(plan, Arc::new(Queries));
    let mut passes: Vec<_> = copies_if_many().into_iter().collect();
    passes.push(all);
    if let Some(coarse) = coarse {
        plan.tiers[coarse].passes.splice(0..0, passes.clone());
    }
    let tier = Tier {
        name: "queries",
        passes,
        repeat: Repeat::Opening,
    };
    plan.tiers.insert(first, tier);
}
