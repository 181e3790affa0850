use crate::{Codec, Number, Sum};
use std::ops::Range;
use std::sync::Arc;

/// Offsets of some bytes.
pub type Span = Range<u32>;

/// The structure of some bytes. See the [crate documentation](crate).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The name of the format.
    pub format: &'static str,
    /// The bytes.
    pub text: Arc<[u8]>,
    /// Parts that can be removed. They nest, and come by position, the outer one first.
    pub regions: Vec<Region>,
    /// Fields that follow from the rest, by position.
    pub fields: Vec<Field>,
    /// Lists of items, for counts and indices.
    pub lists: Vec<List>,
    /// Regions that stand and fall together: if one of a group is removed, all are.
    pub groups: Vec<Vec<Span>>,
    /// Parts that are compressed or encoded, by position.
    pub inner: Vec<Inner>,
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The bytes of the region.
    pub span: Span,
    /// The name of its kind in the format.
    pub kind: &'static str,
}

/// The items of a list, in the order of their numbers.
pub type List = Vec<Span>;

/// A number that follows from the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The bytes of the field.
    pub span: Span,
    /// The notation of the number.
    pub number: Number,
    /// The value that the field states.
    pub means: Means,
}

/// The value that a field states. Its new value is the old one less what a change takes away, so a
/// constant that a format adds to it need not be stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Means {
    /// The length of a span, in units of so many bytes. What is inserted at its end counts, but for
    /// the padding of the span itself.
    Length {
        /// The measured bytes.
        of: Span,
        /// The bytes of a unit.
        unit: u32,
    },
    /// The length of decoded content, in units of so many bytes.
    DecodedLength {
        /// The number of the [`Inner`].
        inner: usize,
        /// The bytes of a unit.
        unit: u32,
    },
    /// The number of items of a list, by its number.
    Count {
        /// The number of the list.
        list: usize,
        /// The amount for each item.
        each: u32,
    },
    /// The distance from one position to another, in units of so many bytes.
    Offset {
        /// The position that is pointed to.
        to: u32,
        /// The position from which the distance is counted.
        base: u32,
        /// The bytes of a unit.
        unit: u32,
    },
    /// The distance from a position to a part, or a number that stands for no part, once that is
    /// removed.
    Place {
        /// The part.
        of: Span,
        /// The position from which the distance is counted.
        base: u32,
        /// The number that stands for no part.
        absent: u64,
    },
    /// An address in memory of a position in a part that is loaded; zero if the part is
    /// removed.
    Address {
        /// The position.
        to: u32,
        /// The part.
        within: Span,
    },
    /// The number of an item of a list.
    Index {
        /// The number of the list.
        list: usize,
        /// The item, counted from 0.
        item: usize,
        /// The number that stands for no item, once the item is removed. Without one, the item
        /// behind it takes its number.
        absent: Option<u64>,
    },
    /// A mark of the last item of a list: an item without one gets it once no item follows. The
    /// mark is all bits of the number's mask.
    Last {
        /// The number of the list.
        list: usize,
        /// The item, counted from 0.
        item: usize,
    },
    /// A checksum of some bytes, one piece after another.
    Sum {
        /// The kind of sum.
        sum: Sum,
        /// The summed bytes.
        over: Vec<Piece>,
    },
    /// Bytes that fill a span up to a multiple of so many bytes. The notation has no meaning.
    Padding {
        /// The byte that fills.
        filler: u8,
        /// The start of the filled span; it ends at the field.
        from: u32,
        /// The multiple.
        multiple: u32,
    },
}

/// A part of the bytes that are summed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Bytes of the file.
    Bytes(Span),
    /// So many times a byte: the place of the sum itself, mostly.
    Filler(u8, u32),
    /// The length of a span, in 2 bytes, the higher one first: a part of the pseudo-header of UDP
    /// and TCP.
    Length(Span),
    /// The decoded content of an [`Inner`], by its number.
    Decoded(usize),
}

/// A part of a file that is compressed or encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inner {
    /// The encoded bytes.
    pub span: Span,
    /// The encoding.
    pub codec: Codec,
    /// The structure of the content.
    pub layout: Layout,
    /// The number of parts behind it that have the rest of its encoding, where that is divided.
    /// They have no content of their own, and go when the content changes: the first then has all.
    pub rest: usize,
    /// The place of its name in the text around it, where it is a file in an archive.
    pub name: Option<Span>,
}

impl Layout {
    /// Makes a layout without any structure.
    pub fn opaque(text: impl Into<Arc<[u8]>>) -> Self {
        Layout {
            format: "data",
            text: text.into(),
            ..Layout::default()
        }
    }

    /// Whether there is nothing that a change would have to be completed by, and no region.
    pub fn is_opaque(&self) -> bool {
        self.regions.is_empty() && self.fields.is_empty() && self.inner.is_empty()
    }

    pub(crate) fn bytes(&self, span: &Span) -> &[u8] {
        let range = span.start as usize..span.end as usize;
        self.text.get(range).unwrap_or_default()
    }
}
