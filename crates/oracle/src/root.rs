use crate::access;
#[cfg(target_os = "linux")]
use crate::disk;
use crate::enclosure::Enclosure;
use crate::folder_error::FolderError;
use crate::remove::{gone_is_none, remove_any};
use std::fs::File;
use std::io::{self, Write as _};
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

const PREFIX: &str = "nubbin-";
/// The prefix of a root until its owner is written. A folder with the final prefix but without an
/// owner was therefore not made by nubbin (a checkout of the sources is called `nubbin-0.1.0`).
const NEW_PREFIX: &str = ".nubbin-new-";
const RANDOM: usize = 6;
const OWNER: &str = "owner";
/// The content of the owner file of a kept root.
const KEPT: &str = "kept";
/// The age from which a root without an owner counts as left by a killed run: the run died while it
/// made the root, or its test removed the owner.
const ORPHANED_AFTER: Duration = Duration::from_secs(24 * 3600);
/// The folder of the slot for the diagnosis. The folders of other slots have numbers.
pub(crate) const BESIDE: &str = "beside";
/// The folders of a slot.
pub(crate) const WORK: &str = "work";
pub(crate) const TMP: &str = "tmp";
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

    fn new_in(base: &Path, keep: bool) -> Result<Self, FolderError> {
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

/// Removes a root. Its mark is removed last, so that a later run recognizes the remaining files if
/// this run is killed.
fn remove_root(root: &Path) -> io::Result<()> {
    let Some(meta) = gone_is_none(std::fs::symlink_metadata(root))? else {
        return Ok(());
    };
    // A test may have put a link in its place, whose target is not ours.
    if !meta.is_dir() {
        return remove_any(root);
    }
    // A test may have taken the permissions away.
    access::set_mode(root, 0o700)?;
    let mut removed = Ok(());
    for entry in gone_is_none(std::fs::read_dir(root))?.into_iter().flatten() {
        let entry = entry?;
        if entry.file_name() != OWNER {
            removed = removed.and(remove_any(&entry.path()));
        }
    }
    removed?;
    remove_any(&root.join(OWNER))?;
    gone_is_none(std::fs::remove_dir(root)).map(drop)
}

/// Locks a root as long as the file is open. Returns `None` if another process has locked it or if
/// the system has no locks.
fn lock(root: &Path) -> Option<File> {
    let file = File::open(root).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// The folder for roots: `TMPDIR`, else a file system in memory, else the system's folder.
///
/// Memory is used only if it has room for all tests or more room than the system's folder, since
/// a test that runs out of space may give a wrong verdict.
fn base(needed: u64) -> PathBuf {
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
fn without_links(path: &Path) -> std::io::Result<PathBuf> {
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

/// Returns whether `path` is the root of a run: running, dead, or kept.
pub(crate) fn is_root(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name.strip_prefix(NEW_PREFIX).is_some_and(is_random) {
        return true;
    }
    name.strip_prefix(PREFIX).is_some_and(is_random)
        && std::fs::read_to_string(path.join(OWNER))
            .is_ok_and(|text| text.trim() == KEPT || Owner::parse(&text).is_some())
}

fn is_random(text: &str) -> bool {
    text.len() == RANDOM && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn is_taken(error: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    matches!(
        error.kind(),
        ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory
    )
}

/// Removes the roots of runs that were killed, and ends the remaining processes of their tests.
fn sweep(base: &Path) {
    let Ok(entries) = std::fs::read_dir(base) else {
        return;
    };
    let mut dead = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let path = entry.path();
        // A link to a folder is not followed.
        if !std::fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_dir() && is_own(&meta)) {
            continue;
        }
        if let Some(random) = name.strip_prefix(PREFIX).filter(|text| is_random(text)) {
            if let Some(owner) = dead_owner(&path) {
                dead.push((mark_of(owner.pid, random), path));
            } else if is_abandoned(&path) {
                let _ = remove_root(&path);
            }
        } else if name.strip_prefix(NEW_PREFIX).is_some_and(is_random) {
            if dead_owner(&path).is_some() {
                // No test has run in it, so the owner file is its only content.
                let _ = std::fs::remove_file(path.join(OWNER));
                let _ = std::fs::remove_dir(&path);
            } else if is_old(&path) {
                // This fails if the folder is not empty, and such a folder must stay.
                let _ = std::fs::remove_dir(&path);
            }
        }
    }
    // If this process belongs to a test of a dead run, the root of that run is still in use.
    let outer = std::env::var_os(crate::process::MARK).unwrap_or_default();
    let outer = outer.to_string_lossy();
    dead.retain(|(mark, _)| !outer.contains(mark.as_str()));
    if dead.is_empty() {
        return;
    }
    let marks: Vec<String> = dead.iter().map(|(mark, _)| mark.clone()).collect();
    crate::process::end_marked(&marks);
    for (_, root) in dead {
        // The next run tries again if this fails.
        let _ = remove_root(&root);
    }
}

/// Returns whether a folder with the name of a root but without a mark was surely made by a run
/// that has ended: it is as private as a root, has nothing inside but folders of slots, was not
/// touched for long, and no process of this machine holds its lock. (A checkout may be called
/// `nubbin-master`.)
fn is_abandoned(root: &Path) -> bool {
    std::fs::symlink_metadata(root.join(OWNER)).is_err()
        && is_private(root)
        && has_slots_only(root)
        && is_old(root)
        && lock(root).is_some()
}

fn has_slots_only(root: &Path) -> bool {
    let all = |dir: &Path, is_known: &dyn Fn(&std::fs::DirEntry) -> bool| {
        let mut entries = std::fs::read_dir(dir).ok()?;
        Some(entries.all(|entry| entry.is_ok_and(|entry| is_known(&entry))))
    };
    let is_dir = |entry: &std::fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let is_half = |entry: &std::fs::DirEntry| {
        is_dir(entry) && (entry.file_name() == WORK || entry.file_name() == TMP)
    };
    let is_slot = |entry: &std::fs::DirEntry| {
        let name = entry.file_name();
        let is_number = name
            .to_str()
            .is_some_and(|name| name.parse::<u32>().is_ok());
        is_dir(entry) && (is_number || name == BESIDE) && all(&entry.path(), &is_half) == Some(true)
    };
    all(root, &is_slot) == Some(true)
}

fn dead_owner(root: &Path) -> Option<Owner> {
    let text = std::fs::read_to_string(root.join(OWNER)).ok()?;
    Owner::parse(&text).filter(Owner::is_gone)
}

/// The common beginning of the marks of all slots of a run, see [`Root::id`].
fn mark_of(pid: u32, random: &str) -> String {
    format!(" {pid}-{random}.")
}

#[cfg(unix)]
fn is_own(meta: &std::fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::uid(meta) == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_own(_meta: &std::fs::Metadata) -> bool {
    true
}

#[cfg(unix)]
fn is_private(root: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::symlink_metadata(root).is_ok_and(|meta| meta.mode() & 0o777 == 0o700)
}

/// Returns `false`, since on this system a root cannot be distinguished from a folder of the user.
#[cfg(not(unix))]
fn is_private(_root: &Path) -> bool {
    false
}

fn is_old(path: &Path) -> bool {
    std::fs::symlink_metadata(path)
        .and_then(|meta| meta.modified())
        .is_ok_and(|time| time.elapsed().is_ok_and(|age| age > ORPHANED_AFTER))
}

/// The process that made a root, distinguished from a later process with the same number.
#[derive(Debug, PartialEq, Eq)]
struct Owner {
    pid: u32,
    /// The start time in clock ticks since the machine started; 0 if it is unknown.
    started: u64,
    /// The machine and the PID namespace in which the number is valid.
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
        let place = words.next()?.to_owned();
        // nubbin writes exactly three words, so a file with more is not its own.
        words.next().is_none().then_some(Owner {
            pid,
            started,
            place,
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
    // Without `/proc` the answer is unknown, and the root must stay.
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

/// The name of the machine. Several machines may share a folder for temporary files.
fn host() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    name
}

/// Returns the name of the machine and of its present boot, since the numbers of processes are only
/// valid on one machine until it reboots.
///
/// Two machines may have one name, as copies of one system have.
fn place() -> String {
    let host = host();
    // Only Linux tells it.
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    // Only Linux has PID namespaces.
    let space = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    format!(
        "{}/{}/{}",
        host.trim().replace(char::is_whitespace, "_"),
        boot.trim(),
        space.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_of_a_dead_run_is_removed_and_running_or_kept_ones_stay() {
        let base = tempfile::tempdir().unwrap();
        let running = Root::new_in(base.path(), false).unwrap();
        let kept = Root::new_in(base.path(), true).unwrap();
        let dead = base.path().join("nubbin-dead00");
        std::fs::create_dir_all(dead.join("0/work")).unwrap();
        // The number of this process with another start time: the number was reused.
        let owner = Owner {
            started: 1,
            ..Owner::this_process()
        };
        std::fs::write(dead.join(OWNER), owner.to_string()).unwrap();
        // Its run was killed before the root had its final name.
        let unnamed = base.path().join(".nubbin-new-dead01");
        std::fs::create_dir(&unnamed).unwrap();
        std::fs::write(unnamed.join(OWNER), owner.to_string()).unwrap();
        // A copy of this system, or this machine before it was started again.
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let copy = place().replace(boot.trim(), "another");
        let places = ["elsewhere/another/pid:[1]", &copy];
        let others = places.into_iter().filter(|other| *other != place());
        let others: Vec<PathBuf> = (others.enumerate())
            .map(|(at, place)| {
                let other = base.path().join(format!("nubbin-other{at}"));
                std::fs::create_dir(&other).unwrap();
                let owner = Owner {
                    pid: 1,
                    started: 1,
                    place: place.into(),
                };
                std::fs::write(other.join(OWNER), owner.to_string()).unwrap();
                other
            })
            .collect();
        sweep(base.path());
        assert!(!unnamed.exists());
        assert!(!dead.exists());
        assert!(running.path().exists() && kept.path().exists());
        assert!(
            others.iter().all(|other| other.exists()),
            "process numbers of another machine are ignored"
        );
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_of_the_user_with_a_similar_name_is_never_removed() {
        let base = tempfile::tempdir().unwrap();
        let old = std::time::SystemTime::now() - 30 * ORPHANED_AFTER;
        let dead = Owner {
            started: 1,
            ..Owner::this_process()
        };
        let folders = [
            ("nubbin-0.1.0", None),
            ("nubbin-abc123", None),
            ("nubbin-abc124", Some("Jane Doe".to_owned())),
            (
                "nubbin-abc125",
                Some(format!("{} and more", dead.to_string().trim())),
            ),
            ("nubbin-mine", Some(dead.to_string())),
            (".nubbin-new-abc123", Some("x".to_owned())),
        ];
        for (name, owner) in &folders {
            let dir = base.path().join(name);
            std::fs::create_dir(&dir).unwrap();
            std::fs::write(dir.join("precious"), "").unwrap();
            if let Some(owner) = owner {
                std::fs::write(dir.join(OWNER), owner).unwrap();
            }
            std::fs::File::open(&dir)
                .unwrap()
                .set_modified(old)
                .unwrap();
        }
        let unnamed = base.path().join(".nubbin-new-dead00");
        std::fs::create_dir(&unnamed).unwrap();
        std::fs::File::open(&unnamed)
            .unwrap()
            .set_modified(old)
            .unwrap();
        sweep(base.path());
        for (name, _) in folders {
            assert!(base.path().join(name).join("precious").exists(), "{name}");
        }
        assert!(!unnamed.exists());
    }

    #[test]
    #[cfg(unix)]
    fn a_root_without_a_mark_is_swept_where_it_is_surely_one_of_a_dead_run() {
        use std::os::unix::fs::PermissionsExt as _;
        let base = tempfile::tempdir().unwrap();
        let old = std::time::SystemTime::now() - 2 * ORPHANED_AFTER;
        let set_old = |path: &Path| File::open(path).unwrap().set_modified(old).unwrap();
        let make = |name: &str, inside: &str, mode: u32| {
            let root = base.path().join(name);
            std::fs::create_dir_all(root.join(inside)).unwrap();
            std::fs::write(root.join("0/work/input"), "").unwrap();
            std::fs::set_permissions(&root, std::fs::Permissions::from_mode(mode)).unwrap();
            set_old(&root);
            root
        };
        let dead = make("nubbin-dead00", "0/work", 0o700);
        let empty = base.path().join("nubbin-dead01");
        access::make_dir(&empty).unwrap();
        set_old(&empty);
        let young = make("nubbin-young0", "0/work", 0o700);
        File::open(&young)
            .unwrap()
            .set_modified(std::time::SystemTime::now())
            .unwrap();
        let shared = make("nubbin-share0", "0/work", 0o755);
        let other = make("nubbin-other0", "0/work", 0o700);
        std::fs::write(other.join("0/precious"), "").unwrap();
        // A living run whose test has removed the mark.
        let living = Root::new_in(base.path(), false).unwrap();
        std::fs::remove_file(living.path().join(OWNER)).unwrap();
        set_old(living.path());
        sweep(base.path());
        assert!(!dead.exists() && !empty.exists());
        for kept in [&young, &shared, &other, living.path()] {
            assert!(kept.exists(), "{}", kept.display());
        }
    }

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
    #[cfg(target_os = "linux")]
    fn processes_of_a_dead_run_are_ended_with_its_root() {
        let base = tempfile::tempdir().unwrap();
        let dead = base.path().join("nubbin-dead77");
        std::fs::create_dir(&dead).unwrap();
        let owner = Owner {
            started: 1,
            ..Owner::this_process()
        };
        std::fs::write(dead.join(OWNER), owner.to_string()).unwrap();
        let start = |mark: String| {
            let started = std::process::Command::new("sleep")
                .arg("1000")
                .env(crate::process::MARK, &mark)
                .spawn()
                .unwrap();
            // The system shows the environment a moment after the start.
            let environ = format!("/proc/{}/environ", started.id());
            while !String::from_utf8_lossy(&std::fs::read(&environ).unwrap()).contains(&mark) {
                std::thread::yield_now();
            }
            started
        };
        let mut left = start(format!("{}0;", mark_of(owner.pid, "dead77")));
        let mut other = start(format!("{}0;", mark_of(owner.pid, "dead78")));
        sweep(base.path());
        use std::os::unix::process::ExitStatusExt as _;
        assert_eq!(left.wait().unwrap().signal(), Some(9));
        assert!(other.try_wait().unwrap().is_none(), "of another run");
        other.kill().unwrap();
        other.wait().unwrap();
        assert!(!dead.exists());
    }

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

    #[test]
    fn a_root_is_removed_after_its_run_unless_it_is_kept() {
        let base = tempfile::tempdir().unwrap();
        let path = Root::new_in(base.path(), false).unwrap().path().to_owned();
        assert!(!path.exists());
        let path = Root::new_in(base.path(), true).unwrap().path().to_owned();
        assert!(path.exists());
    }
}
