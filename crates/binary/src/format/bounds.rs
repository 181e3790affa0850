use super::budget::{Budget, ReadInner};

/// The number of bytes of the largest file that is read. A change of a larger one would take long,
/// since all that it is in is summed and compressed again.
pub const LARGEST: usize = 16 << 20;

/// The bounds of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The maximum depth of nested encoded parts.
    pub depth: u32,
    /// The maximum number of decoded bytes.
    pub decoded: usize,
    /// The maximum number of bytes of regions, fields, and lists.
    pub structure: usize,
    /// The maximum number of bytes that are read to decode and to sum.
    pub work: usize,
    /// The maximum number of numbers and parts that readers look at.
    pub looks: usize,
}

impl Bounds {
    /// Returns the bounds for a file of so many bytes.
    pub fn of(bytes: usize) -> Self {
        Bounds {
            depth: 4,
            // Compressed well, text is a tenth of its size or less.
            decoded: (16 * bytes).clamp(1 << 20, LARGEST).max(2 * bytes),
            structure: (6 * bytes).max(2 << 20),
            work: (16 * bytes).max(1 << 20),
            looks: (16 * bytes).max(1 << 20),
        }
    }

    pub(super) fn budget(self, layout: ReadInner) -> Budget {
        Budget {
            layout,
            depth: self.depth,
            decoded: self.decoded,
            structure: self.structure,
            work: self.work,
            looks: self.looks.into(),
            wasted: 4 * self.decoded,
        }
    }
}
