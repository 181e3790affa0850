use super::super::mutant::{Piece, inserted};
use super::super::parent::Parents;
use super::pick;
use crate::choices::Choices;

/// Copies an element of a quantifier to another position in the same quantifier.
pub(in super::super) fn create<'p>(
    parents: &Parents<'p>,
    choices: &mut Choices,
) -> Option<Vec<Piece<'p>>> {
    let parent = parents.recipient;
    let taking = parent.quantifiers().iter().filter(|each| each.can_take());
    let options: Vec<_> = taking
        .flat_map(|quantifier| {
            quantifier
                .elements
                .iter()
                .map(move |each| (quantifier, each))
        })
        .collect();
    let &(quantifier, tokens) = pick(&options, choices)?;
    let element = Piece::of(parent, tokens.clone());
    Some(inserted(parent, quantifier, element, choices))
}
