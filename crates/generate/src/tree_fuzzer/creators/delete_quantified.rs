use super::super::mutant::{Piece, replaced};
use super::super::parent::Parents;
use super::pick;
use crate::choices::Choices;

/// Deletes an element of a quantifier that has more than its minimum.
pub(in super::super) fn create<'p>(
    parents: &Parents<'p>,
    choices: &mut Choices,
) -> Option<Vec<Piece<'p>>> {
    let parent = parents.recipient;
    let losing = parent.quantifiers().iter().filter(|each| each.can_lose());
    let elements = losing.flat_map(|quantifier| &quantifier.elements);
    let options: Vec<_> = elements.filter(|tokens| !tokens.is_empty()).collect();
    let tokens = (*pick(&options, choices)?).clone();
    Some(replaced(parent, tokens, vec![]))
}
