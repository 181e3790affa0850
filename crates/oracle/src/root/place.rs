//! The folder in which roots are made.

#[cfg(target_os = "linux")]
use crate::disk;
use std::path::{Path, PathBuf};

/// The folder for roots: `TMPDIR`, else a file system in memory, else the system's folder.
///
/// Memory is used only if it has room for all tests or more room than the system's folder, since
/// a test that runs out of space may give a wrong verdict.
pub(super) fn base(needed: u64) -> PathBuf {
    let asked = std::env::var_os("TMPDIR")
        .filter(|dir| !dir.is_empty())
        .map(PathBuf::from);
    if let Some(dir) = asked.filter(|dir| dir.is_dir()) {
        return without_links(&dir).unwrap_or(dir);
    }
    let system = std::env::temp_dir();
    #[cfg(target_os = "linux")]
    {
        let memory = Path::new("/dev/shm");
        let is_best =
            is_fit_memory(memory) && is_roomier(disk::free(memory), disk::free(&system), needed);
        if is_best {
            return memory.to_owned();
        }
    }
    let _ = needed;
    system
}

/// The absolute path, with links followed. On Windows links are kept, since the shell there cannot
/// work in a path like `\\?\C:\`.
pub(super) fn without_links(path: &Path) -> std::io::Result<PathBuf> {
    if cfg!(windows) {
        std::path::absolute(path)
    } else {
        path.canonicalize()
    }
}

/// Returns whether memory has room for all, or at least more than the other place.
#[cfg(target_os = "linux")]
fn is_roomier(memory: Option<u64>, other: Option<u64>, needed: u64) -> bool {
    memory.is_some_and(|memory| memory >= needed || other.is_some_and(|other| memory > other))
}

/// Returns whether `dir` is a file system in memory that a test can use like any folder. A mount
/// without the right to execute, as in containers, would break every test that compiles the
/// candidate and runs it.
#[cfg(target_os = "linux")]
fn is_fit_memory(dir: &Path) -> bool {
    use rustix::fs::{Access, StatVfsMountFlags};
    const TMPFS_MAGIC: u64 = 0x0102_1994;
    let is_tmpfs = rustix::fs::statfs(dir).is_ok_and(|fs| fs.f_type as u64 == TMPFS_MAGIC);
    is_tmpfs
        && rustix::fs::access(dir, Access::WRITE_OK | Access::EXEC_OK).is_ok()
        && rustix::fs::statvfs(dir).is_ok_and(|fs| !fs.f_flag.contains(StatVfsMountFlags::NOEXEC))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_is_used_if_everything_fits_or_it_has_the_most_room() {
        for (memory, other, needed, expected) in [
            (Some(100), Some(1000), 100, true),
            (Some(99), Some(1000), 100, false),
            (Some(99), Some(50), 100, true),
            (Some(100), None, 100, true),
            (Some(99), None, 100, false),
            (None, Some(1000), 100, false),
        ] {
            assert_eq!(
                is_roomier(memory, other, needed),
                expected,
                "{memory:?} {other:?} {needed}"
            );
        }
    }
}
