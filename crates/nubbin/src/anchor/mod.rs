//! Folders in which nubbin writes, as they were when the run began.
//!
//! A test, or another process, may put a link in the place of a folder while a run writes there. A
//! path would then lead to files of the user. [`Anchor`] finds the folder again, and [`Folder`]
//! reaches the entries of a folder without links.

#[cfg(any(not(unix), test))]
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
pub(crate) use by_paths::Folder;
pub(crate) use dirs::{folder_mode, make_dirs};
#[cfg(unix)]
pub(crate) use folder::Folder;
pub(crate) use held::Anchor;
pub(crate) use hidden::{HiddenFolder, random_letters};
pub(crate) use missing::Missing;
pub(crate) use there::There;

#[cfg(test)]
mod tests;
