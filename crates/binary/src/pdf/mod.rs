//! PDF documents whose objects are in streams, decoded to the same objects one after another.
//!
//! The offset of each object, or the stream that contains the object, is in a table that is a
//! stream itself. No object can be removed from those without writing all of them again. nubbin
//! therefore reduces the objects and writes a file from them. This drops objects that no table
//! names, older versions of objects, and the order for readers over a network.
//!
//! The notation is a PDF document without such streams and without its table. The objects of a
//! stream are between two comments, and a third comment states that the table is a stream. A file
//! without these comments has no such streams.
//!
//! Source: ISO 32000-1, Document management: Portable document format, 2008, 7.5.

mod decode;
mod encode;
mod scan;

pub(crate) use decode::decode;
pub(crate) use encode::encode;

/// The comment before the objects of a stream.
const OPEN: &[u8] = b"%objects";

/// The comment after the objects of a stream.
const CLOSE: &[u8] = b"%end";

/// The comment before a trailer whose table is a stream.
const STREAM: &[u8] = b"%stream";

#[cfg(test)]
mod tests;
