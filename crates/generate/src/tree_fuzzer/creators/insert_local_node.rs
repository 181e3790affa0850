use super::super::mutant::{Piece, inserted};
use super::super::parent::Parents;
use super::{TRIES, pick};
use crate::choices::Choices;

/// Copies an element of a quantifier into another instance of the same quantifier.
pub(in super::super) fn create<'p>(
    parents: &Parents<'p>,
    choices: &mut Choices,
) -> Option<Vec<Piece<'p>>> {
    let parent = parents.recipient;
    for _ in 0..TRIES {
        let to = pick(parent.quantifiers(), choices)?;
        let from = pick(parent.quantifiers_of(to.expr), choices)?;
        if to.can_take()
            && !std::ptr::eq(to, from)
            && let Some(tokens) = pick(&from.elements, choices)
        {
            let element = Piece::of(parent, tokens.clone());
            return Some(inserted(parent, to, element, choices));
        }
    }
    None
}
