//! The accesses of a command to files, by any means of observation.

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
    /// It was run as a program.
    Run,
    /// The command asked whether it is there, or for its time or its size.
    Look,
    /// A new content was written.
    Write,
    /// It was made as a link.
    Link,
    /// The content of an existing file was changed in part.
    Change,
    /// It was removed, or lost its name.
    Remove,
}
