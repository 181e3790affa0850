//! Writes files in one step, and checks beforehand whether they can be written.

use crate::anchor::{make_dirs, random_letters};
use crate::exit::Exit;
use crate::problem::Problem;
use nubbin_reduce::edit::fingerprint;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};
use std::time::{Duration, Instant};

/// The number of random letters in the name of an unfinished file.
pub const RANDOM: usize = 6;

/// Checks before the first test whether a result with the given access rights can be written.
pub fn probe(path: &Path, mode: Option<u32>) -> Result<(), Problem> {
    let folder = folder_of(path);
    let made = make_dirs(folder, mode).and_then(|()| {
        tempfile::Builder::new()
            .prefix(".nubbin-")
            .tempfile_in(folder)
    });
    if let Err(error) = made {
        return Err(cannot_write(path, &error));
    }
    match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        // One possible cause is a name that is too long.
        Err(error) => return Err(cannot_write(path, &error)),
        Ok(there) if there.is_file() => {}
        Ok(there) => {
            let kind = if there.is_dir() {
                "is a folder"
            } else {
                "is not a plain file"
            };
            let what = format!("`{}` {kind}", path.display());
            return Err(
                Problem::new(Exit::Output, what).hint("give the path of a file with `-o PATH`")
            );
        }
    }
    Ok(())
}

/// Returns the permissions of an input for its result, so that a private file remains private, and
/// a script executable.
#[cfg(unix)]
pub fn mode(path: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    Some(std::fs::metadata(path).ok()?.permissions().mode() & 0o777 | 0o200)
}

#[cfg(not(unix))]
pub fn mode(_path: &Path) -> Option<u32> {
    None
}

/// Held by a reader while there is an unfinished file.
static UNFINISHED: RwLock<()> = RwLock::new(());

/// Returns a lock to hold from before an unfinished file is created until it has its final name.
pub fn finishing() -> RwLockReadGuard<'static, ()> {
    UNFINISHED.read().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until no file is unfinished, and prevents new unfinished files. Returns `None` if this
/// takes longer than `patience`, since a disk may not respond.
pub fn hold(patience: Duration) -> Option<RwLockWriteGuard<'static, ()>> {
    let until = Instant::now() + patience;
    loop {
        match UNFINISHED.try_write() {
            Ok(held) => return Some(held),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if Instant::now() > until => return None,
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

/// Writes a file in one step, so that a reader sees either the old or the new content.
pub fn replace(path: &Path, bytes: &[u8], mode: Option<u32>) -> io::Result<()> {
    let _finishing = finishing();
    let mut file = match unfinished(path) {
        // The test may have removed the folder.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make_dirs(folder_of(path), mode)?;
            unfinished(path)?
        }
        made => made?,
    };
    file.write_all(bytes)?;
    #[cfg(unix)]
    if let Some(mode) = mode {
        use std::os::unix::fs::PermissionsExt;
        file.as_file()
            .set_permissions(std::fs::Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = mode;
    file.persist(path)?;
    Ok(())
}

/// Creates a file next to `path` that replaces it when it is complete. Only its owner can read it.
pub fn unfinished(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let prefix = unfinished_prefix(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).rand_bytes(RANDOM);
    builder.tempfile_in(folder_of(path))
}

/// Returns the prefix of the names of unfinished files, by which a later run recognizes them. The
/// name of `path` may be as long as the system allows.
pub fn unfinished_prefix(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    let print = fingerprint(name.as_encoded_bytes()).0 as u64;
    format!(".nubbin-{print:016x}-")
}

/// Returns the name of such a file.
pub(super) fn unfinished_name(path: &Path) -> String {
    unfinished_prefix(path) + &random_letters(RANDOM)
}

pub fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

pub fn cannot_write(path: &Path, error: &io::Error) -> Problem {
    Problem::new(
        Exit::Output,
        format!("cannot write the result `{}`", path.display()),
    )
    .because(error)
    .hint(match error.kind() {
        io::ErrorKind::StorageFull => "make room there, and run the same command again",
        _ => "give a path you may write to with `-o PATH`",
    })
}
