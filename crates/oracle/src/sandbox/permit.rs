//! Paths that a trial may permit by itself, and paths that only the user may permit.

use super::Sandbox;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The permissions that a trial may give beyond the sandbox that it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loosening<'a> {
    /// The trial adds no permissions.
    Never,
    /// The trial permits the refused places, as narrowly as possible. If this is not enough, it
    /// runs the tests outside. The listed files and folders, and folders that contain one of them,
    /// are never permitted: inputs, results, and files of the test.
    Told(&'a [PathBuf]),
}

impl Sandbox {
    /// Adds the permissions of another sandbox.
    pub fn and(mut self, other: &Sandbox) -> Self {
        for path in other.writable_paths() {
            if self.writable_paths().all(|known| known != path) {
                self = self.writable(path);
            }
        }
        match other.has_network() {
            true => self.network(),
            false => self,
        }
    }

    /// Returns whether there are no further permissions.
    pub fn is_plain(&self) -> bool {
        !self.has_network() && self.writable_paths().next().is_none()
    }
}

/// Folders of the system. Neither they nor anything in them is permitted.
const SYSTEM: [&str; 11] = [
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/run", "/sbin", "/sys", "/usr",
];
/// Folders for the files of all programs. A folder in them may be one program's own.
const SHARED: [&str; 3] = ["/tmp", "/var/tmp", "/var/cache"];
/// Places in a home folder that programs share.
const SHARED_AT_HOME: [&str; 6] = [
    ".cache",
    ".config",
    ".local",
    ".local/share",
    ".local/state",
    ".var",
];
/// Folders in a home folder that are precious: keys, and programs of the user.
const PRECIOUS_AT_HOME: [&str; 5] = [".ssh", ".gnupg", ".git", ".local/bin", ".local/lib"];
/// Folders that version control has in the folder of a project.
const OF_PROJECTS: [&str; 4] = [".git", ".hg", ".svn", ".jj"];

/// The folders that are permitted for files that each run makes again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// The own folder of a program, or a new one.
    Own,
    /// Any place that is not shared by others. This is still less than a run outside permits.
    Any,
}

/// The rules for paths that may be permitted without asking the user.
#[derive(Debug)]
pub(super) struct Permits {
    /// Files and folders of the user, with everything in them.
    kept: Vec<PathBuf>,
    /// Folders that are shared by others than the test. A folder in them may be permitted.
    shared: Vec<PathBuf>,
    /// Folders of which nothing is permitted.
    closed: Vec<PathBuf>,
    home: Option<PathBuf>,
    /// Folders that a variable of the environment names as a cache.
    caches: Vec<PathBuf>,
    /// The begin of the first run outside.
    began: SystemTime,
}

impl Permits {
    /// Creates the rules of a trial that begins now. `private` has the folders of all tests.
    pub(super) fn new(kept: &[PathBuf], private: &Path) -> Self {
        let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
        // A folder may be created while the trial runs.
        let real = |path: PathBuf| path.canonicalize().unwrap_or(path);
        let common = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let shared = SHARED.iter().map(PathBuf::from);
        let shared = shared
            .chain(std::env::current_dir())
            .chain([std::env::temp_dir()])
            .chain(common)
            .chain(home.iter().flat_map(|home| {
                let within = SHARED_AT_HOME.iter().map(|name| home.join(name));
                within.chain([home.clone()])
            }));
        let closed = SYSTEM.iter().map(PathBuf::from).chain([private.to_owned()]);
        let precious = home.iter().flat_map(|home| {
            let within = PRECIOUS_AT_HOME.iter();
            within.map(|name| home.join(name))
        });
        let is_cache = |name: &OsStr| {
            let name = name.to_string_lossy().to_ascii_uppercase();
            name.contains("CACHE")
        };
        let caches = std::env::vars_os().filter(|(name, _)| is_cache(name));
        let caches = caches.map(|(_, value)| PathBuf::from(value));
        Permits {
            // A result may not exist yet, but its folder does.
            kept: kept.iter().filter_map(|path| real_or_to_be(path)).collect(),
            shared: shared.map(real).collect(),
            closed: closed.chain(precious).map(real).collect(),
            caches: (caches.filter(|path| path.is_absolute()))
                .map(real)
                .collect(),
            home,
            began: now_of_files(),
        }
    }

    /// Returns the narrowest file or folder that has to be writable for the given path: the file if
    /// it exists, or else the nearest folder, if this folder may be permitted. Returns `None` if
    /// only the user may permit it.
    pub(super) fn narrowest(&self, path: &Path, width: Width) -> Option<PathBuf> {
        let nearest = path.ancestors().find(|path| path.exists())?;
        let real = nearest.canonicalize().ok()?;
        let is_within = |folder: &PathBuf| real.starts_with(folder);
        if self.closed.iter().any(is_within) || self.kept.iter().any(is_within) {
            return None;
        }
        let meta = real.metadata().ok()?;
        let may = match meta.is_dir() {
            // Permission for a file is enough only if the file is the path itself. Devices are
            // never permitted.
            false => meta.is_file() && nearest == path,
            true => {
                let mut guarded = self.kept.iter().chain(&self.shared).chain(&self.closed);
                !guarded.any(|guarded| guarded.starts_with(&real))
                    && !OF_PROJECTS.iter().any(|name| real.join(name).exists())
                    && (width == Width::Any || self.is_own(&real) || self.is_new(&meta))
            }
        };
        may.then_some(real)
    }

    /// Returns whether a folder belongs to a program, for files that the program can create again.
    fn is_own(&self, folder: &Path) -> bool {
        let is_hidden = |home: &PathBuf| {
            let within = folder.strip_prefix(home).ok();
            let first = within.and_then(|within| within.components().next());
            first.is_some_and(|first| first.as_os_str().as_encoded_bytes().starts_with(b"."))
        };
        folder.starts_with("/var/cache")
            || self.caches.iter().any(|cache| folder.starts_with(cache))
            || self.home.as_ref().is_some_and(is_hidden)
    }

    /// Returns whether a folder was created since the trial began, so that it contains no files of
    /// the user.
    fn is_new(&self, meta: &std::fs::Metadata) -> bool {
        meta.created().is_ok_and(|made| made >= self.began)
    }
}

/// Returns the time that a file has which is made now. The clock of files is behind that of the
/// system by some milliseconds.
fn now_of_files() -> SystemTime {
    #[cfg(target_os = "linux")]
    {
        use rustix::time::{ClockId, clock_gettime};
        use std::time::Duration;
        let now = clock_gettime(ClockId::RealtimeCoarse);
        let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
        let nanos = u32::try_from(now.tv_nsec).unwrap_or(0);
        SystemTime::UNIX_EPOCH + Duration::new(seconds, nanos)
    }
    #[cfg(not(target_os = "linux"))]
    SystemTime::now()
}

/// Returns the whole path of a file that exists, or that is to be made in a folder that exists.
fn real_or_to_be(path: &Path) -> Option<PathBuf> {
    if let Ok(real) = path.canonicalize() {
        return Some(real);
    }
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    Some(folder.join(path.file_name()?))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    /// A home folder with files of many kinds, and the rules for it.
    fn home() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap().join("home");
        for name in [
            ".cache/ccache/a",
            ".cache/pip",
            ".config/tool",
            ".local/share/tool",
            ".local/bin",
            ".npm/_logs",
            ".ssh",
            "project/.git",
            "project/src",
            "work",
        ] {
            std::fs::create_dir_all(home.join(name)).unwrap();
        }
        for name in [
            ".tool.log",
            ".ssh/config",
            "project/log",
            "work/in.c",
            "work/log",
        ] {
            std::fs::write(home.join(name), "text").unwrap();
        }
        (folder, home)
    }

    fn permits(home: &Path) -> Permits {
        let kept = [home.join("work/in.c"), home.join("work/out.c")];
        let mut permits = Permits::new(&kept, &home.join("private"));
        let within = SHARED_AT_HOME.iter().map(|name| home.join(name));
        permits.shared.extend(within.chain([home.to_owned()]));
        let precious = PRECIOUS_AT_HOME.iter();
        permits.closed.extend(precious.map(|name| home.join(name)));
        permits.home = Some(home.to_owned());
        permits.caches.clear();
        permits.began = SystemTime::now() + std::time::Duration::from_secs(3600);
        permits
    }

    #[test]
    fn an_existing_file_is_permitted_by_itself() {
        let (_folder, home) = home();
        let permits = permits(&home);
        for name in [".tool.log", "project/log", "work/log"] {
            let path = home.join(name);
            assert_eq!(permits.narrowest(&path, Width::Own), Some(path), "{name}");
        }
        for name in ["work/in.c", ".ssh/config"] {
            let place = permits.narrowest(&home.join(name), Width::Any);
            assert_eq!(place, None, "{name}");
        }
    }

    #[test]
    fn a_missing_file_permits_the_own_folder_of_a_program_only() {
        let (_folder, home) = home();
        let permits = permits(&home);
        for (name, place) in [
            (".cache/ccache/a/b/c", ".cache/ccache/a"),
            (".cache/pip/x", ".cache/pip"),
            (".config/tool/x.tmp", ".config/tool"),
            (".local/share/tool/x", ".local/share/tool"),
            (".npm/_logs/1.log", ".npm/_logs"),
        ] {
            let found = permits.narrowest(&home.join(name), Width::Own);
            assert_eq!(found, Some(home.join(place)), "{name}");
        }
        for name in [
            "x",
            ".x",
            ".cache/new/x",
            ".config/x",
            ".local/share/new",
            ".local/bin/x",
            ".ssh/x",
            "project/x",
            "project/src/x",
            "work/x",
            "work/out.c",
        ] {
            let place = permits.narrowest(&home.join(name), Width::Own);
            assert_eq!(place, None, "{name}");
        }
    }

    #[test]
    fn another_folder_is_permitted_if_nobody_shares_it() {
        let (_folder, home) = home();
        let permits = permits(&home);
        let path = home.join("project/src/x");
        let place = permits.narrowest(&path, Width::Any);
        assert_eq!(place, Some(home.join("project/src")));
        for name in ["x", ".cache/new/x", ".ssh/x", "project/x", "work/x"] {
            let place = permits.narrowest(&home.join(name), Width::Any);
            assert_eq!(place, None, "{name}");
        }
    }

    #[test]
    fn nothing_of_the_system_is_permitted() {
        let (_folder, home) = home();
        let permits = permits(&home);
        let root = home.join("private/0/work");
        std::fs::create_dir_all(&root).unwrap();
        for path in [
            "/",
            "/x",
            "/dev/shm/x",
            "/dev/tty",
            "/etc/passwd",
            "/proc/self/comm",
            // No program makes this file, as one may make `/tmp/x`.
            "/tmp/nubbin-file-of-nobody",
            "/var/cache/x",
        ] {
            let place = permits.narrowest(Path::new(path), Width::Any);
            assert_eq!(place, None, "{path}");
        }
        assert_eq!(permits.narrowest(&root.join("x"), Width::Any), None);
    }

    #[test]
    fn a_link_permits_no_more_than_the_file_that_it_leads_to() {
        let (_folder, home) = home();
        let permits = permits(&home);
        let link = home.join(".npm/link");
        std::os::unix::fs::symlink(home.join("project"), &link).unwrap();
        assert_eq!(permits.narrowest(&link.join("x"), Width::Any), None);
        let link = home.join(".npm/key");
        std::os::unix::fs::symlink(home.join(".ssh/config"), &link).unwrap();
        assert_eq!(permits.narrowest(&link, Width::Any), None);
    }

    #[test]
    fn a_folder_that_the_trial_made_is_permitted() {
        let (_folder, home) = home();
        let mut permits = permits(&home);
        permits.began = now_of_files();
        let made = home.join("project/made");
        std::fs::create_dir(&made).unwrap();
        assert_eq!(permits.narrowest(&made.join("x"), Width::Own), Some(made));
    }

    #[test]
    fn permissions_are_added_once() {
        let one = Sandbox::new().writable("/a");
        assert!(!one.is_plain() && Sandbox::new().is_plain());
        let both = one.clone().and(&one).and(&Sandbox::new().network());
        assert_eq!(both.to_string(), "writable `/a`, network");
    }
}
