use nubbin_edit::Edit;
use std::ops::Range;

/// The units of a [`List`](super::List).
pub trait Units: Send + Sync {
    /// Returns the number of units.
    fn len(&self) -> u32;

    /// Returns whether there are no units.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of bytes that are removed with a unit, at least 1.
    fn weight(&self, unit: u32) -> u32;

    /// Returns the edit that removes the given units, given as sorted, disjoint ranges.
    fn edit(&self, units: &[Range<u32>]) -> Edit;
}
