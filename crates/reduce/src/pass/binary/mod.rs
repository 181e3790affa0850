//! Passes over bytes, and over the structure of binary files: regions, length fields, checksums.

mod bytes;
mod checked_chunks;
mod length_fields;
mod lower_bytes;
mod nested_regions;
mod on_view;
mod regions;
mod same_byte_spans;
mod zero_fill;

pub use bytes::Bytes;
pub use checked_chunks::CheckedChunks;
pub use length_fields::LengthFields;
pub use lower_bytes::LowerBytes;
pub use nested_regions::NestedRegions;
pub(crate) use on_view::{beside_texts, has_texts, on_its_view, on_texts};
#[cfg(feature = "trees")]
pub(crate) use on_view::{each_text, on_view};
pub use regions::Regions;
pub(crate) use regions::regions_beside_texts;
pub use same_byte_spans::SameByteSpans;
pub use zero_fill::ZeroFill;
