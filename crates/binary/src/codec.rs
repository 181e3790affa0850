use crate::Dump;
use crate::letters::{Letters, Lines};

/// The encoding of a part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Codec {
    /// No encoding: the content has a format of its own.
    Plain,
    /// Deflate without a frame, as in gzip and ZIP.
    Deflate,
    /// Deflate in the zlib frame, as in PNG and PDF.
    Zlib,
    /// A stream of xz, with LZMA2 and no other filter.
    Xz,
    /// A frame of Zstandard.
    Zstd,
    /// A frame of LZ4.
    Lz4,
    /// A stream of bzip2.
    Bzip2,
    /// The pages of an SQLite database. The content is the rows of the database.
    Sqlite,
    /// A PDF document with objects in streams. The content is these objects one after another.
    Pdf,
    /// A font whose tables are compressed separately. The content is the font without compression.
    Woff,
    /// Letters that encode bytes, in a text.
    Letters(Letters, Lines),
    /// Lines of hexadecimal digits with offsets, in a text.
    Dump(Dump),
}
