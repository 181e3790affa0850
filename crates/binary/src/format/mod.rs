//! Readers of formats, one file each.

mod ar;
mod bitmap;
mod builder;
mod cbor;
mod cff;
mod class;
mod compressed;
mod cpio;
mod der;
mod elf;
mod encoded;
mod flac;
mod gettext;
mod gif;
mod guess;
mod gzip;
mod jpeg;
mod lua;
mod lua_jit;
mod mach_o;
mod machine;
mod marshal;
mod memory;
mod message_pack;
mod mp4;
mod mruby;
mod ogg;
mod packet;
mod pcap;
mod pdf;
mod pe;
mod pe_tables;
mod pickle;
mod plist;
mod png;
mod riff;
mod sqlite;
mod tar;
mod text;
mod tiff;
mod true_type;
mod wasm;
mod woff;
mod zip;
mod zone;

use crate::Layout;
use builder::{Budget, Builder};
pub(crate) use text::TEXT;
pub use text::is_mostly_text;

/// A format that can be read.
struct Format {
    name: &'static str,
    /// Whether some bytes look like it, from few of them.
    fits: fn(&[u8]) -> bool,
    /// Reads as much as is sound. `None` says that the rest is not.
    read: fn(&mut Builder<'_>) -> Option<()>,
}

const FORMATS: &[Format] = &[
    ar::AR,
    bitmap::BMP,
    bitmap::ICO,
    cpio::CPIO,
    elf::ELF,
    flac::FLAC,
    gzip::GZIP,
    compressed::XZ,
    compressed::ZSTANDARD,
    compressed::LZ4,
    compressed::BZIP2,
    gif::GIF,
    jpeg::JPEG,
    lua::LUA,
    lua_jit::LUA_JIT,
    mach_o::MACH_O,
    class::CLASS,
    pcap::PCAP,
    pcap::PCAPNG,
    mp4::MP4,
    mruby::MRUBY,
    ogg::OGG,
    pdf::PDF,
    pe::PE,
    pickle::PICKLE,
    plist::PLIST,
    png::PNG,
    riff::RIFF,
    riff::IFF,
    sqlite::SQLITE,
    tiff::TIFF,
    gettext::MO,
    true_type::TRUE_TYPE,
    wasm::WASM,
    woff::WOFF,
    zone::TZIF,
    zip::ZIP,
    tar::TAR,
    // Those without a magic number, which read the whole file to be sure.
    der::DER,
    marshal::PYC,
    pe::COFF,
    gzip::ZLIB,
    cbor::CBOR,
    message_pack::MESSAGE_PACK,
];

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

    fn budget(self) -> Budget {
        Budget {
            depth: self.depth,
            decoded: self.decoded,
            structure: self.structure,
            work: self.work,
            looks: self.looks.into(),
            wasted: 4 * self.decoded,
        }
    }
}

/// The names of all formats that are known.
pub fn formats() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.name)
}

/// The number of bytes of the largest file that is read. A change of a larger one would take long,
/// since all that it is in is summed and compressed again.
pub const LARGEST: usize = 16 << 20;

/// Returns the structure of a file, or `None` where its format is unknown or the file is larger
/// than [`LARGEST`].
pub fn read(text: &[u8]) -> Option<Layout> {
    if text.len() > LARGEST {
        return None;
    }
    read_within(text, Bounds::of(text.len()))
}

/// Does the same as [`read`] within other bounds.
pub fn read_within(text: &[u8], bounds: Bounds) -> Option<Layout> {
    let mut budget = bounds.budget();
    layout(text, &mut budget)
}

/// Returns the structure of a text in which there are bytes in base64 or hexadecimal digits, whose
/// content is of a known format, or text. `None` where there are none, or the text is larger than
/// [`LARGEST`].
///
/// ```
/// use nubbin_binary::{Cut, read_encoded};
///
/// let text = b"{\"note\": \"YSBsaW5lCmFub3RoZXIgbGluZQo=\"}";
/// let layout = read_encoded(text).unwrap();
/// let view = layout.view();
/// assert_eq!(view.text, b"{\"note\": \"a line\nanother line\n\"}");
/// let line = view.regions[0].0.clone();
/// let less = Cut::render(&layout.rewrite(&[Cut::remove(line)]), text);
/// assert_eq!(less, b"{\"note\": \"YW5vdGhlciBsaW5lCg==\"}");
/// ```
pub fn read_encoded(text: &[u8]) -> Option<Layout> {
    if text.len() > LARGEST {
        return None;
    }
    let mut budget = Bounds::of(text.len()).budget();
    let mut builder = Builder::new(TEXT, text, &mut budget);
    encoded::parts(&mut builder);
    Some(builder.finish()).filter(|layout| !layout.inner.is_empty())
}

/// Returns the structure of a file whose format is unknown, as far as numbers in it explain each
/// other: records with their lengths, tables of offsets, counts, checksums. `None` where there is
/// nothing of the kind, or the file has almost no control characters, or is larger than
/// [`LARGEST`]. It can be wrong.
///
/// ```
/// use nubbin_binary::{Cut, guess};
///
/// let records = b"MAGIC\x03\0\x01\x02\x03\x07\0\x08\x08\x08\x08\x08\x08\x08\x02\0\xff\xfe\x01\0\x11";
/// let layout = guess(records).unwrap();
/// let names: Vec<&str> = layout.regions.iter().map(|region| region.kind).collect();
/// assert_eq!(names, ["record", "data", "record", "data", "record", "data", "record", "data"]);
/// ```
pub fn guess(text: &[u8]) -> Option<Layout> {
    if text.len() > LARGEST || text::oddness(text) < text::Oddness::Some {
        return None;
    }
    let mut budget = Bounds::of(text.len()).budget();
    let mut builder = Builder::new("data", text, &mut budget);
    guess::guess(&mut builder);
    if builder.is_opaque() {
        return None;
    }
    builder.add_gaps();
    Some(builder.finish())
}

/// The depth of layouts within each other is bounded, so this may recurse through
/// [`Builder::inner`].
fn layout(text: &[u8], budget: &mut Budget) -> Option<Layout> {
    if u32::try_from(text.len()).is_err() {
        return None;
    }
    let format = FORMATS.iter().find(|format| (format.fits)(text))?;
    Some(layout_of(format, text, budget)).filter(|layout| !layout.is_opaque())
}

fn layout_of(format: &Format, text: &[u8], budget: &mut Budget) -> Layout {
    let mut builder = Builder::new(format.name, text, budget);
    // What was read before the first fault counts.
    let _ = (format.read)(&mut builder);
    builder.add_gaps();
    builder.finish()
}
