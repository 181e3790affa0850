//! Names of files that do not lead out of the folder to which they are joined.

use std::path::{Component, Path};

/// Returns whether a file name leads into the folder to which it is joined.
pub(crate) fn is_inner(name: &Path) -> bool {
    !name.as_os_str().is_empty()
        && name
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
}
