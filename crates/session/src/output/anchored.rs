//! Results, written through the anchor of their folder.

use super::access::Rights;
use super::write::{finishing, folder_of, unfinished_name};
use crate::anchor::{Anchor, Folder, Missing, There};
use crate::state::{print_of_link, print_of_open};
use nubbin_reduce::edit::Fingerprint;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

/// The maximum number of other names that are tried for an unfinished file.
const TRIES: u32 = 100;

impl Anchor {
    /// Writes a file in one step, so that a reader sees either the old or the new content.
    pub fn replace(&self, path: &Path, bytes: &[u8], rights: impl Into<Rights>) -> io::Result<()> {
        self.put(path, rights.into(), |file| file.write_all(bytes))
    }

    fn put(
        &self,
        path: &Path,
        rights: Rights,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> io::Result<()> {
        let _finishing = finishing();
        let (folder, name) = self.place(path, Missing::Make(rights.of_folders()))?;
        let (mut file, unfinished) = create(&folder, path, rights.at_first())?;
        let written = write(&mut file).and_then(|()| match rights.exact() {
            Some(mode) => Folder::set_file_mode(&file, mode),
            None => Ok(()),
        });
        // Some systems cannot rename an open file.
        drop(file);
        let named = written.and_then(|()| folder.rename(&unfinished, &folder, name));
        if named.is_err() {
            let _ = folder.remove_file(&unfinished);
        }
        named
    }

    /// Copies a file. A link is copied as a link. Where links cannot be made, copies the target.
    pub(super) fn copy(&self, from: &Path, to: &Path, of_folders: Option<u32>) -> io::Result<()> {
        if from.is_symlink() {
            let (folder, name) = self.place(to, Missing::Make(of_folders))?;
            if folder.there(name).is_ok_and(|there| there.is_link()) {
                folder.remove_file(name)?;
            }
            match folder.link(name, &std::fs::read_link(from)?) {
                Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
                made => return made,
            }
        }
        self.make_dirs(folder_of(to), of_folders)?;
        let mut original = File::open(from)?;
        let rights = Rights::OfInput(mode_of(&original)?);
        self.put(to, rights, |file| io::copy(&mut original, file).map(drop))
    }

    /// Opens a file that is written bit by bit, and empties it.
    pub(super) fn create(&self, path: &Path, mode: u32) -> io::Result<File> {
        let (folder, name) = self.place(path, Missing::Refuse)?;
        folder.create(name, mode)
    }

    /// Creates a folder, and the folders above it.
    pub(super) fn make_dirs(&self, path: &Path, of_folders: Option<u32>) -> io::Result<()> {
        self.within(path, Missing::Make(of_folders)).map(drop)
    }

    pub(super) fn remove_file(&self, path: &Path) -> io::Result<()> {
        let (folder, name) = self.place(path, Missing::Refuse)?;
        folder.remove_file(name)
    }

    /// Removes a folder that is empty.
    pub(super) fn remove_dir(&self, path: &Path) -> io::Result<()> {
        let (folder, name) = self.place(path, Missing::Refuse)?;
        folder.remove_dir(name)
    }

    pub(super) fn there(&self, path: &Path) -> io::Result<There> {
        let (folder, name) = self.place(path, Missing::Refuse)?;
        folder.there(name)
    }

    /// Returns the fingerprint of a file, or of the target of a link.
    pub(super) fn print(&self, path: &Path) -> io::Result<Fingerprint> {
        let (folder, name) = self.place(path, Missing::Refuse)?;
        match folder.there(name)?.is_link() {
            true => Ok(print_of_link(&folder.read_link(name)?)),
            false => print_of_open(folder.read(name)?),
        }
    }
}

/// Returns all access rights of a file; `None` elsewhere than on Unix.
fn mode_of(file: &File) -> io::Result<Option<u32>> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        Ok(Some(file.metadata()?.permissions().mode() & 0o7777))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        Ok(None)
    }
}

/// Creates an unfinished file next to a path. Returns it with its name.
fn create(folder: &Folder, path: &Path, mode: u32) -> io::Result<(File, OsString)> {
    for _ in 0..TRIES {
        let name = unfinished_name(path);
        match folder.create_new(OsStr::new(&name), mode) {
            Ok(file) => return Ok((file, name.into())),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
