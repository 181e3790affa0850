use super::super::mutant::{Edit, Piece, edited};
use super::super::parent::Parents;
use super::{TRIES, pick};
use crate::choices::Choices;

/// Swaps two instances of the same rule or token with different texts, none inside the other.
pub(in super::super) fn create<'p>(
    parents: &Parents<'p>,
    choices: &mut Choices,
) -> Option<Vec<Piece<'p>>> {
    let parent = parents.recipient;
    for _ in 0..TRIES {
        let &(symbol, one) = pick(parent.nodes(), choices)?;
        let &(_, other) = pick(parent.nodes_of(symbol), choices)?;
        let (left, right) = (parent.span(one.min(other)), parent.span(one.max(other)));
        if left.end <= right.start && !parent.is_same(&left, parent, &right) {
            let by = |tokens| vec![Piece::of(parent, tokens)];
            let edits = [
                Edit {
                    tokens: left.clone(),
                    by: by(right.clone()),
                },
                Edit {
                    tokens: right,
                    by: by(left),
                },
            ];
            return Some(edited(parent, edits));
        }
    }
    None
}
