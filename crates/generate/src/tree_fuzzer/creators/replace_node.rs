use super::super::mutant::{Piece, replaced};
use super::super::parent::Parents;
use super::{TRIES, pick};
use crate::choices::Choices;

/// Replaces an instance of a rule or token with one with another text in another parent.
pub(in super::super) fn create<'p>(
    parents: &Parents<'p>,
    choices: &mut Choices,
) -> Option<Vec<Piece<'p>>> {
    let Parents { recipient, donor } = *parents;
    for _ in 0..TRIES {
        let &(symbol, old) = pick(recipient.nodes(), choices)?;
        let Some(&(_, new)) = pick(donor.nodes_of(symbol), choices) else {
            continue;
        };
        let (old, new) = (recipient.span(old), donor.span(new));
        if !recipient.is_same(&old, donor, &new) {
            return Some(replaced(recipient, old, vec![Piece::of(donor, new)]));
        }
    }
    None
}
