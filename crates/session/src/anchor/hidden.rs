//! A folder under a temporary name until it is complete.

use super::Folder;
use super::missing::Missing;
use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io;

/// The maximum number of other names that are tried.
const TRIES: u32 = 100;

/// A folder that no other user can enter, and that is removed unless it gets its name.
pub struct HiddenFolder<'a> {
    above: &'a Folder,
    name: OsString,
}

impl<'a> HiddenFolder<'a> {
    /// Creates a hidden folder in the folder `above`.
    pub fn in_folder(above: &'a Folder) -> io::Result<Self> {
        for _ in 0..TRIES {
            let name = OsString::from(format!(".nubbin-{}", random_letters(6)));
            match above.make_dir(&name, 0o700) {
                Ok(()) => return Ok(HiddenFolder { above, name }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    pub fn open(&self) -> io::Result<Folder> {
        self.above.enter(&self.name, Missing::Refuse)
    }

    pub fn set_mode(&self, mode: u32) -> io::Result<()> {
        self.above.set_dir_mode(&self.name, mode)
    }

    /// Renames the folder to `name`. It is an error if an entry has that name.
    pub fn persist(self, name: &OsStr) -> io::Result<()> {
        // After the rename, `drop` finds no folder with the first name.
        self.above.rename(&self.name, self.above, name)
    }
}

impl Drop for HiddenFolder<'_> {
    fn drop(&mut self) {
        // A folder that remains is harmless.
        let _ = remove(self.above, &self.name);
    }
}

/// Removes an entry with all that is in it.
fn remove(folder: &Folder, name: &OsStr) -> io::Result<()> {
    if !folder.there(name)?.is_folder() {
        return folder.remove_file(name);
    }
    let inner = folder.enter(name, Missing::Refuse)?;
    for entry in inner.entries()? {
        remove(&inner, &entry)?;
    }
    folder.remove_dir(name)
}

/// Returns `count` random letters and digits, at most 12.
pub fn random_letters(count: usize) -> String {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    let mut random = RandomState::new().build_hasher().finish() as usize;
    let mut name = String::new();
    for _ in 0..count {
        name.push(char::from(LETTERS[random % LETTERS.len()]));
        random /= LETTERS.len();
    }
    name
}
