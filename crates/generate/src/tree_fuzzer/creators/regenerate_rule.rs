use super::super::mutant::{Piece, replaced};
use super::super::parent::Parents;
use super::pick;
use crate::choices::Choices;

/// Generates a rule or token again.
pub(in super::super) fn create<'p>(
    parents: &Parents<'p>,
    choices: &mut Choices,
) -> Option<Vec<Piece<'p>>> {
    let parent = parents.recipient;
    let &(symbol, node) = pick(parent.nodes(), choices)?;
    let tokens = parent.span(node);
    let gap = match tokens.is_empty() {
        true => &[],
        false => parent.gap(tokens.start),
    };
    Some(replaced(parent, tokens, vec![Piece::New { symbol, gap }]))
}
