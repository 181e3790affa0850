use crate::pass::Pass;
use crate::plan::{Plan, Repeat, Tier};
use crate::tree_reducer::{self, TreeReducer};
use std::sync::Arc;

/// Additions to the plan for text for the trees of a language: tiers, and passes before or after
/// those of a tier.
///
/// Slices come first. Where candidates must be valid programs, no other pass saves as much. Where
/// they need not be, slices give up after sixteen tests. The first cuts after them are those of a
/// text: compilers crash on many invalid programs, and the text between two brackets is removed in
/// one test, even if the code around it needs it. The rest takes fewer tests with the grammar.
/// `notes/cases.md` has the figures for the order.
const LANGUAGE: &[(Place, &[&str])] = &[
    (
        Place::Behind("probes", "slices", Repeat::Glance),
        &["slices", "stubs"],
    ),
    (Place::Last("opening"), &["subtrees"]),
    (
        Place::In("fine"),
        &["perses", "slice-by-slice", "parameters", "inline"],
    ),
];

/// Additions for the trees of a grammar. Most candidates that do not fit it are not worth a test,
/// so they come first.
const GRAMMAR: &[(Place, &[&str])] = &[
    (
        Place::Behind("probes", "tree", Repeat::Opening),
        &["subtrees", "perses", "grabr-generative"],
    ),
    (Place::In("fine"), &["perses"]),
];

#[derive(Clone, Copy)]
enum Place {
    /// A tier of its own, after the one of this name.
    Behind(&'static str, &'static str, Repeat),
    /// Before the passes of a tier.
    In(&'static str),
    /// After the passes of a tier.
    Last(&'static str),
}

/// Extends a plan for text to one for an input with trees. `pass` makes a pass of a tree reducer
/// over these trees; `tolerant` says that every text has a tree.
pub fn with_trees(
    mut plan: Plan,
    tolerant: bool,
    pass: impl Fn(Arc<dyn TreeReducer>) -> Arc<dyn Pass>,
) -> Plan {
    for &(place, ids) in if tolerant { LANGUAGE } else { GRAMMAR } {
        let reducers = ids.iter().filter_map(|id| tree_reducer::by_id(id));
        let passes: Vec<Arc<dyn Pass>> = reducers.map(&pass).collect();
        let at = |name: &str| plan.tiers.iter().position(|tier| tier.name == name);
        match place {
            Place::Behind(before, name, repeat) => {
                let tier = Tier {
                    name,
                    passes,
                    repeat,
                };
                plan.tiers.insert(at(before).map_or(0, |at| at + 1), tier);
            }
            Place::In(name) => {
                if let Some(at) = at(name) {
                    plan.tiers[at].passes.splice(0..0, passes);
                }
            }
            Place::Last(name) => {
                if let Some(at) = at(name) {
                    plan.tiers[at].passes.extend(passes);
                }
            }
        }
    }
    plan
}

#[cfg(test)]
mod tests {
    use super::super::plan::TEXT;
    use super::*;

    #[test]
    fn every_tree_reducer_named_in_a_plan_exists() {
        for &(place, ids) in LANGUAGE.iter().chain(GRAMMAR) {
            let name = match place {
                Place::Behind(name, ..) | Place::In(name) | Place::Last(name) => name,
            };
            assert!(TEXT.iter().any(|row| row.0 == name), "{name}");
            assert!(
                ids.iter().all(|id| tree_reducer::by_id(id).is_some()),
                "{ids:?}"
            );
        }
    }
}
