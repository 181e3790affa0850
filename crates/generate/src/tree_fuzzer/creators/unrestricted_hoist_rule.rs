use super::super::mutant::{Piece, replaced};
use super::super::parent::Parents;
use super::{TRIES, pick};
use crate::choices::Choices;

/// Replaces an instance of a rule, but not the root, with any rule or token inside it.
pub(in super::super) fn create<'p>(
    parents: &Parents<'p>,
    choices: &mut Choices,
) -> Option<Vec<Piece<'p>>> {
    let parent = parents.recipient;
    let tree = parent.tree();
    for _ in 0..TRIES {
        let &(_, inner) = pick(parent.nodes(), choices)?;
        let mut around = vec![];
        let mut at = inner;
        while let Some(outer) = tree
            .parent(at)
            .filter(|&outer| tree.parent(outer).is_some())
        {
            let is_larger = parent.span(outer).len() > parent.span(inner).len();
            if parent.is_rule(outer) && is_larger {
                around.push(outer);
            }
            at = outer;
        }
        if let Some(&outer) = pick(&around, choices) {
            let by = vec![Piece::of(parent, parent.span(inner))];
            return Some(replaced(parent, parent.span(outer), by));
        }
    }
    None
}
