//! The folder of a result, on systems where files are reached by paths only.

use super::access::{Access, Rights};
use super::write::{folder_of, make_dirs, replace};
use crate::state::print_of_file;
use nubbin_reduce::edit::Fingerprint;
use std::fs::File;
use std::io;
use std::path::Path;

/// A folder, and the way to files below it.
#[derive(Clone, Debug)]
pub(crate) struct Anchor;

/// The kind of thing at a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct There {
    pub(super) len: u64,
    pub(super) mode: u32,
    pub(super) is_file: bool,
}

impl Anchor {
    /// Returns the anchor of the folder of a file.
    pub(crate) fn of(_path: &Path) -> Self {
        Anchor
    }

    pub(crate) fn open(&self) {}

    /// Writes a file in one step, so that a reader sees either the old content or the new one.
    pub(super) fn replace(&self, path: &Path, bytes: &[u8], rights: Rights) -> io::Result<()> {
        replace(path, bytes, rights.exact())
    }

    /// Copies a file.
    pub(super) fn copy(&self, from: &Path, to: &Path, of_folders: Option<u32>) -> io::Result<()> {
        make_dirs(folder_of(to), of_folders)?;
        replace(to, &std::fs::read(from)?, None)
    }

    /// Opens a file that is written bit by bit, and empties it.
    pub(super) fn create(&self, path: &Path, mode: u32) -> io::Result<File> {
        Access::with_mode(mode).create(path)
    }

    /// Makes a folder, and those above it.
    pub(super) fn make_dirs(&self, path: &Path, of_folders: Option<u32>) -> io::Result<()> {
        make_dirs(path, of_folders)
    }

    pub(super) fn remove_file(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    /// Removes a folder that is empty.
    pub(super) fn remove_dir(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_dir(path)
    }

    pub(super) fn there(&self, path: &Path) -> io::Result<There> {
        let there = std::fs::symlink_metadata(path)?;
        Ok(There {
            len: there.len(),
            mode: 0,
            is_file: there.is_file(),
        })
    }

    /// Returns the fingerprint of a file, or of the target of a link.
    pub(super) fn print(&self, path: &Path) -> io::Result<Fingerprint> {
        print_of_file(path)
    }
}
