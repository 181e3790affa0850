//! Sample files from a folder.

use crate::exit::Exit;
use crate::problem::Problem;
use std::path::Path;

/// Returns the files of a folder, in the order of their names.
pub(super) fn samples(folder: &Path, purpose: &str) -> Result<Vec<std::path::PathBuf>, Problem> {
    let unreadable = |error: std::io::Error| {
        let what = format!("cannot read the folder `{}`", folder.display());
        Problem::new(Exit::Input, what).because(&error)
    };
    let mut files = vec![];
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    if files.is_empty() {
        let what = format!("there is nothing to {purpose} in `{}`", folder.display());
        return Err(Problem::new(Exit::Input, what));
    }
    files.sort();
    Ok(files)
}
