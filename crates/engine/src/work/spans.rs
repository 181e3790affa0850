use super::Units;
use nubbin_edit::{Edit, Span};
use std::ops::Range;
use std::sync::Arc;

/// Units anywhere in the input. The units may have gaps between them, nest, and overlap.
#[derive(Clone, Debug)]
pub struct Spans {
    spans: Arc<[Span]>,
}

impl Spans {
    /// Creates the units from spans, in the order in which a list minimizer sees them (usually by
    /// position).
    pub fn new(spans: impl Into<Arc<[Span]>>) -> Self {
        Spans {
            spans: spans.into(),
        }
    }
}

impl Units for Spans {
    fn len(&self) -> u32 {
        self.spans.len() as u32
    }

    fn weight(&self, unit: u32) -> u32 {
        self.spans[unit as usize].len().max(1)
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let spans = units
            .iter()
            .flat_map(|range| &self.spans[range.start as usize..range.end as usize]);
        Edit::delete_all(spans.copied())
    }
}
