//! The error for a folder that was replaced by another folder.

use std::io;
use std::path::Path;

/// Returns the error of a folder in whose place there is another one, or a link.
pub(super) fn replaced(path: &Path) -> io::Error {
    let what = format!(
        "`{}` is not the folder that it was when the run began, but a link or another one",
        path.display()
    );
    io::Error::new(io::ErrorKind::NotADirectory, what)
}
