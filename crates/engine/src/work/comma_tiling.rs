use super::{Tiling, Units};
use nubbin_edit::{Edit, Span};
use std::ops::Range;
use std::sync::Arc;

/// Pieces that lie end to end, most of which are units. If the last elements of a list in brackets
/// are removed, the comma before them is also removed.
///
/// Only a list whose last element has no comma after it counts. All lists of JSON are such lists:
/// if the comma were kept, the last element of each list would also have to be kept, and with it
/// one half of the list.
#[derive(Clone, Debug)]
pub struct CommaTiling {
    pieces: Tiling,
    /// The number of the piece of each unit.
    units: Arc<[u32]>,
    /// For each piece, the comma at its end.
    commas: Arc<[Option<Span>]>,
    /// Whether each piece is the last element of a list.
    ends: Arc<[bool]>,
}

impl CommaTiling {
    /// Creates pieces between consecutive `bounds` in `text`, which begins at the offset `start` of
    /// the input. A `fixed` piece cannot be removed.
    pub fn new(text: &[u8], start: u32, bounds: &[u32], fixed: &[bool]) -> Self {
        let pieces = || bounds.windows(2).map(|pair| pair[0]..pair[1]);
        let get = |piece: Range<u32>| {
            let piece = text.get(piece.start as usize..piece.end as usize);
            piece.unwrap_or_default()
        };
        let comma = |piece: Range<u32>| {
            let before = get(piece.clone()).trim_ascii_end().strip_suffix(b",")?;
            let at = start + piece.start + before.len() as u32;
            Some(Span::new(at, at + 1))
        };
        let closes = |piece: Range<u32>| {
            let first = get(piece).trim_ascii_start().first();
            matches!(first, Some(b')' | b']' | b'}'))
        };
        let commas: Arc<[Option<Span>]> = pieces().map(comma).collect();
        let is_last = pieces().skip(1).map(closes).chain([false]);
        CommaTiling {
            ends: commas
                .iter()
                .zip(is_last)
                .map(|(comma, is_last)| is_last && comma.is_none())
                .collect(),
            units: (0..commas.len() as u32)
                .filter(|&piece| fixed.get(piece as usize) != Some(&true))
                .collect(),
            commas,
            pieces: Tiling::new(bounds.iter().map(|at| start + at).collect::<Vec<_>>()),
        }
    }

    /// Returns whether a comma can prevent a removal.
    pub fn has_lists(&self) -> bool {
        self.commas.iter().any(Option::is_some) && self.ends.contains(&true)
    }

    /// Returns the ranges of pieces of some units.
    fn gone(&self, units: &[Range<u32>]) -> Vec<Range<u32>> {
        let mut gone: Vec<Range<u32>> = vec![];
        for range in units {
            let pieces = self.units.get(range.start as usize..range.end as usize);
            for &piece in pieces.unwrap_or_default() {
                match gone.last_mut() {
                    Some(last) if last.end == piece => last.end += 1,
                    _ => gone.push(piece..piece + 1),
                }
            }
        }
        gone
    }

    /// Returns the comma to remove together with a range of pieces.
    fn comma(&self, range: &Range<u32>) -> Option<Span> {
        let before = range.start.checked_sub(1)?;
        let last = range.end.checked_sub(1)?;
        self.ends.get(last as usize).filter(|&&is_end| is_end)?;
        *self.commas.get(before as usize)?
    }
}

impl Units for CommaTiling {
    fn len(&self) -> u32 {
        self.units.len() as u32
    }

    fn weight(&self, unit: u32) -> u32 {
        let piece = self.units.get(unit as usize);
        piece.map_or(1, |&piece| self.pieces.weight(piece))
    }

    /// The commas are right only if `units` has all removed units.
    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let gone = self.gone(units);
        let edit = self.pieces.edit(&gone);
        let spans = edit.splices().iter().map(|splice| splice.span);
        let commas = gone.iter().filter_map(|range| self.comma(range));
        Edit::delete_all(spans.chain(commas))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces of a text in which `|` divides them, and the text. Those with a bracket are no units.
    fn tiling(divided: &str) -> (CommaTiling, String) {
        let mut bounds = vec![0];
        for part in divided.split('|') {
            bounds.push(bounds.last().unwrap() + part.len() as u32);
        }
        let text = divided.replace('|', "");
        let fixed: Vec<bool> = divided
            .split('|')
            .map(|piece| piece.contains(['{', '}']))
            .collect();
        let tiling = CommaTiling::new(text.as_bytes(), 0, &bounds, &fixed);
        (tiling, text)
    }

    #[test]
    fn the_comma_before_the_removed_end_of_a_list_goes() {
        let (tiling, text) = tiling("{\n| a,\n| b,\n| c\n|}\n");
        assert!(tiling.has_lists());
        let without = |gone: &[Range<u32>]| {
            let left = tiling.edit(gone).render(text.as_bytes());
            String::from_utf8(left).unwrap()
        };
        assert_eq!(without(std::slice::from_ref(&(2..3))), "{\n a,\n b\n}\n");
        assert_eq!(without(std::slice::from_ref(&(1..3))), "{\n a\n}\n");
        assert_eq!(without(std::slice::from_ref(&(0..3))), "{\n}\n");
        assert_eq!(without(std::slice::from_ref(&(0..2))), "{\n c\n}\n");
        assert_eq!(without(&[0..1, 2..3]), "{\n b\n}\n");
    }

    #[test]
    fn pieces_that_are_no_units_stay_with_right_commas() {
        let (tiling, text) = tiling("{\n| a,\n| {\n| b,\n| c\n| },\n| d\n|}\n");
        let all = std::slice::from_ref(&(0..4));
        let left = tiling.edit(all).render(text.as_bytes());
        assert_eq!(String::from_utf8(left).unwrap(), "{\n {\n }\n}\n");
        let inner = std::slice::from_ref(&(1..3));
        let left = tiling.edit(inner).render(text.as_bytes());
        assert_eq!(String::from_utf8(left).unwrap(), "{\n a,\n {\n },\n d\n}\n");
    }

    #[test]
    fn a_comma_at_the_end_of_a_list_is_never_in_the_way() {
        assert!(!tiling("{\n| a,\n| b,\n|}\n").0.has_lists());
        assert!(!tiling("{\n| a;\n| b;\n|}\n").0.has_lists());
        assert!(!tiling("a,\n|b,\n|c\n").0.has_lists());
    }
}
