use crate::folder::FolderError;
use crate::remove::remove_any;
use std::path::{Path, PathBuf};

/// The private folder of one run, with one folder per slot inside. Removed when dropped.
#[derive(Debug)]
pub(crate) struct Root {
    path: PathBuf,
    keep: bool,
}

const PREFIX: &str = "nubbin-";
const OWNER: &str = "owner";
/// A root without an owner this old was left by a run that died while making it.
const ORPHANED_AFTER: std::time::Duration = std::time::Duration::from_secs(3600);
#[cfg(target_os = "linux")]
const ENOUGH_MEMORY: u64 = 64 << 20;

impl Root {
    pub(crate) fn new(keep: bool) -> Result<Self, FolderError> {
        let base = base();
        sweep(&base);
        Self::new_in(&base, keep)
    }

    fn new_in(base: &Path, keep: bool) -> Result<Self, FolderError> {
        let dir = tempfile::Builder::new()
            .prefix(PREFIX)
            .rand_bytes(6)
            .tempdir_in(base)
            .map_err(|source| FolderError::create(base, source))?;
        // Tools print the real path of a file; it must be the one that `{}` stands for.
        let path = dir
            .path()
            .canonicalize()
            .unwrap_or_else(|_| dir.path().to_owned());
        if !keep {
            let owner = path.join(OWNER);
            std::fs::write(&owner, Owner::this_process().to_string())
                .map_err(|source| FolderError::write(&owner, source))?;
        } else {
            // A kept root has no owner but the user: it must never look left behind.
            let owner = path.join(OWNER);
            std::fs::write(&owner, "kept\n")
                .map_err(|source| FolderError::write(&owner, source))?;
        }
        let _ = dir.keep();
        Ok(Root { path, keep })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A name that no other run of this machine has at this time.
    pub(crate) fn id(&self) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        format!("{}-{}", std::process::id(), name.trim_start_matches(PREFIX))
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        if !self.keep {
            // Nobody is left to tell; the next run sweeps what stays.
            let _ = remove_any(&self.path);
        }
    }
}

/// Where roots go: what the user asked for, else memory, else the system's folder.
fn base() -> PathBuf {
    let asked = std::env::var_os("TMPDIR")
        .filter(|dir| !dir.is_empty())
        .map(PathBuf::from);
    if let Some(dir) = asked.filter(|dir| dir.is_dir()) {
        return dir.canonicalize().unwrap_or(dir);
    }
    #[cfg(target_os = "linux")]
    if is_fit_memory(Path::new("/dev/shm")) {
        return PathBuf::from("/dev/shm");
    }
    std::env::temp_dir()
}

/// Whether this is memory that a test can use like any folder. A mount without the right to
/// execute (containers have one) would break every test that compiles the candidate and runs it.
#[cfg(target_os = "linux")]
fn is_fit_memory(dir: &Path) -> bool {
    use rustix::fs::{Access, StatVfsMountFlags};
    const TMPFS_MAGIC: u64 = 0x0102_1994;
    let is_tmpfs = rustix::fs::statfs(dir).is_ok_and(|fs| fs.f_type as u64 == TMPFS_MAGIC);
    is_tmpfs
        && rustix::fs::access(dir, Access::WRITE_OK | Access::EXEC_OK).is_ok()
        && rustix::fs::statvfs(dir).is_ok_and(|fs| {
            !fs.f_flag.contains(StatVfsMountFlags::NOEXEC)
                && fs.f_bavail.saturating_mul(fs.f_frsize) >= ENOUGH_MEMORY
        })
}

/// Removes the roots of runs that were killed.
fn sweep(base: &Path) {
    let Ok(entries) = std::fs::read_dir(base) else {
        return;
    };
    for entry in entries.flatten() {
        let is_root = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_root && is_left_behind(&entry.path()) {
            // Another user's root refuses, and is that user's to sweep.
            let _ = remove_any(&entry.path());
        }
    }
}

fn is_left_behind(root: &Path) -> bool {
    if let Ok(text) = std::fs::read_to_string(root.join(OWNER)) {
        return Owner::parse(&text).is_some_and(|owner| owner.is_gone());
    }
    // It may be about to get its owner.
    std::fs::symlink_metadata(root)
        .and_then(|meta| meta.modified())
        .is_ok_and(|time| time.elapsed().is_ok_and(|age| age > ORPHANED_AFTER))
}

/// A process, told apart from a later one with the same number.
#[derive(Debug, PartialEq, Eq)]
struct Owner {
    pid: u32,
    /// In clock ticks since the machine started; 0 where that cannot be had.
    started: u64,
    /// Machine and process-number space: a number means nothing outside its own.
    place: String,
}

impl Owner {
    fn this_process() -> Self {
        let pid = std::process::id();
        Owner {
            pid,
            started: start_of(pid).unwrap_or(0),
            place: place(),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let pid = words.next()?.parse().ok()?;
        let started = words.next()?.parse().ok()?;
        Some(Owner {
            pid,
            started,
            place: words.next()?.to_owned(),
        })
    }

    fn is_gone(&self) -> bool {
        self.place == place() && !is_running(self.pid, self.started)
    }
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{} {} {}", self.pid, self.started, self.place)
    }
}

#[cfg(target_os = "linux")]
fn is_running(pid: u32, started: u64) -> bool {
    // Without `/proc` nothing can be said, so nothing is removed.
    start_of(std::process::id()).is_none() || start_of(pid) == Some(started)
}

#[cfg(all(unix, not(target_os = "linux")))]
fn is_running(pid: u32, _started: u64) -> bool {
    let pid = i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    pid.is_none_or(|pid| rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_running(_pid: u32, _started: u64) -> bool {
    true
}

fn start_of(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before the last parenthesis may hold anything; the start time is field 22.
    stat.rsplit_once(')')?
        .1
        .split_whitespace()
        .nth(19)?
        .parse()
        .ok()
}

fn place() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let space = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    format!(
        "{}/{}",
        host.trim().replace(char::is_whitespace, "_"),
        space.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_of_a_dead_run_is_swept_and_living_or_kept_ones_stay() {
        let base = tempfile::tempdir().unwrap();
        let living = Root::new_in(base.path(), false).unwrap();
        let kept = Root::new_in(base.path(), true).unwrap();
        let dead = base.path().join("nubbin-dead00");
        std::fs::create_dir_all(dead.join("0/work")).unwrap();
        // This process's number with another start time: a number used again.
        let owner = Owner {
            started: 1,
            ..Owner::this_process()
        };
        std::fs::write(dead.join(OWNER), owner.to_string()).unwrap();
        let other = base.path().join("nubbin-other0");
        std::fs::create_dir(&other).unwrap();
        let owner = Owner {
            pid: 1,
            started: 1,
            place: "elsewhere/pid:[1]".into(),
        };
        std::fs::write(other.join(OWNER), owner.to_string()).unwrap();
        sweep(base.path());
        assert!(!dead.exists());
        assert!(living.path().exists() && kept.path().exists());
        assert!(
            other.exists(),
            "numbers of another machine say nothing here"
        );
    }

    #[test]
    fn a_root_is_gone_after_its_run_unless_it_is_to_be_kept() {
        let base = tempfile::tempdir().unwrap();
        let path = Root::new_in(base.path(), false).unwrap().path().to_owned();
        assert!(!path.exists());
        let path = Root::new_in(base.path(), true).unwrap().path().to_owned();
        assert!(path.exists());
    }
}
