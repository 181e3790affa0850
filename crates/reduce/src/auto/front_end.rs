use nubbin_edit::Input;
use nubbin_engine::plan::{Plan, Repeat, Tier};
use nubbin_text::{FrontEnd, Slicer};
use std::sync::Arc;

/// The name of the pass that [`with_front_end`] adds. This pass is not in the catalogue.
pub const FRONT_END: &str = "front-end";

/// Adds the [pass](FrontEnd) that tests slices of a file of `original` to a default plan, before
/// all other passes.
pub fn with_front_end(
    mut plan: Plan,
    original: &Input,
    file: usize,
    slicer: Arc<dyn Slicer>,
) -> Plan {
    let tier = Tier {
        name: FRONT_END,
        passes: vec![Arc::new(FrontEnd::new(original, file, slicer))],
        repeat: Repeat::Opening,
    };
    plan.tiers.insert(0, tier);
    plan
}
