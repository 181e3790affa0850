//! Facts about an entry of a folder.

use std::time::SystemTime;

/// The facts about an entry of a folder. A link is not followed.
#[derive(Clone, Copy, Debug)]
pub struct There {
    pub kind: Kind,
    pub len: u64,
    /// The access rights; 0 on systems other than Unix.
    pub mode: u32,
    /// Whether the entry belongs to another user.
    pub is_foreign: bool,
    pub modified: SystemTime,
    /// The device and the number of the entry.
    #[cfg(unix)]
    pub identity: (u64, u64),
}

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    File,
    Folder,
    Link,
    /// A pipe, a socket, or a device.
    Other,
}

impl There {
    pub fn is_file(&self) -> bool {
        self.kind == Kind::File
    }

    pub fn is_folder(&self) -> bool {
        self.kind == Kind::Folder
    }

    pub fn is_link(&self) -> bool {
        self.kind == Kind::Link
    }

    /// Returns whether other users may write to the entry.
    pub fn is_open_to_others(&self) -> bool {
        self.mode & 0o022 != 0
    }
}
