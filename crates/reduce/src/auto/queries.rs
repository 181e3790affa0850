use nubbin_engine::plan::{Plan, Repeat, Tier};
use nubbin_engine::work::Pass;
use nubbin_trees::tree_reducer::{Queries, TreeReducer, Trees};
use std::sync::Arc;

/// Adds the pass over queries to a plan where a file has a tree of a language of queries: before
/// all others, and again when these have made the file smaller. `notes/sql.md` has the figures.
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
    if let Some(coarse) = coarse {
        plan.tiers[coarse].passes.insert(0, Arc::clone(&all));
    }
    let tier = Tier {
        name: "queries",
        passes: vec![all],
        repeat: Repeat::Opening,
    };
    plan.tiers.insert(first, tier);
}
