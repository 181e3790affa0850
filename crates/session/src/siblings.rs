//! `--with-siblings`: gives the test everything next to the input.

use crate::exit::Exit;
use crate::problem::Problem;
use crate::state::{FOLDER, StateFolder};
use nubbin_oracle::Extra;
use std::path::{Path, PathBuf};

/// The largest number of files, and of their bytes. They are copied once for each worker, and
/// looked at after each test.
const FILES: usize = 5000;
const BYTES: u64 = 256 << 20;

/// Folders that no test needs.
const LEFT_OUT: [&str; 4] = [".git", ".hg", ".svn", FOLDER];

/// Returns the files and folders in `folder`, except the inputs and the results of nubbin.
pub fn paths(folder: &Path, inputs: &[PathBuf]) -> Result<Vec<PathBuf>, Problem> {
    let unreadable = |error: &std::io::Error| {
        let what = format!("cannot read the folder `{}`", folder.display());
        Problem::new(Exit::Input, what).because(error)
    };
    let mut found = vec![];
    for entry in std::fs::read_dir(folder).map_err(|error| unreadable(&error))? {
        let entry = entry.map_err(|error| unreadable(&error))?;
        let name = PathBuf::from(entry.file_name());
        let is_left_out = LEFT_OUT.iter().any(|other| name == Path::new(other));
        let path = entry.path();
        let kind = entry.file_type().map_err(|error| unreadable(&error))?;
        let is_plain = kind.is_file() || kind.is_dir() || kind.is_symlink();
        if is_plain && !is_left_out && !is_result(&path) && !inputs.contains(&name) {
            found.push(path);
        }
    }
    found.sort();
    let (mut files, mut bytes) = (0, 0);
    for path in &found {
        count(path, &mut files, &mut bytes);
    }
    if files > FILES || bytes > BYTES {
        let what = format!(
            "`--with-siblings` takes up to {FILES} files and {} MiB, and `{}` has more",
            BYTES >> 20,
            folder.display()
        );
        return Err(Problem::new(Exit::Usage, what)
            .hint("give what the test needs with `--with`; `nubbin capture` finds it"));
    }
    Ok(found)
}

/// Returns whether nubbin wrote a result at the given path.
pub fn is_result(path: &Path) -> bool {
    StateFolder::of(path).path("written").exists()
}

/// Counts the files of a folder, until there are too many.
fn count(path: &Path, files: &mut usize, bytes: &mut u64) {
    let mut folders = vec![path.to_path_buf()];
    while let Some(path) = folders.pop().filter(|_| *files <= FILES) {
        let Ok(there) = std::fs::symlink_metadata(&path) else {
            continue;
        };
        *files += 1;
        *bytes = bytes.saturating_add(if there.is_file() { there.len() } else { 0 });
        if there.is_dir() {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            folders.extend(entries.map(|entry| entry.path()));
        }
    }
}

/// Returns the extras of the test: each path with its own name next to the input.
pub fn extras(paths: &[PathBuf], here: &Path) -> Result<Vec<Extra>, Problem> {
    let extras = paths.iter().map(|path| {
        let name = path.file_name().map(PathBuf::from).unwrap_or_default();
        Extra::named(here.join(path), name).map_err(|error| {
            let what = format!("cannot use `{}`", path.display());
            Problem::new(Exit::Input, what).because(&error)
        })
    });
    extras.collect()
}
