use crate::access;
use crate::folder_error::FolderError;
use crate::inner_name::is_inner;
use crate::root::Root;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A temporary folder for files that are as private as an input, like the folders of tests: no
/// other user can enter it, and it is removed when dropped, by [`abandon`](crate::abandon), or by
/// the next run after a kill.
#[derive(Debug)]
pub struct PrivateFolder {
    root: Root,
}

impl PrivateFolder {
    /// Creates a private folder with room for files of `size` bytes.
    ///
    /// # Errors
    /// Returns [`FolderError::Create`] if the folder cannot be created, and [`FolderError::Write`]
    /// if it cannot be written to.
    pub fn new(size: u64) -> Result<Self, FolderError> {
        let root = Root::new(false, 1, size)?;
        Ok(PrivateFolder { root })
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.root.path()
    }

    /// Writes a new file, and creates the folders in its relative path `name`. Only this user can
    /// read the file. Returns the path of the file.
    ///
    /// # Errors
    /// Returns [`FolderError::Name`] if the name leads out of the folder, and
    /// [`FolderError::Write`] if the file cannot be written.
    pub fn write(&self, name: &Path, bytes: &[u8]) -> Result<PathBuf, FolderError> {
        if !is_inner(name) {
            return Err(FolderError::Name {
                name: name.to_owned(),
            });
        }
        let path = self.path().join(name);
        let folder = name.parent().unwrap_or(Path::new(""));
        access::make_dirs(self.path(), folder)
            .and_then(|()| access::make_file(&path, access::PRIVATE)?.write_all(bytes))
            .map_err(|source| FolderError::write(&path, source))?;
        Ok(path)
    }
}
