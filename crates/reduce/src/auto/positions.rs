use super::only::only_on;
use nubbin_edit::{Input, Span};
use nubbin_engine::plan::{Plan, Repeat, Tier};
use nubbin_engine::work::{Context, OpenedBy};
use nubbin_trees::tree_reducer::{AtPositions, Root, RootKind, Trees};
use std::ops::Range;
use std::sync::Arc;

/// The name of the pass that [`with_positions`] adds. This pass is not in the catalogue.
pub const POSITIONS: &str = "positions";

/// A position in an input to which the failure refers, such as the line of a compiler's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The number of the file.
    pub file: usize,
    /// The range of bytes in the file.
    pub range: Range<usize>,
    /// The relation of the position to the failure.
    pub kind: RootKind,
}

/// Adds the [pass](AtPositions) that keeps the parts at these positions of `original` to a default
/// plan, before all other passes. A plan is not changed without positions or without trees of a
/// language.
///
/// The pass does nothing on any text but the original, since its positions may differ.
///
/// ```
/// use nubbin_reduce::auto::{self, Position};
/// # use nubbin_grammar::{parse::Parser, read::read};
/// use nubbin_reduce::input::Input;
/// use nubbin_reduce::tree_reducer::{RootKind, Trees};
/// # use std::sync::Arc;
/// # let grammar = read("<start> ::= \"(\" <start> \")\" | \"x\"", None, "brackets").unwrap();
/// # let trees = Trees::new(Arc::new(Parser::new(Arc::new(grammar)).unwrap()));
///
/// let input = Input::single("input", "((x))")?;
/// let plan = auto::with_trees(auto::plan(&input), &trees);
/// let position = Position { file: 0, range: 2..3, kind: RootKind::Failure };
/// let plan = auto::with_positions(plan, &trees, &input, &[position]);
/// assert_eq!(plan.tiers[0].name, "positions");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_positions(
    mut plan: Plan,
    trees: &Trees,
    original: &Input,
    positions: &[Position],
) -> Plan {
    let root = |position: &Position| {
        let start = original.file(position.file)?.span.start;
        let span = Span::at(start, position.range.clone());
        let kind = position.kind;
        Some(Root { span, kind })
    };
    let roots: Vec<Root> = positions.iter().filter_map(root).collect();
    if roots.is_empty() {
        return plan;
    }
    let pass = trees.planned(Arc::new(AtPositions::new(roots)));
    let original = original.fingerprint();
    let pass = OpenedBy::wrap(pass, move |pass, files, context: &Context<'_>| {
        if context.input.fingerprint() != original {
            return None;
        }
        match files {
            [file] => pass.open(file, context),
            files => pass.open_all(files, context),
        }
    });
    let pass = only_on(pass, |file| file.text.len() <= super::trees::LARGEST_TREE);
    let tier = Tier {
        name: POSITIONS,
        passes: vec![pass],
        repeat: Repeat::Opening,
    };
    plan.tiers.insert(0, tier);
    plan
}
