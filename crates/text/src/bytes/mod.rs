//! Passes over any bytes, which need no view of a text.

#[expect(clippy::module_inception)]
mod bytes;
mod length_fields;
mod lower_bytes;
mod zero_fill;

pub use bytes::Bytes;
pub use length_fields::LengthFields;
pub use lower_bytes::LowerBytes;
pub use zero_fill::ZeroFill;
