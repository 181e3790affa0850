use super::budget::{Budget, ReadInner};

/// The maximum number of bytes of a file that is read. A change of a larger file would take long,
/// since all parts around the change are summed and compressed again.
pub const LARGEST: usize = 16 << 20;

/// The limits for reading a file.
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
    /// The maximum number of numbers and parts that readers examine.
    pub looks: usize,
}

impl Bounds {
    /// Returns the limits for a file of the given size in bytes.
    pub fn of(bytes: usize) -> Self {
        Bounds {
            depth: 4,
            // Text compresses to about a tenth of its size.
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
