//! The lock of a result. Two runs never write to one result.

use super::folder::StateFolder;
use super::records::Format;
use crate::exit::Exit;
use crate::problem::{Problem, warn};
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::sync::Once;

const SUFFIX: &str = "lock";

/// The lock on a result for this run. The system releases it when the process ends in any way.
#[derive(Debug)]
pub struct Lock {
    state: StateFolder,
    /// Closed, and so released, after the file is removed.
    _file: File,
}

impl Lock {
    /// Creates the folder of the result's files, and takes the lock.
    pub fn take(state: StateFolder) -> Result<Self, Problem> {
        state.make()?;
        let locked = Lock::locked(&state);
        if !matches!(locked, Ok(Some(_))) {
            state.leave();
        }
        match locked {
            Ok(Some(file)) => Ok(Lock { state, _file: file }),
            Ok(None) => {
                let what = format!("another run is writing to `{}`", state.result().display());
                Err(Problem::new(Exit::Output, what)
                    .hint("wait for that run, or give another result with `-o PATH`"))
            }
            Err(error) => {
                let what = format!("cannot lock `{}`", state.path(SUFFIX).display());
                let problem = Problem::new(Exit::Output, what).because(&error);
                Err(match error.kind() {
                    io::ErrorKind::StorageFull => problem.hint("make room there"),
                    _ => problem,
                })
            }
        }
    }

    /// Returns the locked file, or `None` if another run holds it.
    fn locked(state: &StateFolder) -> io::Result<Option<File>> {
        loop {
            let mut file = state.open_or_create(SUFFIX)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) if has_no_locks(&error) => tell_once(state),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // The run that held the lock has removed the file in the meantime.
            if !is_at(&file, state)? {
                continue;
            }
            if file.metadata()?.len() > 0 {
                return Ok(Some(file));
            }
            let text = [Format::MAGIC, b"lock\n"].concat();
            return match file.write_all(&text) {
                Ok(()) => Ok(Some(file)),
                Err(error) => {
                    let _ = state.discard(SUFFIX);
                    Err(error)
                }
            };
        }
    }

    /// Returns the folder with the files of the locked result.
    pub fn state(&self) -> &StateFolder {
        &self.state
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A remaining file does not lock the result.
        let _ = self.state.remove(SUFFIX);
        self.state.leave();
    }
}

/// Returns whether the path of the file still leads to this file.
#[cfg(unix)]
fn is_at(file: &File, state: &StateFolder) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let ours = file.metadata()?;
    let there = match state.there(SUFFIX) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        there => there?,
    };
    Ok(there.identity == (ours.dev(), ours.ino()))
}

/// Returns whether a file system has no locks, as some of a network have not.
fn has_no_locks(error: &io::Error) -> bool {
    #[cfg(unix)]
    let is_refused = error.raw_os_error() == Some(rustix::io::Errno::NOLCK.raw_os_error());
    #[cfg(not(unix))]
    let is_refused = false;
    is_refused || error.kind() == io::ErrorKind::Unsupported
}

/// Says that two runs are not kept from one result.
fn tell_once(state: &StateFolder) {
    static TOLD: Once = Once::new();
    TOLD.call_once(|| {
        warn(&format!(
            "the file system of `{}` has no locks, so nothing keeps another run from the same \
             result; `-o PATH` can name one on another file system",
            state.folder().display()
        ));
    });
}

/// Returns true, since an open file cannot be removed on this system.
#[cfg(not(unix))]
fn is_at(_file: &File, _state: &StateFolder) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_has_one_run_at_a_time_and_the_lock_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let state = |name: &str| StateFolder::of(&folder.path().join(name));
        let held = Lock::take(state("x")).unwrap();
        let refused = Lock::take(state("x")).unwrap_err();
        assert_eq!(refused.exit(), Exit::Output);
        let other = Lock::take(state("y")).unwrap();
        drop(held);
        drop(Lock::take(state("x")).unwrap());
        drop(other);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_of_that_name_that_is_not_of_nubbin_stays() {
        let folder = tempfile::tempdir().unwrap();
        let state = StateFolder::of(&folder.path().join("x"));
        state.make().unwrap();
        std::fs::write(state.path(SUFFIX), "mine").unwrap();
        drop(Lock::take(state.clone()).unwrap());
        assert_eq!(std::fs::read_to_string(state.path(SUFFIX)).unwrap(), "mine");
    }
}
