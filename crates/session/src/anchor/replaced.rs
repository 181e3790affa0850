//! The error for a folder that was replaced by another folder.

use std::io;
use std::path::Path;

/// Returns the error of a folder that another folder or a link has replaced.
pub(super) fn replaced(path: &Path) -> io::Error {
    let what = format!(
        "another folder or a link has replaced the folder `{}` since the run began",
        path.display()
    );
    io::Error::new(io::ErrorKind::NotADirectory, what)
}
