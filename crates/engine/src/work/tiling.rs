use super::Units;
use nubbin_edit::{Edit, Span};
use std::ops::Range;
use std::sync::Arc;

/// Units that lie end to end: bytes, characters, lines, or tokens with the space after them. A
/// range of units is one deletion of any length.
#[derive(Clone, Debug)]
pub struct Tiling {
    bounds: Arc<[u32]>,
}

impl Tiling {
    /// Creates units between consecutive bounds. The bounds are increasing offsets; there is one
    /// more bound than there are units.
    pub fn new(bounds: impl Into<Arc<[u32]>>) -> Self {
        let bounds = bounds.into();
        debug_assert!(bounds.is_sorted());
        Tiling { bounds }
    }
}

impl Units for Tiling {
    fn len(&self) -> u32 {
        (self.bounds.len() as u32).saturating_sub(1)
    }

    fn weight(&self, unit: u32) -> u32 {
        (self.bounds[unit as usize + 1] - self.bounds[unit as usize]).max(1)
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        Edit::delete_all(units.iter().map(|range| {
            Span::new(
                self.bounds[range.start as usize],
                self.bounds[range.end as usize],
            )
        }))
    }
}
