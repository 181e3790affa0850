//! The bytes of a section of a file.

use gimli::{EndianSlice, LittleEndian};
use object::{CompressionFormat, ObjectSection};

/// The largest size of a section that is unpacked, in bytes.
const LARGEST: u64 = 1 << 30;

pub(super) type Bytes<'a> = EndianSlice<'a, LittleEndian>;

/// Returns the bytes of a section, unpacked.
pub(super) fn data<'data>(section: &impl ObjectSection<'data>) -> Option<Vec<u8>> {
    let found = section.compressed_data().ok()?;
    match found.format {
        CompressionFormat::None => Some(found.data.to_vec()),
        CompressionFormat::Zlib if found.uncompressed_size <= LARGEST => {
            let most = usize::try_from(found.uncompressed_size).ok()?;
            miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(found.data, most).ok()
        }
        _ => None,
    }
}
