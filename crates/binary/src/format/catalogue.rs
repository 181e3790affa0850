//! The catalogue of formats, and the search for the format of a file.

use super::budget::Budget;
use super::reader::Format;
use super::{
    ar, bitmap, cbor, class, compressed, cpio, der, elf, flac, gettext, gif, gzip, jpeg, lua,
    lua_jit, mach_o, marshal, message_pack, mp4, mruby, ogg, pcap, pdf, pe, pickle, plist, png,
    riff, sqlite, tar, tiff, true_type, wasm, woff, zip, zone,
};
use crate::Layout;

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
    // Formats without a magic number, which read the whole file to be sure.
    der::DER,
    marshal::PYC,
    pe::COFF,
    gzip::ZLIB,
    cbor::CBOR,
    message_pack::MESSAGE_PACK,
];

/// Returns the names of all known formats.
pub fn formats() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.name)
}

/// Returns the structure of a text, if its format is known. The function may recurse through
/// [`Builder::inner`](super::builder::Builder::inner), since the depth of nested layouts is
/// limited.
pub(super) fn layout(text: &[u8], budget: &mut Budget) -> Option<Layout> {
    if u32::try_from(text.len()).is_err() {
        return None;
    }
    let format = FORMATS.iter().find(|format| (format.fits)(text))?;
    Some(format.layout(text, budget)).filter(|layout| !layout.is_opaque())
}
