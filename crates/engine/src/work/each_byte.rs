use super::Units;
use nubbin_edit::{Edit, Span};
use std::ops::Range;

/// The single bytes of a span as units, without a table.
#[derive(Clone, Copy, Debug)]
pub struct EachByte {
    /// The span that contains the bytes.
    pub span: Span,
}

impl Units for EachByte {
    fn len(&self) -> u32 {
        self.span.len()
    }

    fn weight(&self, _unit: u32) -> u32 {
        1
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let start = self.span.start;
        Edit::delete_all(
            units
                .iter()
                .map(|range| Span::new(start + range.start, start + range.end)),
        )
    }
}
