//! The treatment of missing folders.

use super::dirs::folder_mode;

/// The treatment of a missing folder.
#[derive(Clone, Copy, Debug)]
pub enum Missing {
    Refuse,
    /// Create the folder for files with these access rights, or with all access rights.
    Make(Option<u32>),
}

impl Missing {
    /// Returns the access rights of a new folder. Users who can read its files can enter it.
    pub(super) fn mode(self) -> u32 {
        match self {
            Missing::Make(Some(mode)) => folder_mode(mode),
            Missing::Make(None) | Missing::Refuse => 0o777,
        }
    }
}
