//! The disk space that a test took in its folders.

use std::path::Path;

/// The space that files take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// The disk space of all files.
    pub(crate) total: u64,
    /// The size of the largest file.
    pub(crate) largest: u64,
}

/// The space that is counted for an empty file.
const EMPTY_FILE_BYTES: u64 = 1 << 10;

/// Adds up the files below a folder, as far as they can be read, until `enough` is exceeded. Links
/// are not followed. A file that was removed but is still open is not counted.
///
/// Costs one system call for each file.
pub(crate) fn usage(dir: &Path, enough: u64) -> Usage {
    let mut usage = Usage::default();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        // A running test may remove files in the meantime, so errors are ignored.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(meta) = entry.metadata() else {
                continue;
            };
            if meta.is_dir() {
                folders.push(entry.path());
            } else if meta.is_file() {
                usage.largest = usage.largest.max(meta.len());
            }
            usage.total += room(&meta).max(EMPTY_FILE_BYTES);
            if usage.total > enough {
                return usage;
            }
        }
    }
    usage
}

#[cfg(unix)]
fn room(meta: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::blocks(meta) * 512
}

#[cfg(not(unix))]
fn room(meta: &std::fs::Metadata) -> u64 {
    meta.len()
}

/// The free space of the file system of `path`; `None` if it is unknown.
pub(crate) fn free(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let there = rustix::fs::statvfs(path).ok()?;
        Some(there.f_bavail.saturating_mul(there.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// Returns whether the file system of `path` is full; `false` if that is unknown.
pub(crate) fn is_full(path: &Path) -> bool {
    #[cfg(unix)]
    {
        const NOTHING: u64 = 32 << 10;
        // A part of the disk may be reserved for root.
        let is_first = rustix::process::geteuid().is_root();
        rustix::fs::statvfs(path).is_ok_and(|there| {
            let blocks = if is_first {
                there.f_bfree
            } else {
                there.f_bavail
            };
            // Some file systems report no blocks at all.
            there.f_blocks > 0 && blocks.saturating_mul(there.f_frsize) < NOTHING
        })
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn files_count_but_holes_and_links_do_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        std::fs::create_dir(path("deep")).unwrap();
        std::fs::write(path("deep/file"), vec![1; 100_000]).unwrap();
        let all = usage(dir.path(), u64::MAX);
        assert!((100_000..200_000).contains(&all.total), "{all:?}");
        assert_eq!(all.largest, 100_000);
        std::os::unix::fs::symlink("/usr", path("link")).unwrap();
        let hole = std::fs::File::create(path("hole")).unwrap();
        hole.set_len(1 << 30).unwrap();
        let all = usage(dir.path(), u64::MAX);
        assert!((100_000..200_000).contains(&all.total), "{all:?}");
        assert_eq!(all.largest, 1 << 30);
        assert!(usage(dir.path(), 2000).total < 200_000, "ends early");
    }
}
