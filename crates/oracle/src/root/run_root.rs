//! The root of one run of this process, and the roots that this process has now.

use super::names::{BESIDE, KEPT, NEW_PREFIX, OWNER, PREFIX, RANDOM};
use super::owner::Owner;
use super::place::{base, without_links};
use super::sweep::{lock, remove_root, sweep};
use crate::access;
use crate::enclosure::Enclosure;
use crate::folder_error::FolderError;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The private folder of one run, with one folder per slot inside. Removed when dropped.
#[derive(Debug)]
pub(crate) struct Root {
    path: PathBuf,
    keep: bool,
    /// Locked as long as the run lives, also for a run that lost its mark.
    _lock: Option<File>,
}

/// The roots of this process that must not stay, for its sudden end.
static LIVING: Mutex<Vec<Living>> = Mutex::new(Vec::new());

#[derive(Debug)]
struct Living {
    path: PathBuf,
    id: String,
}

fn living() -> MutexGuard<'static, Vec<Living>> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of names that are tried if a name is taken.
const NAME_TRIES: usize = 16;
/// The bytes reserved for the files that a test writes next to the candidate.
const ROOM_PER_TEST: u64 = 64 << 20;
/// The bytes reserved for a test, as a multiple of the size of the candidate: the candidate, a copy
/// of it, the product of compiling it, and a margin.
const COPIES: u64 = 4;

impl Root {
    /// Creates a root with room for `jobs` tests at a time, each with files of `size` bytes.
    pub(crate) fn new(keep: bool, jobs: usize, size: u64) -> Result<Self, FolderError> {
        let each = size.saturating_mul(COPIES).saturating_add(ROOM_PER_TEST);
        let base = base(each.saturating_mul(jobs as u64));
        sweep(&base);
        Self::new_in(&base, keep)
    }

    pub(super) fn new_in(base: &Path, keep: bool) -> Result<Self, FolderError> {
        // Held until it is listed: a sudden end in between would leave it.
        let mut living = living();
        let root = Self::unlisted(base, keep)?;
        if !keep {
            living.push(Living {
                path: root.path.clone(),
                id: root.id(),
            });
        }
        Ok(root)
    }

    fn unlisted(base: &Path, keep: bool) -> Result<Self, FolderError> {
        let mut tries = 1;
        loop {
            match Self::try_new_in(base, keep) {
                Err(FolderError::Create { source, .. })
                    if tries < NAME_TRIES && is_taken(&source) =>
                {
                    tries += 1;
                }
                made => return made,
            }
        }
    }

    fn try_new_in(base: &Path, keep: bool) -> Result<Self, FolderError> {
        let create = |source| FolderError::create(base, source);
        let dir = access::temporary_dir(base, NEW_PREFIX, RANDOM).map_err(create)?;
        let owner = dir.path().join(OWNER);
        let text = match keep {
            false => Owner::this_process().to_string(),
            // A kept root belongs to the user, so no later run may remove it.
            true => format!("{KEPT}\n"),
        };
        access::make_file(&owner, access::PRIVATE)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|source| FolderError::write(&owner, source))?;
        let lock = lock(dir.path());
        let name = dir.path().file_name().unwrap_or_default().to_string_lossy();
        let path = base.join(format!("{PREFIX}{}", name.trim_start_matches(NEW_PREFIX)));
        // A rename onto an empty folder would succeed.
        if std::fs::symlink_metadata(&path).is_ok() {
            return Err(create(std::io::ErrorKind::AlreadyExists.into()));
        }
        std::fs::rename(dir.path(), &path).map_err(create)?;
        // The temporary name no longer exists, so nothing must be removed there.
        let _ = dir.keep();
        // Tools print the real path of a file; it must be the one that `{}` stands for.
        let path = without_links(&path).unwrap_or(path);
        Ok(Root {
            path,
            keep,
            _lock: lock,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns an enclosure in which only the mark and the folders of the slots stay.
    pub(crate) fn enclosure(&self, slots: usize) -> Enclosure {
        let slots = (0..slots).map(|slot| slot.to_string());
        let others = [OWNER, BESIDE].map(str::to_owned);
        Enclosure::new(&self.path, slots.chain(others))
    }

    /// A name that no other current run on this machine has.
    pub(crate) fn id(&self) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        format!("{}-{}", std::process::id(), name.trim_start_matches(PREFIX))
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        if !self.keep {
            // There is no caller to report an error to; the next run sweeps the rest.
            let _ = remove_root(&self.path);
            living().retain(|root| root.path != self.path);
        }
    }
}

/// Returns the beginnings of the marks of all processes that this program runs in its roots.
pub(crate) fn living_marks() -> Vec<String> {
    let ids = living();
    ids.iter().map(|root| format!(" {}.", root.id)).collect()
}

/// Returns the id of a root of this process, if there is one.
pub(crate) fn living_id() -> Option<String> {
    living().first().map(|root| root.id.clone())
}

/// Removes all roots of this process. Tries again if that fails, since another thread may write to
/// them.
pub(crate) fn remove_living(until: Instant) {
    // The lock is never released, so that no root is made any more.
    let living = std::mem::ManuallyDrop::new(living());
    for root in living.iter() {
        while remove_root(&root.path).is_err() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

fn is_taken(error: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    matches!(
        error.kind(),
        ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory
    )
}

#[cfg(test)]
mod tests {
    use super::super::names::mark_of;
    use super::super::sweep::is_root;
    use super::*;

    #[test]
    #[cfg(unix)]
    fn the_mark_of_a_root_is_removed_last() {
        let base = tempfile::tempdir().unwrap();
        let root = Root::new_in(base.path(), false).unwrap();
        let path = root.path().to_owned();
        // More than one read of the folder gives, before and after the mark.
        for number in 0..2000 {
            std::fs::create_dir(path.join(number.to_string())).unwrap();
        }
        let removing = std::thread::spawn(move || drop(root));
        loop {
            let marked = path.join(OWNER).exists();
            // Looked at afterwards: what is there now was there without a mark.
            let is_empty =
                std::fs::read_dir(&path).map_or(true, |mut inside| inside.next().is_none());
            assert!(marked || is_empty);
            if !path.exists() {
                break;
            }
        }
        removing.join().unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_link_in_the_place_of_a_root_is_removed_and_its_target_stays() {
        let base = tempfile::tempdir().unwrap();
        let precious = base.path().join("precious");
        std::fs::create_dir(&precious).unwrap();
        std::fs::write(precious.join("file"), "").unwrap();
        let root = Root::new_in(base.path(), false).unwrap();
        let path = root.path().to_owned();
        std::fs::remove_dir_all(&path).unwrap();
        std::os::unix::fs::symlink(&precious, &path).unwrap();
        drop(root);
        assert!(!path.is_symlink());
        assert!(precious.join("file").exists());
    }

    #[test]
    #[cfg(unix)]
    fn a_root_is_for_its_owner_alone() {
        use std::os::unix::fs::MetadataExt as _;
        let base = tempfile::tempdir().unwrap();
        let root = Root::new_in(base.path(), false).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().mode() & 0o7777;
        assert_eq!(mode(root.path()), 0o700);
        assert_eq!(mode(&root.path().join(OWNER)), 0o600);
    }

    #[test]
    fn a_root_has_its_owner_from_the_moment_it_has_its_name() {
        let base = tempfile::tempdir().unwrap();
        let root = Root::new_in(base.path(), false).unwrap();
        assert!(root.path().join(OWNER).exists() && is_root(root.path()));
        // A later run finds the processes of this one by their mark.
        let name = root.path().file_name().unwrap().to_string_lossy();
        let random = name.strip_prefix(PREFIX).unwrap();
        let mark = mark_of(std::process::id(), random);
        assert_eq!(format!(" {}.", root.id()), mark);
        let names: Vec<_> = std::fs::read_dir(base.path()).unwrap().collect();
        assert_eq!(names.len(), 1, "{names:?}");
    }

    #[test]
    fn a_root_is_removed_after_its_run_unless_it_is_kept() {
        let base = tempfile::tempdir().unwrap();
        let path = Root::new_in(base.path(), false).unwrap().path().to_owned();
        assert!(!path.exists());
        let path = Root::new_in(base.path(), true).unwrap().path().to_owned();
        assert!(path.exists());
    }
}
