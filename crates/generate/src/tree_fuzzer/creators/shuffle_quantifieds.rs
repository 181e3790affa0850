use super::super::mutant::{Edit, Piece, edited};
use super::super::parent::Parents;
use super::pick;
use crate::choices::Choices;

/// Puts the elements of a quantifier into another order.
pub(in super::super) fn create<'p>(
    parents: &Parents<'p>,
    choices: &mut Choices,
) -> Option<Vec<Piece<'p>>> {
    let parent = parents.recipient;
    let quantifiers = parent.quantifiers().iter();
    let options: Vec<_> = quantifiers.filter(|each| each.elements.len() > 1).collect();
    let elements = &pick(&options, choices)?.elements;
    let mut order: Vec<usize> = (0..elements.len()).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, choices.choose(at + 1, at));
    }
    let edit = |(place, from): (usize, usize)| Edit {
        tokens: elements[place].clone(),
        by: vec![Piece::of(parent, elements[from].clone())],
    };
    Some(edited(parent, order.into_iter().enumerate().map(edit)))
}
