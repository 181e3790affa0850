#[cfg(feature = "counts")]
use super::counts::counted;
use super::only::only_on;
use super::plan::is_of_several;
use super::rough::WITHOUT_A_TREE;
use nubbin_edit::{File, Input};
use nubbin_engine::plan::{Plan, Repeat, Tier};
use nubbin_engine::work::Pass;
use nubbin_grammar::syntax::Syntax;
use nubbin_text::SharedWords;
use nubbin_trees::tree_reducer::{self, TreeReducer, Trees};
use std::sync::Arc;

/// Additions to the plan for text, for the trees of a language: tiers, and passes before or after
/// the passes of a tier.
///
/// Code that no needed declaration reaches is removed first, in few tests. Then cuts of a text and
/// slices take turns: compilers crash on many invalid programs, and the text between two brackets
/// is removed in one test, even if the code around it needs it; where candidates must be valid
/// programs, slices save more. In several files, a parameter keeps its type and its arguments in
/// all of them, and no other pass removes it. The rest takes fewer tests with the grammar. The
/// figures for the order are in `notes/decisions/0002-unreachable-code-first.md`.
const LANGUAGE: &[(Place, &[&str])] = &[
    (Place::After("opening", "comments"), &["unreachable"]),
    (Place::After("opening", "depth-0"), &["slices"]),
    (Place::After("opening", "elements"), &["stubs"]),
    (Place::OfSeveral("opening", "stubs"), &["parameters"]),
    (Place::Last("opening"), &["subtrees"]),
    (Place::In("fine"), &["perses", "parameters", "inline"]),
    (
        Place::Last("last"),
        &["type-parameters", "coupled", "same-kind", "identifiers"],
    ),
    (Place::After("polish", "names"), &["scoped-names"]),
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

/// The number of bytes above which the first tiers do not use the tree of a file. A tree of 2 MB
/// takes about a second. If a test takes milliseconds, the passes over text remove nearly all of
/// such a file in less time. The figures are in
/// `notes/decisions/0005-limits-for-trees-of-large-files.md`.
pub(super) const LARGEST_TREE: usize = 2 << 20;

#[derive(Clone, Copy)]
enum Place {
    /// In a new tier, after the tier of this name.
    Behind(&'static str, &'static str, Repeat),
    /// After one pass of a tier.
    After(&'static str, &'static str),
    /// After one pass of a tier, on inputs of several files.
    OfSeveral(&'static str, &'static str),
    /// Before the passes of a tier.
    In(&'static str),
    /// After the passes of a tier.
    Last(&'static str),
}

/// Returns the default plan for a text, with the trees of one syntax.
///
/// ```
/// use nubbin_reduce::{auto, input::Input};
/// # use nubbin_grammar::{parse::Parser, read::read};
/// # use std::sync::Arc;
/// # let grammar = read("<start> ::= \"(\" <start> \")\" | \"x\"", None, "brackets").unwrap();
/// # let syntax = Arc::new(Parser::new(Arc::new(grammar)).unwrap());
///
/// let input = Input::single("input", "((x))").unwrap();
/// let plan = auto::plan_with_syntax(&input, syntax);
/// assert!(plan.passes().any(|pass| pass.id() == "perses"));
/// ```
pub fn plan_with_syntax(input: &Input, syntax: Arc<dyn Syntax>) -> Plan {
    with_trees(super::plan(input), &Trees::new(syntax))
}

/// Without knowledge of counts, no number is lowered.
#[cfg(not(feature = "counts"))]
fn counted(_: &Plan, pass: Arc<dyn Pass>) -> Arc<dyn Pass> {
    pass
}

/// Extends a plan for text to a plan for an input with trees.
pub fn with_trees(mut plan: Plan, trees: &Trees) -> Plan {
    super::rough::beside_trees(&mut plan, trees);
    let mut plan = extended(plan, trees.is_tolerant(), |plan, reducer| {
        counted(plan, trees.planned(reducer))
    });
    super::queries::with_queries(&mut plan, trees, |plan, reducer| {
        counted(plan, trees.planned(reducer))
    });
    if trees.is_tolerant() {
        leave_out_of_trees(&mut plan, trees);
        keep_to_traces(&mut plan, trees);
        #[cfg(feature = "counts")]
        super::counts::leave_out_programs(&mut plan, trees);
    }
    if let Some(algorithm) = trees.list_algorithm() {
        plan.algorithm = Some(algorithm.clone());
    }
    plan
}

/// Keeps the passes of [`WITHOUT_A_TREE`] away from the files that have a tree.
fn leave_out_of_trees(plan: &mut Plan, trees: &Trees) {
    if trees.has_all() {
        return plan.without(WITHOUT_A_TREE);
    }
    for pass in plan.tiers.iter_mut().flat_map(|tier| &mut tier.passes) {
        if WITHOUT_A_TREE.contains(&pass.id()) {
            let trees = trees.clone();
            *pass = only_on(Arc::clone(pass), move |file| !trees.has(file.number));
        }
    }
}

/// Keeps `shared-words` to lists of calls on the files that have a tree: in programs, passes over
/// trees find declarations and their uses.
fn keep_to_traces(plan: &mut Plan, trees: &Trees) {
    for pass in plan.tiers.iter_mut().flat_map(|tier| &mut tier.passes) {
        if pass.id() == "shared-words" {
            let trees = trees.clone();
            let fits =
                move |file: &File<'_>| !trees.has(file.number) || SharedWords::is_trace(file);
            *pass = only_on(Arc::clone(pass), fits);
        }
    }
}

/// Adds the passes to a plan. `pass` creates the pass of a tree reducer over these trees.
/// `tolerant` states whether every text has a tree.
fn extended(
    mut plan: Plan,
    tolerant: bool,
    pass: impl Fn(&Plan, Arc<dyn TreeReducer>) -> Arc<dyn Pass>,
) -> Plan {
    for &(place, ids) in if tolerant { LANGUAGE } else { GRAMMAR } {
        let reducers = ids.iter().filter_map(|id| tree_reducer::by_id(id));
        let small = |pass| match place {
            Place::In(_) => pass,
            Place::Behind(..) | Place::After(..) | Place::OfSeveral(..) | Place::Last(_) => {
                only_on(pass, |file| file.text.len() <= LARGEST_TREE)
            }
        };
        let passes: Vec<_> = reducers
            .map(|reducer| small(pass(&plan, reducer)))
            .collect();
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
            Place::OfSeveral(..) if !is_of_several(&plan) => {}
            Place::After(name, before) | Place::OfSeveral(name, before) => {
                if let Some(at) = at(name) {
                    let there = &mut plan.tiers[at].passes;
                    let at = there.iter().position(|pass| pass.id() == before);
                    let at = at.map_or(there.len(), |at| at + 1);
                    there.splice(at..at, passes);
                }
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
    use super::super::rows::TEXT;
    use super::*;
    use crate::pass;
    use nubbin_engine::work::Context;

    #[test]
    fn every_tree_reducer_named_in_a_plan_exists() {
        for &(place, ids) in LANGUAGE.iter().chain(GRAMMAR) {
            let name = match place {
                Place::Behind(name, ..)
                | Place::After(name, _)
                | Place::OfSeveral(name, _)
                | Place::In(name)
                | Place::Last(name) => name,
            };
            assert!(TEXT.iter().any(|row| row.name == name), "{name}");
            assert!(
                ids.iter().all(|id| tree_reducer::by_id(id).is_some()),
                "{ids:?}"
            );
        }
    }

    #[test]
    fn passes_over_a_rough_view_run_on_files_without_a_tree() {
        let grammar = nubbin_grammar::read::read("<s> ::= \"x\"*", None, "g").unwrap();
        let parser = nubbin_grammar::parse::Parser::new(Arc::new(grammar)).unwrap();
        let syntax: Arc<dyn Syntax> = Arc::new(parser);
        let text = || b"f(1) + g(2);".to_vec();
        let input = Input::files([("a", text()), ("b", text())]).unwrap();
        let views = nubbin_engine::work::Views::default();
        let context = Context::of(&input, &views);
        let opened = |trees: Trees| {
            let mut plan = super::super::plan(&input);
            leave_out_of_trees(&mut plan, &trees);
            let operators: Vec<_> = plan
                .passes()
                .filter(|pass| pass.id() == "operators")
                .collect();
            [0, 1].map(|number| {
                let file = input.file(number).unwrap();
                operators
                    .iter()
                    .any(|pass| pass.open(&file, &context).is_some())
            })
        };
        let second = Trees::of_each(Arc::new([None, Some(Arc::clone(&syntax))]));
        assert_eq!(opened(second), [true, false]);
        assert_eq!(opened(Trees::new(syntax)), [false, false]);
    }

    #[test]
    fn the_first_tiers_make_no_tree_of_a_large_file() {
        let opens = |bytes: usize| {
            let input = Input::single("x.c", "f();\n".repeat(bytes / 5)).unwrap();
            let views = nubbin_engine::work::Views::default();
            let context = Context::of(&input, &views);
            let lines = |_: &Plan, _| pass::by_id("lines").unwrap();
            let plan = extended(super::super::plan(&input), true, lines);
            let file = input.file(0).unwrap();
            ["opening", "fine"].map(|name| {
                let tier = plan.tiers.iter().find(|tier| tier.name == name).unwrap();
                let mut passes = tier.passes.iter();
                let lines = passes.find(|pass| pass.id() == "lines").unwrap();
                lines.open(&file, &context).is_some()
            })
        };
        assert_eq!(opens(LARGEST_TREE), [true, true]);
        assert_eq!(opens(LARGEST_TREE + 5), [false, true]);
    }
}
