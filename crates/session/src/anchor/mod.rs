//! Folders to which nubbin writes, unchanged since the run began.
//!
//! A test, or another process, may replace a folder with a link while a run writes there. A path
//! could then lead to files of the user. [`Anchor`] finds the folder again, and [`Folder`] opens
//! the entries of a folder without following links.

#[cfg(any(not(unix), test))]
#[cfg_attr(unix, expect(unreachable_pub, reason = "only tests use it"))]
mod by_paths;
mod dirs;
#[cfg(unix)]
mod folder;
mod held;
mod hidden;
mod missing;
mod replaced;
mod there;

#[cfg(not(unix))]
pub use by_paths::Folder;
pub use dirs::{folder_mode, make_dirs};
#[cfg(unix)]
pub use folder::Folder;
pub use held::Anchor;
pub use hidden::{HiddenFolder, random_letters};
pub use missing::Missing;
pub use there::There;

#[cfg(test)]
mod tests;
