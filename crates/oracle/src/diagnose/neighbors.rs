//! The files and folders next to the original. A run may get copies of them.

use crate::extra::Extra;
use crate::oracle::CommandOracle;
use std::path::{Component, Path, PathBuf};

/// The limit on the number of neighbors of the input that are copied.
pub(super) const NEIGHBORS: usize = 1000;
/// The limit on the size of all copied neighbors together.
const NEIGHBOR_BYTES: u64 = 64 << 20;
/// The limit on the depth of folders.
const DEPTH: usize = 32;

/// Folders that no test needs: the history of a project, and the state of this program.
const LEFT_OUT: [&str; 4] = [".git", ".hg", ".svn", ".nubbin"];

/// Returns the files and folders next to the original that can be copied, or the reason why they
/// are not copied. Entries for which `is_apart` holds are not neighbors.
pub(super) fn neighbors_of(
    oracle: &CommandOracle,
    user_dir: &Path,
    is_apart: &dyn Fn(&Path) -> bool,
) -> Result<Vec<Extra>, String> {
    let Ok(entries) = std::fs::read_dir(user_dir) else {
        return Ok(Vec::new());
    };
    let mut copies = Copies {
        // Through a link, a test without a sandbox could change one of the user's files.
        is_confined: oracle.sandbox().is_some(),
        files: 0,
        bytes: 0,
    };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let name = PathBuf::from(entry.file_name());
        let is_left_out = LEFT_OUT.iter().any(|it| name == Path::new(it));
        if is_left_out || oracle.names().contains(&name) || oracle.place() == name {
            continue;
        }
        let path = entry.path();
        let Ok(meta) = std::fs::symlink_metadata(&path) else {
            continue;
        };
        if is_apart(&path) {
            continue;
        }
        let can_copy = match meta.is_dir() {
            true => copies.add_folder(&path, DEPTH)?,
            false => meta.is_file() && copies.add_file(&path, meta.len())?,
        };
        if can_copy {
            found.push(Extra::neighbor(user_dir, name));
        }
    }
    found.sort_by(|one, other| one.name().cmp(other.name()));
    Ok(found)
}

/// The copies so far.
struct Copies {
    is_confined: bool,
    files: usize,
    bytes: u64,
}

impl Copies {
    /// Counts a file. Returns `false` for a file that cannot be read.
    fn add_file(&mut self, path: &Path, length: u64) -> Result<bool, String> {
        if std::fs::File::open(path).is_err() {
            return Ok(false);
        }
        self.count(length).map(|()| true)
    }

    fn count(&mut self, length: u64) -> Result<(), String> {
        self.bytes = self.bytes.saturating_add(length);
        if self.files == NEIGHBORS || self.bytes > NEIGHBOR_BYTES {
            return Err(format!(
                "there are more than {NEIGHBORS} files or {} MiB",
                NEIGHBOR_BYTES >> 20
            ));
        }
        self.files += 1;
        Ok(())
    }

    /// Counts everything in a folder. Returns `false` if the folder cannot be copied as a whole.
    fn add_folder(&mut self, folder: &Path, depth: usize) -> Result<bool, String> {
        let Ok(entries) = std::fs::read_dir(folder) else {
            return Ok(false);
        };
        if depth == 0 {
            return Ok(false);
        }
        for entry in entries.flatten() {
            let path = entry.path();
            let Ok(meta) = std::fs::symlink_metadata(&path) else {
                return Ok(false);
            };
            let can_copy = match () {
                () if meta.is_dir() => self.add_folder(&path, depth - 1)?,
                () if meta.is_symlink() => {
                    self.count(0)?;
                    self.is_confined || stays_within(&path)
                }
                () if meta.is_file() => self.add_file(&path, meta.len())?,
                // Pipes and sockets are not copied.
                () => true,
            };
            if !can_copy {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns whether a link leads to something in the folder that it is in.
fn stays_within(link: &Path) -> bool {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    std::fs::read_link(link).is_ok_and(|target| target.components().all(is_plain))
}
