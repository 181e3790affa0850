//! The recognition of roots, and the removal of those that killed runs have left.

use super::names::{BESIDE, KEPT, NEW_PREFIX, OWNER, PREFIX, TMP, WORK, is_random, mark_of};
use super::owner::Owner;
use crate::access;
use crate::remove::{gone_is_none, remove_any};
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

/// The age from which a root without an owner counts as left by a killed run: the run died while it
/// made the root, or its test removed the owner.
const ORPHANED_AFTER: Duration = Duration::from_secs(24 * 3600);

/// Removes a root. Its mark is removed last, so that a later run recognizes the remaining files if
/// this run is killed.
pub(super) fn remove_root(root: &Path) -> io::Result<()> {
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
pub(super) fn lock(root: &Path) -> Option<File> {
    let file = File::open(root).ok()?;
    file.try_lock().ok()?;
    Some(file)
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

/// Removes the roots of runs that were killed, and ends the remaining processes of their tests.
pub(super) fn sweep(base: &Path) {
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

#[cfg(test)]
mod tests {
    use super::super::owner::place;
    use super::super::run_root::Root;
    use super::*;
    use std::path::PathBuf;

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
}
