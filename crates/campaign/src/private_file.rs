//! Files that only this user can read, with any umask, since tests may be private.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// Creates a file that does not exist.
pub(crate) fn create_new(path: &Path) -> io::Result<()> {
    options().create_new(true).open(path).map(drop)
}

/// Opens a file to write without emptying it, and creates it if needed.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    options().create(true).truncate(false).open(path)
}

/// Writes a whole file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = options().create(true).truncate(true).open(path)?;
    file.write_all(bytes)
}

fn options() -> OpenOptions {
    #[expect(clippy::disallowed_methods, reason = "this is the one function")]
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
