use super::super::mutant::Piece;
use super::super::parent::Parents;
use crate::choices::Choices;

/// Generates a new text of the start rule.
pub(in super::super) fn create<'p>(
    parents: &Parents<'p>,
    _: &mut Choices,
) -> Option<Vec<Piece<'p>>> {
    let symbol = parents.recipient.tree().grammar().start();
    Some(vec![Piece::New { symbol, gap: &[] }])
}
