//! Sample files, including files in folders.

use crate::exit::Exit;
use crate::grammar::bytes;
use crate::problem::{Problem, say};
use nubbin_grammar::parse::ParseError;
use std::path::{Path, PathBuf};

/// Returns the files of a folder, in the order of their names.
pub(super) fn samples(folder: &Path, purpose: &str) -> Result<Vec<PathBuf>, Problem> {
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

/// Returns files and the files in folders, with their paths.
pub(super) fn seeds(paths: &[PathBuf]) -> Result<Vec<(PathBuf, Vec<u8>)>, Problem> {
    let mut files = vec![];
    for path in paths {
        match path.is_dir() {
            true => files.extend(samples(path, "mutate")?),
            false => files.push(path.clone()),
        }
    }
    let read = |path: PathBuf| bytes(&path).map(|text| (path, text));
    files.into_iter().map(read).collect()
}

/// Says which of `count` files do not fit the grammar. If none fits, that is an error.
pub(super) fn leave_out(
    purpose: &str,
    misfits: &[(PathBuf, ParseError)],
    count: usize,
) -> Result<(), Problem> {
    let Some((path, error)) = misfits.first() else {
        return Ok(());
    };
    if misfits.len() == count {
        let what = format!("cannot {purpose} `{}`", path.display());
        return Err(Problem::new(Exit::Input, what).because(error).hint(
            "none of the files fits the grammar: `nubbin grammar parse` shows where one does not",
        ));
    }
    say(&format!(
        "{} of {count} files do not fit the grammar and are left out, `{}` first: {error}",
        misfits.len(),
        path.display()
    ));
    Ok(())
}
