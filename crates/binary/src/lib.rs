//! The structure of binary files.
//!
//! A [`Layout`] divides some bytes into *regions*, which nest, and says which *fields* follow from
//! the rest: lengths, counts, offsets, indices, checksums. A change of the bytes, such as the
//! removal of a region, is then completed by [`Layout::rewrite`]: all fields that depend on it
//! get the value that they would have had without the removed bytes. Where a region is compressed
//! or encoded, its content has a layout of its own, and is encoded again after a change.
//!
//! [`read`] returns the layout of a file of a known format. [`read_encoded`] returns the layout of
//! a text with base64 or hexadecimal digits in it. A damaged file is read as far as it is sound.
//! Reading takes time linear in the number of bytes. Decoded content is limited by [`Bounds`].

#![deny(missing_docs)]

mod codec;
mod coding;
mod compressed;
mod cut;
mod deflate;
mod dump;
mod format;
mod layout;
mod letters;
mod moves;
mod number;
mod pdf;
mod rewrite;
mod rows;
mod show;
mod sqlite;
mod sum;
mod svg;
mod view;
mod wasm;
mod woff;

pub use codec::Codec;
pub use cut::Cut;
pub use dump::{Dump, Program};
pub use format::{
    Bounds, LARGEST, formats, guess, is_mostly_text, read, read_encoded, read_within,
};
pub use layout::{Field, Inner, Layout, List, Means, Piece, Region, Span};
pub use letters::{Letters, Lines};
pub use number::Number;
pub use sum::Sum;
pub use svg::svg;
pub use view::{PackedFile, View};
pub use wasm::{WasmCode, WasmParts, wasm_code, wasm_parts};
