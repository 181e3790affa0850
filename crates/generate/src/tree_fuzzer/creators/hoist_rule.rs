use super::super::mutant::{Piece, replaced};
use super::super::parent::Parents;
use super::pick;
use crate::choices::Choices;

/// Replaces an instance of a rule with one inside it of the same rule.
pub(in super::super) fn create<'p>(
    parents: &Parents<'p>,
    choices: &mut Choices,
) -> Option<Vec<Piece<'p>>> {
    let parent = parents.recipient;
    let tree = parent.tree();
    let mut options = vec![];
    // Instances of a rule are listed in tree order, so the enclosing instances form a stack.
    let mut around = vec![];
    let mut of = None;
    for &(symbol, node) in parent
        .nodes()
        .iter()
        .filter(|(_, node)| parent.is_rule(*node))
    {
        if of != Some(symbol) {
            around.clear();
            of = Some(symbol);
        }
        while around
            .last()
            .is_some_and(|&outer| !tree.covers(outer, node))
        {
            around.pop();
        }
        options.extend(around.last().map(|&outer| (outer, node)));
        around.push(node);
    }
    let &(outer, inner) = pick(&options, choices)?;
    let by = vec![Piece::of(parent, parent.span(inner))];
    Some(replaced(parent, parent.span(outer), by))
}
