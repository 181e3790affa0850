//! The disk space that a test has taken in its folders.

use std::path::Path;

/// The space that files take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Room on disk for all of them.
    pub(crate) total: u64,
    /// Length of the longest.
    pub(crate) largest: u64,
}

/// Even an empty file takes this much somewhere.
const LEAST: u64 = 1 << 10;

/// Adds up what lies below a folder, as far as it can be read, until `enough` is exceeded. Links
/// are not followed. A file that was removed while it is still open is not seen.
///
/// Costs one system call for each file.
pub(crate) fn usage(dir: &Path, enough: u64) -> Usage {
    let mut usage = Usage::default();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        // A test may remove things while we look.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(meta) = entry.metadata() else {
                continue;
            };
            if meta.is_dir() {
                folders.push(entry.path());
            } else if meta.is_file() {
                usage.largest = usage.largest.max(meta.len());
            }
            usage.total += room(&meta).max(LEAST);
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

/// Room left where `path` lies; `None` where the system does not say.
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

/// Whether nothing more can be written where `path` lies, as far as the system says.
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
    fn files_count_and_holes_and_links_do_not() {
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
