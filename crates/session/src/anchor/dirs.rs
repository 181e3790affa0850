//! Creates folders by their paths.

use std::io;
use std::path::Path;

/// Creates a folder, and the folders above it, for files with the access rights `mode`. Users who
/// cannot read the files cannot enter the folder. The umask removes some rights.
pub fn make_dirs(folder: &Path, mode: Option<u32>) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    if let Some(mode) = mode {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, folder_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = mode;
    builder.recursive(true).create(folder)
}

/// Returns the access rights of a folder for files with the access rights `mode`.
pub fn folder_mode(mode: u32) -> u32 {
    mode & 0o777 | 0o700 | (mode & 0o044) >> 2
}
