//! The file of a program or library: its segments, its unwind tables, and its symbols.

use super::section::{Bytes, data};
use super::symbols::Symbols;
use gimli::{BaseAddresses, EhFrame, EhFrameHdr, LittleEndian, UnwindSection as _};
use object::read::{ReadCache, ReadRef};
use object::{File, Object as _, ObjectSection as _, ObjectSegment as _};
use std::path::Path;

/// An entry of an unwind table: how to return to the calling function.
pub(super) type Entry<'a> = gimli::FrameDescriptionEntry<Bytes<'a>>;

/// The parts of a file that are needed to walk over its functions and to name them.
#[derive(Debug)]
pub(super) struct Image {
    segments: Vec<Segment>,
    eh_frame: Vec<u8>,
    eh_frame_hdr: Vec<u8>,
    bases: BaseAddresses,
    symbols: Symbols,
}

#[derive(Debug)]
struct Segment {
    address: u64,
    offset: u64,
    size: u64,
}

impl Image {
    pub(super) fn of_file(path: &Path) -> Option<Self> {
        let file = std::fs::File::open(path).ok()?;
        let symbols = Symbols::new(path.to_owned());
        Self::read(&ReadCache::new(file), symbols)
    }

    /// Creates an image of code that is only in memory.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        Self::read(bytes, Symbols::none())
    }

    fn read<'data>(content: impl ReadRef<'data>, symbols: Symbols) -> Option<Self> {
        let file = File::parse(content).ok()?;
        if !file.is_64() {
            return None;
        }
        let segments = file.segments().map(|segment| {
            let (offset, size) = segment.file_range();
            Segment {
                address: segment.address(),
                offset,
                size,
            }
        });
        let section = |name: &str| file.section_by_name(name);
        let address = |name: &str| section(name).map(|it| it.address());
        let bytes = |name: &str| section(name).and_then(|it| data(&it));
        let mut bases = BaseAddresses::default();
        if let Some(address) = address(".eh_frame") {
            bases = bases.set_eh_frame(address);
        }
        if let Some(address) = address(".eh_frame_hdr") {
            bases = bases.set_eh_frame_hdr(address);
        }
        if let Some(address) = address(".text") {
            bases = bases.set_text(address);
        }
        if let Some(address) = address(".got") {
            bases = bases.set_got(address);
        }
        Some(Image {
            segments: segments.collect(),
            eh_frame: bytes(".eh_frame").unwrap_or_default(),
            eh_frame_hdr: bytes(".eh_frame_hdr").unwrap_or_default(),
            bases,
            symbols,
        })
    }

    /// Returns the difference of addresses in memory and in the file, from where a part of the file
    /// begins in memory.
    pub(super) fn bias(&self, start: u64, offset: u64) -> Option<u64> {
        let holds = |segment: &&Segment| {
            // The system maps whole pages.
            let begin = segment.offset & !0xfff;
            (begin..segment.offset.saturating_add(segment.size)).contains(&offset)
        };
        // Two segments may share a page. The code is in the last segment that starts on that page.
        let segment = self.segments.iter().rfind(holds)?;
        let address = segment
            .address
            .wrapping_add(offset.wrapping_sub(segment.offset));
        Some(start.wrapping_sub(address))
    }

    pub(super) fn eh_frame(&self) -> EhFrame<Bytes<'_>> {
        let mut section = EhFrame::new(&self.eh_frame, LittleEndian);
        section.set_address_size(8);
        if cfg!(target_arch = "aarch64") {
            section.set_vendor(gimli::Vendor::AArch64);
        }
        section
    }

    pub(super) fn bases(&self) -> &BaseAddresses {
        &self.bases
    }

    /// Returns the entry of the unwind table for an address in the file.
    pub(super) fn entry(&self, address: u64) -> Option<Entry<'_>> {
        let section = self.eh_frame();
        let header = EhFrameHdr::new(&self.eh_frame_hdr, LittleEndian);
        if let Ok(header) = header.parse(&self.bases, 8)
            && let Some(table) = header.table()
        {
            let found =
                table.fde_for_address(&section, &self.bases, address, EhFrame::cie_from_offset);
            return found.ok();
        }
        let found = section.fde_for_address(&self.bases, address, EhFrame::cie_from_offset);
        found.ok()
    }

    pub(super) fn symbols(&self) -> &Symbols {
        &self.symbols
    }
}
