#[cfg(feature = "trees")]
use super::only::only_on;
use crate::pass::by_id;
#[cfg(feature = "trees")]
use nubbin_edit::File;
use nubbin_edit::Input;
use nubbin_engine::plan::{Plan, Repeat, Tier};
#[cfg(feature = "trees")]
use nubbin_engine::work::Pass;
use nubbin_tallies::Book;
#[cfg(feature = "trees")]
use nubbin_trees::tree_reducer::Trees;
use std::sync::Arc;

/// The counts of the original, as a fact of a plan.
#[derive(Debug)]
#[cfg_attr(
    not(feature = "trees"),
    expect(dead_code, reason = "only passes over trees are added to a plan")
)]
struct Counted(Arc<Book>);

/// Returns the plan with passes that lower the numbers that count the removed parts, if the input
/// has counts.
///
/// Which numbers do is tried before all other passes over text.
pub(super) fn with_counts(mut plan: Plan, input: &Input) -> Plan {
    let Some(book) = Book::of(input) else {
        return plan;
    };
    for tier in &mut plan.tiers {
        let at = tier.passes.iter().position(|pass| pass.id() == "lines");
        if let Some(at) = at {
            tier.passes.splice(at..at, by_id("counted-tables"));
        }
        for pass in &mut tier.passes {
            *pass = book.counted(Arc::clone(pass));
        }
    }
    if book.has_guesses() {
        let probes = plan.tiers.iter().position(|tier| tier.name == "probes");
        let tier = Tier {
            name: "counts",
            passes: by_id("counts").into_iter().collect(),
            repeat: Repeat::Once,
        };
        plan.tiers.insert(probes.map_or(0, |at| at + 1), tier);
    }
    plan.with_fact(Counted(book))
}

/// Excludes programs from guesses about numbers at the start of a text. In a program, a number may
/// equal the number of lines or words after it accidentally. Keys of data are not excluded.
#[cfg(feature = "trees")]
pub(super) fn leave_out_programs(plan: &mut Plan, trees: &Trees) {
    let Some(Counted(book)) = plan.facts.get::<Counted>() else {
        return;
    };
    book.leave_out(|file| trees.has(file));
    for pass in plan.tiers.iter_mut().flat_map(|tier| &mut tier.passes) {
        if pass.id() == "counts" {
            let trees = trees.clone();
            let has_keys =
                |text: &[u8]| matches!(text.trim_ascii_start().first(), Some(b'{' | b'['));
            let fits = move |file: &File<'_>| !trees.has(file.number) || has_keys(file.text);
            *pass = only_on(Arc::clone(pass), fits);
        }
    }
}

/// Returns another pass of a plan that lowers numbers as the passes of the plan do.
#[cfg(feature = "trees")]
pub(super) fn counted(plan: &Plan, pass: Arc<dyn Pass>) -> Arc<dyn Pass> {
    match plan.facts.get::<Counted>() {
        Some(Counted(book)) => book.counted(pass),
        None => pass,
    }
}
