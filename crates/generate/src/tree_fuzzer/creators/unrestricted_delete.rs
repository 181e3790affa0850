use super::super::mutant::{Piece, replaced};
use super::super::parent::Parents;
use super::pick;
use crate::choices::Choices;

/// Deletes an instance of a rule or token, whether or not the grammar allows that.
pub(in super::super) fn create<'p>(
    parents: &Parents<'p>,
    choices: &mut Choices,
) -> Option<Vec<Piece<'p>>> {
    let parent = parents.recipient;
    let nodes = parent.nodes().iter().map(|&(_, node)| parent.span(node));
    let options: Vec<_> = nodes.filter(|tokens| !tokens.is_empty()).collect();
    let tokens = pick(&options, choices)?.clone();
    Some(replaced(parent, tokens, vec![]))
}
