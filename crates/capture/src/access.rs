//! The accesses of a command to files, for all methods of observation.

use std::path::PathBuf;

/// One use of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Access {
    /// An absolute path, which may lead over links and through `..`.
    pub(super) path: PathBuf,
    pub(super) act: Act,
}

/// The use of a file. Only uses that succeeded count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// The content of the file was read.
    Read,
    /// The file was run as a program.
    Run,
    /// The command asked whether the file exists, or for its time or size.
    Look,
    /// The whole content of the file was written.
    Write,
    /// The file was created as a link.
    Link,
    /// A part of the content of an existing file was changed.
    Change,
    /// The file was removed or renamed.
    Remove,
}
