use crate::{Codec, Number, Sum};
use std::ops::Range;
use std::sync::Arc;

/// A range of offsets in a text.
pub type Span = Range<u32>;

/// The structure of some bytes. See the [crate documentation](crate).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The name of the format.
    pub format: &'static str,
    /// The bytes of the file.
    pub text: Arc<[u8]>,
    /// The parts that can be removed. The parts may nest, and are sorted by position, with outer
    /// parts before inner parts.
    pub regions: Vec<Region>,
    /// The fields that follow from the rest of the file, sorted by position.
    pub fields: Vec<Field>,
    /// The lists of items, to which counts and indices refer.
    pub lists: Vec<List>,
    /// The groups of regions that are only removed together.
    pub groups: Vec<Vec<Span>>,
    /// The parts that are compressed or encoded, sorted by position.
    pub inner: Vec<Inner>,
}

/// A part of a file that can be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The bytes of the region.
    pub span: Span,
    /// The name of the region's kind in the format.
    pub kind: &'static str,
}

/// The items of a list, in the order of their numbers.
pub type List = Vec<Span>;

/// A field: a number that follows from the rest of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The bytes of the field.
    pub span: Span,
    /// The notation of the number.
    pub number: Number,
    /// The value that the field states.
    pub means: Means,
}

/// The value that a field states. A change reduces the old value by the removed amount, so a
/// constant that a format adds to the value need not be stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Means {
    /// The length of a span, in units of a number of bytes. Bytes that are inserted at its end
    /// count, except the padding of the span itself.
    Length {
        /// The measured bytes.
        of: Span,
        /// The number of bytes of a unit.
        unit: u32,
    },
    /// The length of decoded content, in units of a number of bytes.
    DecodedLength {
        /// The index of the [`Inner`].
        inner: usize,
        /// The number of bytes of a unit.
        unit: u32,
    },
    /// The number of items of a list.
    Count {
        /// The index of the list.
        list: usize,
        /// The amount by which each item increases the value.
        each: u32,
    },
    /// The distance from one position to another, in units of a number of bytes.
    Offset {
        /// The position to which the field points.
        to: u32,
        /// The position from which the distance is counted.
        base: u32,
        /// The number of bytes of a unit.
        unit: u32,
    },
    /// The distance from a position to a part. After the part is removed, the field has a number
    /// that means no part.
    Place {
        /// The part to which the field points.
        of: Span,
        /// The position from which the distance is counted.
        base: u32,
        /// The number that means no part.
        absent: u64,
    },
    /// The address in memory of a position in a loaded part. The address is zero if the part is
    /// removed.
    Address {
        /// The position to which the field points.
        to: u32,
        /// The part that contains the position.
        within: Span,
    },
    /// The number of an item of a list.
    Index {
        /// The index of the list.
        list: usize,
        /// The item, counted from 0.
        item: usize,
        /// The number that means no item, which the field has after the item is removed. If it is
        /// `None`, the field then has the number of the next item.
        absent: Option<u64>,
    },
    /// A mark of the last item of a list. If no item follows an item that has no mark, the item
    /// gets the mark, which is all bits of the number's mask.
    Last {
        /// The index of the list.
        list: usize,
        /// The item, counted from 0.
        item: usize,
    },
    /// A checksum of some bytes, one piece after another.
    Sum {
        /// The kind of sum.
        sum: Sum,
        /// The summed bytes, one piece after another.
        over: Vec<Piece>,
    },
    /// Padding: bytes that fill a span up to a multiple of a number of bytes. The notation of the
    /// field is not used.
    Padding {
        /// The byte that is used as padding.
        filler: u8,
        /// The start of the filled span. The span ends at the field.
        from: u32,
        /// The multiple, in bytes.
        multiple: u32,
    },
}

/// A part of the bytes that are summed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Bytes of the file.
    Bytes(Span),
    /// This byte, repeated this many times. It is mostly used for the place of the sum itself.
    Filler(u8, u32),
    /// The length of a span, in 2 bytes, the high byte first. It is part of the pseudo-header of
    /// UDP and TCP.
    Length(Span),
    /// The decoded content of an [`Inner`], given by its index.
    Decoded(usize),
}

/// A part of a file that is compressed or encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inner {
    /// The encoded bytes.
    pub span: Span,
    /// The encoding.
    pub codec: Codec,
    /// The structure of the decoded content.
    pub layout: Layout,
    /// The number of following parts that contain the rest of the encoded data, if it is divided.
    /// These parts have no content of their own. If the content changes, they are removed, and the
    /// first part contains all of it.
    pub rest: usize,
    /// The span of the file's name in the surrounding text, if the part is a file in an archive.
    pub name: Option<Span>,
}

impl Layout {
    /// Creates a layout without any structure.
    pub fn opaque(text: impl Into<Arc<[u8]>>) -> Self {
        Layout {
            format: "data",
            text: text.into(),
            ..Layout::default()
        }
    }

    /// Returns whether the layout has no region, and no field or encoded part by which a change
    /// would have to be completed.
    pub fn is_opaque(&self) -> bool {
        self.regions.is_empty() && self.fields.is_empty() && self.inner.is_empty()
    }

    pub(crate) fn bytes(&self, span: &Span) -> &[u8] {
        let range = span.start as usize..span.end as usize;
        self.text.get(range).unwrap_or_default()
    }
}
