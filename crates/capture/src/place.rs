//! The folder of a capture.

use crate::exit::Exit;
use crate::output::write::{cannot_write, folder_of};
use crate::output::{Access, files_in};
use crate::paths;
use crate::problem::Problem;
use crate::signals::stopped;
use crate::state::{FOLDER, Receipt, StateFolder, print_of_file};
use nubbin_reduce::engine::Stop;
use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The folder of a capture, which is absent, empty, or an earlier capture as it was written.
#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
    receipt: RefCell<Receipt>,
}

impl Place {
    /// Refuses a folder with files that no capture wrote, or that were modified afterwards.
    pub(super) fn claim(path: &Path) -> Result<Self, Problem> {
        paths::folder_or_nothing(path, "-o DIR")?;
        let receipt = Receipt::read(StateFolder::of(path));
        let files = match path.is_dir() {
            true => files_in(path).map_err(|error| cannot_write(path, &error))?,
            false => vec![],
        };
        let is_own = |file: &PathBuf| {
            let name = file.strip_prefix(path).unwrap_or(file);
            print_of_file(file).is_ok_and(|print| receipt.lists(name, print))
        };
        if let Some(foreign) = files.iter().find(|file| !is_own(file)) {
            let what = format!(
                "`{}` has files that `nubbin capture` did not write, or that were modified \
                 afterwards: `{}`",
                path.display(),
                foreign.display()
            );
            return Err(Problem::new(Exit::Output, what)
                .hint("give another folder with `-o DIR`, or move this one away"));
        }
        Ok(Place {
            path: path.to_owned(),
            receipt: RefCell::new(receipt),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Creates the folder under a temporary name, next to its final path.
    pub(super) fn begin(&self) -> Result<Unfinished, Problem> {
        let above = folder_of(&self.path);
        let folder = std::fs::create_dir_all(above)
            .and_then(|()| {
                tempfile::Builder::new()
                    .prefix(".nubbin-")
                    .tempdir_in(above)
            })
            .map_err(|error| cannot_write(&self.path, &error))?;
        Ok(Unfinished { folder })
    }

    /// Renames the finished folder to its final path.
    pub(super) fn conclude(&self, unfinished: Unfinished) -> Result<(), Problem> {
        let put = || -> io::Result<Vec<_>> {
            let new = unfinished.folder.path();
            let files = files_in(new)?.into_iter().map(|file| {
                let name = file.strip_prefix(new).unwrap_or(&file).to_owned();
                Ok((name, print_of_file(&file)?))
            });
            let files: Vec<_> = files.collect::<io::Result<_>>()?;
            self.receipt.borrow_mut().add(files.clone());
            let aside = tempfile::Builder::new()
                .prefix(".nubbin-")
                .tempdir_in(folder_of(&self.path))?;
            let old = aside.path().join("old");
            if self.path.exists() {
                std::fs::rename(&self.path, &old)?;
            }
            if let Err(error) = std::fs::rename(new, &self.path) {
                // The earlier folder is restored, since no folder would remain otherwise.
                let _ = std::fs::rename(&old, &self.path);
                return Err(error);
            }
            // The earlier folder may contain verdicts of a stopped reduction.
            let state = old.join(FOLDER);
            if state.exists() {
                std::fs::rename(state, self.path.join(FOLDER))?;
            }
            Ok(files)
        };
        let files = put().map_err(|error| cannot_write(&self.path, &error))?;
        self.receipt.borrow_mut().conclude(files);
        Ok(())
    }
}

/// A folder that is being filled. The folder is removed when this value is dropped.
#[derive(Debug)]
pub(super) struct Unfinished {
    folder: TempDir,
}

impl Unfinished {
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file with the given access rights.
    pub(super) fn write(&self, name: &Path, bytes: &[u8], mode: u32) -> Result<(), Problem> {
        use std::io::Write;
        use std::os::unix::fs::PermissionsExt;
        let path = self.folder.path().join(name);
        let write = || {
            let mut file = Access::with_mode(mode).create_new(&path)?;
            file.write_all(bytes)?;
            // The umask may have removed the executable bit.
            let wanted = file.metadata()?.permissions().mode() | (mode & 0o700);
            file.set_permissions(PermissionsExt::from_mode(wanted))
        };
        write().map_err(|error| cannot_write(&path, &error))
    }

    /// Creates a folder inside the capture, with the access rights of `original`. The folders above
    /// it get the rights of the folders above the original.
    pub(super) fn make_folder(&self, name: &Path, original: &Path) -> Result<(), Problem> {
        let path = self.folder.path().join(name);
        if path.is_dir() {
            return Ok(());
        }
        if let (Some(above), Some(original)) = (name.parent(), original.parent())
            && !above.as_os_str().is_empty()
        {
            self.make_folder(above, original)?;
        }
        std::fs::create_dir(&path)
            .and_then(|()| std::fs::metadata(original))
            .and_then(|there| {
                use std::os::unix::fs::PermissionsExt;
                let mode = there.permissions().mode() & 0o777 | 0o700;
                std::fs::set_permissions(&path, PermissionsExt::from_mode(mode))
            })
            .map_err(|error| cannot_write(&path, &error))
    }

    /// Copies a file with its access rights and its time, since a build tool compares times.
    pub(super) fn copy(&self, name: &Path, original: &Path, stop: &Stop) -> Result<u64, Problem> {
        if stop.is_requested() {
            return Err(stopped().saying("stopped: nothing was captured"));
        }
        if let (Some(above), Some(folder)) = (name.parent(), original.parent()) {
            self.make_folder(above, folder)?;
        }
        let path = self.folder.path().join(name);
        let copy = || {
            #[expect(
                clippy::disallowed_methods,
                reason = "it has the rights of the original"
            )]
            let bytes = std::fs::copy(original, &path)?;
            let time = std::fs::metadata(original)?.modified()?;
            // A read-only file cannot be opened for writing, but its time can be set.
            File::open(&path)?.set_modified(time)?;
            Ok(bytes)
        };
        copy().map_err(|error: io::Error| {
            let what = format!("cannot copy `{}`", original.display());
            Problem::new(Exit::Output, what).because(&error)
        })
    }

    /// Creates a link.
    pub(super) fn link(&self, name: &Path, target: &Path) -> Result<(), Problem> {
        let path = self.folder.path().join(name);
        std::os::unix::fs::symlink(target, &path).map_err(|error| cannot_write(&path, &error))
    }
}
