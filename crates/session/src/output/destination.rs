//! Files that the user names for outputs other than results: statistics, events, pages, and
//! figures.

use super::access::Access;
use super::own_file::{OwnFile, OwnLog};
use super::write::folder_of;
use crate::exit::Exit;
use crate::problem::Problem;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that the user names for an output. The output does not replace a file of the user.
#[derive(Debug)]
pub struct Destination {
    /// The path as the user named it.
    path: PathBuf,
    /// The content, for messages.
    what: &'static str,
    access: Access,
    /// `None` for a pipe or a device, in which nothing can be lost.
    file: Option<OwnFile>,
}

impl Destination {
    /// Claims a file that is written in one step. It is an error if nubbin did not write the
    /// existing file, or if the file was modified afterwards, unless `force` permits replacing it.
    pub fn claim(
        path: &Path,
        what: &'static str,
        access: Access,
        force: bool,
    ) -> Result<Self, Problem> {
        Destination::of(path, what, access, |path| {
            OwnFile::claim(path, access, force)
        })
    }

    /// Claims a file that grows during a run, like [`Destination::claim`].
    pub(super) fn claim_log(
        path: &Path,
        what: &'static str,
        access: Access,
        force: bool,
    ) -> Result<Self, Problem> {
        Destination::of(path, what, access, |path| {
            OwnFile::claim_log(path, access, force)
        })
    }

    fn of(
        path: &Path,
        what: &'static str,
        access: Access,
        claim: impl FnOnce(&Path) -> Result<OwnFile, Problem>,
    ) -> Result<Self, Problem> {
        let file = match is_stream(path) {
            true => None,
            false => {
                // The target of a link is written, and the link is kept.
                let real = path.canonicalize().ok().filter(|_| path.is_symlink());
                let real = real.unwrap_or_else(|| path.to_path_buf());
                probe(&real).map_err(|error| cannot_write(path, what, &error))?;
                Some(claim(&real)?)
            }
        };
        Ok(Destination {
            path: path.to_path_buf(),
            what,
            access,
            file,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the whole content.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Problem> {
        let written = match &self.file {
            Some(file) => file.write(bytes),
            None => (self.access.append(&self.path)).and_then(|mut file| file.write_all(bytes)),
        };
        written.map_err(|error| cannot_write(&self.path, self.what, &error))
    }

    /// Empties the file, to be written bit by bit.
    pub(super) fn begin(self) -> Result<Growing, Problem> {
        let begun = match self.file {
            Some(file) => file
                .begin(self.access)
                .map(|log| Growing::Own(Box::new(log))),
            None => self.access.append(&self.path).map(Growing::Stream),
        };
        begun.map_err(|error| cannot_write(&self.path, self.what, &error))
    }
}

/// A file that grows during a run.
#[derive(Debug)]
pub(super) enum Growing {
    Own(Box<OwnLog>),
    Stream(File),
}

impl Growing {
    /// Writes the remaining content.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Growing::Own(log) => log.finish(),
            Growing::Stream(mut file) => file.flush(),
        }
    }
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Growing::Own(log) => log.write(bytes),
            Growing::Stream(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Growing::Own(log) => log.flush(),
            Growing::Stream(file) => file.flush(),
        }
    }
}

/// Checks whether a file can be written. Leaves nothing.
fn probe(path: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(path) {
        Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    tempfile::tempfile_in(folder_of(path)).map(drop)
}

/// Returns whether a path leads to a pipe, a device, or an open file of this process.
fn is_stream(path: &Path) -> bool {
    let is_open = ["/dev/stdout", "/dev/stderr"]
        .map(Path::new)
        .contains(&path)
        || path
            .parent()
            .and_then(|folder| folder.canonicalize().ok())
            .is_some_and(|folder| folder.starts_with("/proc"));
    is_open
        || path
            .metadata()
            .is_ok_and(|there| !there.is_file() && !there.is_dir())
}

fn cannot_write(path: &Path, what: &str, error: &io::Error) -> Problem {
    let what = format!("cannot write the {what} to `{}`", path.display());
    Problem::new(Exit::Output, what).because(error)
}
