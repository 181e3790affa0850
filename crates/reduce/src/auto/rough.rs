//! Passes over the rough trees of texts without a parser.

use super::only::only_on;
use super::rows::by_ids;
use nubbin_engine::plan::{Plan, Tier};
use nubbin_engine::work::Pass;
use nubbin_grammar::syntax::Syntax;
use nubbin_trees::tree::{Preparation, RoughSyntax};
use nubbin_trees::tree_reducer::{self, Trees};
use std::sync::{Arc, LazyLock};

/// The tree reducers over rough trees, each with its tier and the pass before which it runs.
const ROUGH: [(&str, &str, &str); 2] = [
    ("coarse", "subtrees", "groups"),
    ("fine", "perses", "statements"),
];

/// The passes over brackets that rough trees replace, each with its tier and a pass after it.
///
/// On texts without a parser, the tree reducers remove the same text in fewer tests. The figures
/// are in `notes/decisions/0060-rough-trees-of-texts-without-a-parser.md`.
const REPLACED: [(&str, &str, &str); 4] = [
    ("coarse", "groups", "lines"),
    ("coarse", "hollow", "lines"),
    ("fine", "statements", "bodies"),
    ("fine", "lift", "unwrap"),
];

/// Passes over a rough view of a text that remove nothing more from a file with the tree of a
/// language: the tree reducers make the same changes in fewer tests. `notes/data/ablation.md` has
/// the figures.
pub(super) const WITHOUT_A_TREE: &[&str] = &["groups", "hollow", "statements", "operators"];

/// The steps that prepare rough trees. Lists are not recursive in them, so none is flattened.
const PREPARATION: Preparation = Preparation {
    flatten_chains: false,
    ..Preparation::ALL
};

/// One source for all passes, so that they share the trees of a text.
static TREES: LazyLock<Trees> = LazyLock::new(|| {
    let syntax: Arc<dyn Syntax> = Arc::new(RoughSyntax::new());
    Trees::new(syntax).prepared(PREPARATION)
});

/// Adds the passes over rough trees to the default plan for texts, and removes the passes that they
/// replace.
pub(super) fn with_rough_trees(plan: &mut Plan) {
    for (tier, id, before) in ROUGH {
        let reducer = tree_reducer::by_id(id);
        insert(plan, tier, before, reducer.map(|it| TREES.planned(it)));
    }
    plan.without(&REPLACED.map(|(_, id, _)| id));
}

/// Changes a plan with rough trees to a plan for an input in which files have trees. Files with
/// trees get the passes over brackets, and other files get the passes over rough trees. This
/// function must be called before passes over trees are added.
///
/// With the trees of a grammar, which some texts do not have, all files have the passes over
/// brackets.
pub(super) fn beside_trees(plan: &mut Plan, trees: &Trees) {
    let ids = ROUGH.map(|(_, id, _)| id);
    let is_rough = |pass: &Arc<dyn Pass>| ids.contains(&pass.id());
    if !plan.passes().any(is_rough) {
        return;
    }
    if trees.has_all() || !trees.is_tolerant() {
        plan.without(&ids);
        for (tier, id, before) in REPLACED {
            insert(plan, tier, before, by_ids(&[id]));
        }
        return;
    }
    for tier in &mut plan.tiers {
        for pass in tier.passes.iter_mut().filter(|pass| is_rough(pass)) {
            let trees = trees.clone();
            *pass = only_on(Arc::clone(pass), move |file| !trees.has(file.number));
        }
    }
    let beside_a_tree = |id: &str| !WITHOUT_A_TREE.contains(&id);
    for (tier, id, before) in REPLACED.into_iter().filter(|it| beside_a_tree(it.1)) {
        let on_trees = |pass| {
            let trees = trees.clone();
            only_on(pass, move |file| trees.has(file.number))
        };
        insert(plan, tier, before, by_ids(&[id]).into_iter().map(on_trees));
    }
}

/// Inserts passes before the pass of a name in a tier.
fn insert(
    plan: &mut Plan,
    tier: &str,
    before: &str,
    passes: impl IntoIterator<Item = Arc<dyn Pass>>,
) {
    let is_tier = |it: &&mut Tier| it.name == tier;
    if let Some(tier) = plan.tiers.iter_mut().find(is_tier) {
        let at = tier.passes.iter().position(|pass| pass.id() == before);
        let at = at.unwrap_or(tier.passes.len());
        tier.passes.splice(at..at, passes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_edit::Input;
    use nubbin_engine::work::{Context, Views};

    /// Returns whether a pass of this name is opened on each of two files.
    fn opens(plan: &Plan, input: &Input, id: &str) -> [bool; 2] {
        let views = Views::default();
        let context = Context::of(input, &views);
        let passes: Vec<_> = plan.passes().filter(|pass| pass.id() == id).collect();
        [0, 1].map(|number| {
            let file = input.file(number).unwrap();
            passes
                .iter()
                .any(|pass| pass.open(&file, &context).is_some())
        })
    }

    #[test]
    fn a_text_without_a_parser_has_a_rough_tree() {
        let text = || b"f(1, 2) { g(2); }".to_vec();
        let input = Input::files([("a", text()), ("b", text())]).unwrap();
        let plan = super::super::plan(&input);
        for (_, id, _) in ROUGH {
            assert_eq!(opens(&plan, &input, id), [true, true], "{id}");
        }
        for (_, id, _) in REPLACED {
            assert!(plan.passes().all(|pass| pass.id() != id), "{id}");
        }
    }

    #[test]
    fn a_file_has_either_its_tree_or_a_rough_one() {
        let text = || b"f(1, 2) { g(2); }".to_vec();
        let input = Input::files([("a", text()), ("b", text())]).unwrap();
        let syntax: Arc<dyn Syntax> = Arc::new(RoughSyntax::new());
        let beside = |trees: Trees| {
            let mut plan = super::super::plan(&input);
            beside_trees(&mut plan, &trees);
            ["perses", "lift", "groups"].map(|id| opens(&plan, &input, id))
        };
        let second = Trees::of_each(Arc::new([None, Some(Arc::clone(&syntax))]));
        let (none, all) = ([false; 2], [true; 2]);
        assert_eq!(beside(second), [[true, false], [false, true], none]);
        assert_eq!(beside(Trees::new(Arc::clone(&syntax))), [none, all, all]);
        assert_eq!(beside(Trees::new(syntax).partial()), [none, all, all]);
    }
}
