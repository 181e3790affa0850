use crate::access;
use crate::remove::{gone_is_none, remove_any};
use crate::stamp::{Stamp, settle};
use std::collections::HashSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A folder around the folders of tests, in which nothing but these may stay: the folder of a slot,
/// and the root of a run.
///
/// A test may write next to its working folder (`mkdir ../out`). The next test would find that, and
/// its verdict would be about the candidate of the test before.
///
/// If a test has changed nothing in the folder, its stamp shows that for one system call.
#[derive(Debug)]
pub(crate) struct Enclosure {
    dir: PathBuf,
    own: HashSet<OsString>,
    /// The stamp from when there was nothing but the own entries.
    stamp: Mutex<Option<Stamp>>,
}

/// The number of times that a folder is listed until nothing more is found in it. Tests in other
/// slots may write to the root at the same time.
const ROUNDS: usize = 4;

impl Enclosure {
    /// Creates an enclosure of the folder `dir` in which the entries `own` are kept.
    pub(crate) fn new(dir: &Path, own: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Enclosure {
            dir: dir.to_owned(),
            own: own.into_iter().map(Into::into).collect(),
            stamp: Mutex::new(None),
        }
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Removes everything but the own entries, and restores the access rights. A folder that does
    /// not exist is left as it is. A link that replaces the folder is removed.
    pub(crate) fn restore(&self) -> io::Result<()> {
        let mut kept = self.stamp.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Stamp::of(&self.dir);
        if now.is_some() && now == *kept {
            return Ok(());
        }
        *kept = None;
        let Some(meta) = gone_is_none(std::fs::symlink_metadata(&self.dir))? else {
            return Ok(());
        };
        if !meta.is_dir() {
            return remove_any(&self.dir);
        }
        access::restore_dir(&self.dir, &meta)?;
        for _ in 0..ROUNDS {
            // The stamp is taken before the folder is listed, so that a later change gives another
            // stamp.
            let stamp = settle(&self.dir)?;
            let mut is_clean = true;
            for entry in std::fs::read_dir(&self.dir)? {
                let entry = entry?;
                if !self.own.contains(&entry.file_name()) {
                    is_clean = false;
                    remove_any(&entry.path())?;
                }
            }
            if is_clean {
                *kept = stamp;
                break;
            }
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    fn names(dir: &Path) -> Vec<OsString> {
        let entries = fs::read_dir(dir).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name()).collect()
    }

    #[test]
    fn nothing_but_the_own_entries_stays_in_an_enclosure() {
        let base = tempfile::tempdir().unwrap();
        let dir = base.path().join("slot");
        fs::create_dir(&dir).unwrap();
        fs::create_dir(dir.join("work")).unwrap();
        let enclosure = Enclosure::new(&dir, ["work", "tmp"]);
        enclosure.restore().unwrap();
        for change in [
            (|dir: &Path| fs::write(dir.join("out"), "").unwrap()) as fn(&Path),
            |dir| fs::create_dir_all(dir.join("out/deep")).unwrap(),
            |dir| std::os::unix::fs::symlink("/", dir.join("out")).unwrap(),
            |dir| fs::rename(dir.join("work"), dir.join("tmp")).unwrap(),
            |dir| fs::set_permissions(dir, fs::Permissions::from_mode(0o1000)).unwrap(),
        ] {
            change(&dir);
            enclosure.restore().unwrap();
            assert_eq!(names(&dir).len(), 1, "{:?}", names(&dir));
            let mode = fs::metadata(&dir).unwrap().permissions().mode();
            assert_eq!(mode & 0o7777, 0o700);
        }
    }

    #[test]
    fn a_link_in_the_place_of_an_enclosure_is_removed_and_its_target_stays() {
        let base = tempfile::tempdir().unwrap();
        let precious = base.path().join("precious");
        fs::create_dir(&precious).unwrap();
        fs::write(precious.join("file"), "").unwrap();
        let dir = base.path().join("slot");
        std::os::unix::fs::symlink(&precious, &dir).unwrap();
        Enclosure::new(&dir, ["work"]).restore().unwrap();
        assert!(!dir.is_symlink());
        assert!(precious.join("file").exists());
    }

    #[test]
    fn an_enclosure_that_was_removed_is_no_error() {
        let base = tempfile::tempdir().unwrap();
        let enclosure = Enclosure::new(&base.path().join("slot"), ["work"]);
        enclosure.restore().unwrap();
        assert_eq!(names(base.path()).len(), 0);
    }
}
