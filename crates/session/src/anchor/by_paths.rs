//! A folder whose entries are opened by their paths, for systems without another way.
//!
//! A link that replaces a folder is refused if it exists before the folder is used. A link that
//! appears later is not noticed.

use super::missing::Missing;
use super::replaced::replaced;
use super::there::{Kind, There};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A folder, identified by its path.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Returns the absolute path of a folder. Links in the path are kept, since not every Windows
    /// disk has paths without links.
    pub(super) fn real_path(path: &Path) -> io::Result<PathBuf> {
        path.metadata()?;
        std::path::absolute(path)
    }

    /// Takes a folder by its whole path.
    pub(super) fn at(real: &Path, missing: Missing) -> io::Result<Self> {
        if let Missing::Make(_) = missing {
            std::fs::create_dir_all(real)?;
        }
        match real.metadata()?.is_dir() {
            true => Ok(Folder(real.to_path_buf())),
            false => Err(replaced(real)),
        }
    }

    /// Opens a folder in this folder. A link instead of the folder is an error.
    pub fn enter(&self, name: &OsStr, missing: Missing) -> io::Result<Self> {
        match (self.there(name), missing) {
            (Err(error), Missing::Make(_)) if error.kind() == io::ErrorKind::NotFound => {
                self.make_dir(name, missing.mode())?;
            }
            (Err(error), _) => return Err(error),
            (Ok(there), _) if !there.is_folder() => return Err(replaced(Path::new(name))),
            (Ok(_), _) => {}
        }
        Ok(Folder(self.0.join(name)))
    }

    /// Returns whether both have the same path.
    pub(super) fn is_same(&self, other: &Folder) -> io::Result<bool> {
        Ok(self.0 == other.0)
    }

    /// Returns facts about an entry.
    pub fn there(&self, name: &OsStr) -> io::Result<There> {
        Ok(there(&std::fs::symlink_metadata(self.0.join(name))?))
    }

    /// Returns the names of all entries.
    pub fn entries(&self) -> io::Result<Vec<OsString>> {
        let entries = std::fs::read_dir(&self.0)?;
        entries.map(|entry| Ok(entry?.file_name())).collect()
    }

    /// Creates a folder.
    pub fn make_dir(&self, name: &OsStr, _mode: u32) -> io::Result<()> {
        std::fs::create_dir(self.0.join(name))
    }

    /// Does nothing, since the system has no access rights of this kind.
    pub fn set_dir_mode(&self, _name: &OsStr, _mode: u32) -> io::Result<()> {
        Ok(())
    }

    /// Creates a file that does not exist, to read and write.
    pub fn create_new(&self, name: &OsStr, _mode: u32) -> io::Result<File> {
        self.file(name, options().read(true).write(true).create_new(true))
    }

    /// Creates a file, or empties the existing file.
    pub fn create(&self, name: &OsStr, _mode: u32) -> io::Result<File> {
        self.file(name, options().write(true).create(true).truncate(true))
    }

    /// Opens a file to read and write.
    pub fn open(&self, name: &OsStr) -> io::Result<File> {
        self.file(name, options().read(true).write(true))
    }

    /// Opens a file to read.
    pub fn read(&self, name: &OsStr) -> io::Result<File> {
        self.file(name, options().read(true))
    }

    fn file(&self, name: &OsStr, options: &mut std::fs::OpenOptions) -> io::Result<File> {
        let is_link = self.there(name).is_ok_and(|there| there.is_link());
        if is_link {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link"));
        }
        options.open(self.0.join(name))
    }

    /// Does nothing, since the system has no access rights of this kind.
    pub fn set_file_mode(_file: &File, _mode: u32) -> io::Result<()> {
        Ok(())
    }

    /// Moves an entry to a folder under a new name, and replaces a file of that name.
    pub fn rename(&self, name: &OsStr, to: &Folder, new: &OsStr) -> io::Result<()> {
        std::fs::rename(self.0.join(name), to.0.join(new))
    }

    pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        std::fs::remove_file(self.0.join(name))
    }

    /// Removes an empty folder.
    pub fn remove_dir(&self, name: &OsStr) -> io::Result<()> {
        std::fs::remove_dir(self.0.join(name))
    }

    /// Returns an error, since not every user may create links.
    pub fn link(&self, _name: &OsStr, _target: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns the target of a link.
    pub fn read_link(&self, name: &OsStr) -> io::Result<OsString> {
        Ok(std::fs::read_link(self.0.join(name))?.into_os_string())
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "files have no access rights of their own here"
)]
fn options() -> std::fs::OpenOptions {
    std::fs::OpenOptions::new()
}

fn there(found: &Metadata) -> There {
    let kind = found.file_type();
    There {
        kind: match () {
            () if kind.is_symlink() => Kind::Link,
            () if kind.is_dir() => Kind::Folder,
            () if kind.is_file() => Kind::File,
            () => Kind::Other,
        },
        len: found.len(),
        mode: 0,
        is_foreign: false,
        modified: found.modified().unwrap_or(SystemTime::UNIX_EPOCH),
        #[cfg(unix)]
        identity: (0, 0),
    }
}
