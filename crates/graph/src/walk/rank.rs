//! The order of types by the height of their expressions.

/// The position of a type in the order of height, so that all types up to a height are a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank(pub(super) u32);

impl Rank {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}
