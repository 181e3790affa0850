//! Checks of paths: no file is both read and written, and no file is written twice.

use crate::exit::Exit;
use crate::problem::Problem;
use std::path::{Path, PathBuf};

/// A file of the command line and its purpose.
pub struct Use<'a> {
    pub path: &'a Path,
    pub what: &'static str,
}

/// Returns an error if an output is also an input or another output.
pub fn keep_apart(read: &[Use<'_>], written: &[Use<'_>]) -> Result<(), Problem> {
    for (at, output) in written.iter().enumerate() {
        if let Some(input) = read.iter().find(|input| same(input.path, output.path)) {
            let what = format!(
                "{} would overwrite {} `{}`",
                output.what,
                input.what,
                input.path.display()
            );
            return Err(Problem::new(Exit::Usage, what)
                .hint("nubbin never writes to a file that it reads: give another path"));
        }
        if let Some(other) = written[..at]
            .iter()
            .find(|other| same(other.path, output.path))
        {
            let what = format!(
                "{} and {} would both be written to `{}`",
                other.what,
                output.what,
                output.path.display()
            );
            return Err(Problem::new(Exit::Usage, what).hint("give each a path of its own"));
        }
    }
    Ok(())
}

/// Returns an error if an output is in a folder to reduce, since the next run would reduce it as
/// well, or if a result is a folder that contains an input.
pub fn keep_out<'a>(
    inputs: &[PathBuf],
    folders: impl Iterator<Item = &'a Path>,
    written: &[Use<'_>],
) -> Result<(), Problem> {
    for input in inputs.iter().filter(|path| path.is_dir()) {
        let within = |output: &&Use<'_>| !same(output.path, input) && lies_in(output.path, input);
        if let Some(output) = written.iter().find(within) {
            let what = format!(
                "{} would be written to `{}`, which is in the folder that is reduced",
                output.what,
                output.path.display()
            );
            return Err(Problem::new(Exit::Usage, what).hint("give a path outside of that folder"));
        }
    }
    for folder in folders {
        if let Some(input) = inputs.iter().find(|input| lies_in(input, folder)) {
            let what = format!(
                "the result would be written to `{}`, which contains the input `{}`",
                folder.display(),
                input.display()
            );
            return Err(Problem::new(Exit::Usage, what).hint("give another path with `-o PATH`"));
        }
    }
    Ok(())
}

/// Returns an error if a result is in the folder of files that a command reads, since the next run
/// would read it. `flag` is the flag of the result.
pub fn keep_outside(path: &Path, folder: &Path, flag: &str) -> Result<(), Problem> {
    if !lies_in(path, folder) {
        return Ok(());
    }
    let what = format!("`{}` is in the folder of the files", path.display());
    Err(Problem::new(Exit::Usage, what)
        .hint(format!("give a path outside of that folder with `{flag}`")))
}

/// Returns whether a path is a folder or is inside of it. The path need not exist.
fn lies_in(path: &Path, folder: &Path) -> bool {
    let Ok(folder) = folder.canonicalize() else {
        return false;
    };
    let here = std::env::current_dir().unwrap_or_default();
    let path = here.join(path);
    let there = path.ancestors().find_map(|path| path.canonicalize().ok());
    there.is_some_and(|path| path.starts_with(&folder))
}

/// Returns an error if a file is given twice, even under different names.
pub fn no_twins(inputs: &[PathBuf]) -> Result<(), Problem> {
    for (at, path) in inputs.iter().enumerate() {
        if let Some(twin) = inputs[..at].iter().find(|twin| same(twin, path)) {
            let what = format!("`{}` and `{}` are one file", twin.display(), path.display());
            return Err(Problem::new(Exit::Usage, what).hint("name each input once"));
        }
    }
    Ok(())
}

/// Returns an error if the path is not a folder, unless it does not exist.
pub fn folder_or_nothing(path: &Path, flag: &str) -> Result<(), Problem> {
    if path.is_dir() || std::fs::symlink_metadata(path).is_err() {
        return Ok(());
    }
    let what = format!("`{}` is not a folder", path.display());
    Err(Problem::new(Exit::Output, what).hint(format!("give another path with `{flag}`")))
}

/// Returns whether two paths lead to the same file. The file need not exist.
fn same(left: &Path, right: &Path) -> bool {
    match (left.canonicalize(), right.canonicalize()) {
        (Ok(left), Ok(right)) => left == right || same_inode(&left, &right),
        (Err(_), Err(_)) => place(left).is_some_and(|left| Some(left) == place(right)),
        _ => false,
    }
}

/// Returns the real path of a missing file: its folder without links, and its name.
fn place(path: &Path) -> Option<PathBuf> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let folder = folder
        .canonicalize()
        .unwrap_or_else(|_| folder.to_path_buf());
    Some(folder.join(path.file_name()?))
}

#[cfg(unix)]
fn same_inode(left: &Path, right: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let inode = |path: &Path| {
        std::fs::metadata(path)
            .ok()
            .map(|meta| (meta.dev(), meta.ino()))
    };
    inode(left).is_some_and(|left| Some(left) == inode(right))
}

#[cfg(not(unix))]
fn same_inode(_left: &Path, _right: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_is_one_file_by_any_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("d")).unwrap();
        std::fs::write(path("d/x"), "").unwrap();
        std::os::unix::fs::symlink(path("d"), path("link")).unwrap();
        std::fs::hard_link(path("d/x"), path("hard")).unwrap();
        assert!(same(&path("d/x"), &path("link/x")));
        assert!(same(&path("d/x"), &path("hard")));
        assert!(same(&path("d/new"), &path("link/../d/new")));
        assert!(!same(&path("d/x"), &path("d/new")));
        assert!(!same(&path("d/new"), &path("d/newer")));
    }
}
