//! A cheap check of whether a test changed a file or folder.

use std::io;
use std::path::Path;
#[cfg(unix)]
use std::time::Duration;

/// The metadata of a file or folder.
///
/// If two stamps of a folder whose time was set back ([`settle`]) are equal, nothing inside it was
/// made, removed, or renamed in between, since any such change sets the time to now. Without
/// setting it back, a quick change could leave the time the same, since file times advance in steps
/// of milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    #[cfg(unix)]
    words: [u64; 8],
    #[cfg(not(unix))]
    never: std::convert::Infallible,
}

impl Stamp {
    /// Returns the stamp of a path; `None` if it does not exist, and on systems other than Unix.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            let meta = std::fs::symlink_metadata(path).ok()?;
            Some(Stamp {
                words: [
                    meta.dev(),
                    meta.ino(),
                    meta.mode().into(),
                    meta.size(),
                    meta.mtime() as u64,
                    meta.mtime_nsec() as u64,
                    meta.ctime() as u64,
                    meta.ctime_nsec() as u64,
                ],
            })
        }
        #[cfg(not(unix))]
        {
            let _ = path;
            None
        }
    }
}

/// Sets the time of a folder back, and returns the stamp that it has then.
pub(crate) fn settle(dir: &Path) -> io::Result<Option<Stamp>> {
    #[cfg(unix)]
    set_time(dir, LONG_AGO)?;
    Ok(Stamp::of(dir))
}

/// A day in 2001. It lies in the past for every file system, and is not the epoch, which some tools
/// read as "unknown time".
#[cfg(unix)]
const LONG_AGO: Duration = Duration::from_secs(1_000_000_000);

#[cfg(unix)]
pub(crate) fn set_time(path: &Path, since_epoch: Duration) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_OMIT, utimensat};
    let time = Timespec {
        tv_sec: since_epoch.as_secs().try_into().unwrap_or(0),
        tv_nsec: since_epoch.subsec_nanos().into(),
    };
    let times = Timestamps {
        last_access: Timespec {
            tv_sec: 0,
            tv_nsec: UTIME_OMIT,
        },
        last_modification: time,
    };
    Ok(utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)?)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn every_change_in_a_settled_folder_changes_its_stamp() {
        let dir = tempfile::tempdir().unwrap();
        let kept = dir.path().join("kept");
        for change in [
            (|dir: &Path| fs::write(dir.join("new"), "").unwrap()) as fn(&Path),
            |dir| fs::remove_file(dir.join("kept")).unwrap(),
            |dir| fs::rename(dir.join("kept"), dir.join("other")).unwrap(),
            |dir| {
                fs::write(dir.join("passing"), "").unwrap();
                fs::remove_file(dir.join("passing")).unwrap();
            },
        ] {
            fs::write(&kept, "").unwrap();
            let before = settle(dir.path()).unwrap();
            assert_eq!(Stamp::of(dir.path()), before);
            change(dir.path());
            assert_ne!(Stamp::of(dir.path()), before);
        }
    }
}
