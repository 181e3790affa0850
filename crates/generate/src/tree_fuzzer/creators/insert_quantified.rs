use super::super::mutant::{Piece, inserted};
use super::super::parent::Parents;
use super::{TRIES, pick};
use crate::choices::Choices;

/// Copies an element of a quantifier into an instance of the same quantifier in another parent.
pub(in super::super) fn create<'p>(
    parents: &Parents<'p>,
    choices: &mut Choices,
) -> Option<Vec<Piece<'p>>> {
    let Parents { recipient, donor } = *parents;
    for _ in 0..TRIES {
        let to = pick(recipient.quantifiers(), choices)?;
        if to.can_take()
            && let Some(from) = pick(donor.quantifiers_of(to.expr), choices)
            && let Some(tokens) = pick(&from.elements, choices)
        {
            let element = Piece::of(donor, tokens.clone());
            return Some(inserted(recipient, to, element, choices));
        }
    }
    None
}
