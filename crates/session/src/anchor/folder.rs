//! An open folder. Its entries are opened by their names and never through a link.

use super::missing::Missing;
use super::replaced::replaced;
use super::there::{Kind, There};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// An open folder, identified by its file descriptor.
#[derive(Clone, Debug)]
pub struct Folder(Arc<OwnedFd>);

impl Folder {
    /// Returns the path of a folder without links.
    pub(super) fn real_path(path: &Path) -> io::Result<PathBuf> {
        path.canonicalize()
    }

    /// Opens a folder by its path without links, from the root.
    pub(super) fn at(real: &Path, missing: Missing) -> io::Result<Self> {
        let root = rustix::fs::openat(CWD, "/", passing(), Mode::empty())?;
        let mut folder = Folder(Arc::new(root));
        for part in real.components() {
            if let Component::Normal(name) = part {
                folder = folder.enter(name, missing)?;
            }
        }
        Ok(folder)
    }

    /// Opens a folder in this folder. A link instead of the folder is an error.
    pub fn enter(&self, name: &OsStr, missing: Missing) -> io::Result<Self> {
        let open = || {
            let flags = passing() | OFlags::NOFOLLOW;
            let opened = rustix::fs::openat(&self.0, name, flags, Mode::empty());
            opened.map(|folder| Folder(Arc::new(folder)))
        };
        let not_entered = |error| match error {
            Errno::LOOP | Errno::NOTDIR => replaced(Path::new(name)),
            error => io::Error::from(error),
        };
        match (open(), missing) {
            (Err(Errno::NOENT), Missing::Make(_)) => match self.make_dir(name, missing.mode()) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
                _ => open().map_err(not_entered),
            },
            (opened, _) => opened.map_err(not_entered),
        }
    }

    /// Returns whether both are the same folder.
    pub(super) fn is_same(&self, other: &Folder) -> io::Result<bool> {
        let [one, other] = [rustix::fs::fstat(&self.0)?, rustix::fs::fstat(&other.0)?];
        Ok((one.st_dev, one.st_ino) == (other.st_dev, other.st_ino))
    }

    /// Returns facts about an entry.
    pub fn there(&self, name: &OsStr) -> io::Result<There> {
        let found = rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(there(&found))
    }

    /// Returns the names of all entries.
    pub fn entries(&self) -> io::Result<Vec<OsString>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let readable = rustix::fs::openat(&self.0, ".", flags, Mode::empty())?;
        let mut names = vec![];
        for entry in Dir::read_from(readable)? {
            let name = entry?.file_name().to_bytes().to_vec();
            if name != b"." && name != b".." {
                names.push(OsString::from_vec(name));
            }
        }
        Ok(names)
    }

    /// Creates a folder with the given access rights, reduced by the umask.
    pub fn make_dir(&self, name: &OsStr, mode: u32) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(&self.0, name, mode_of(mode))?)
    }

    /// Sets the access rights of a folder in this folder.
    pub fn set_dir_mode(&self, name: &OsStr, mode: u32) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = rustix::fs::openat(&self.0, name, flags, Mode::empty())?;
        Ok(rustix::fs::fchmod(&folder, mode_of(mode))?)
    }

    /// Creates a file that does not exist, to read and write.
    pub fn create_new(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        self.file(name, OFlags::RDWR | OFlags::CREATE | OFlags::EXCL, mode)
    }

    /// Creates a file, or empties the existing file.
    pub fn create(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC;
        self.file(name, flags, mode)
    }

    /// Opens a file to read and write. Does not wait for a pipe.
    pub fn open(&self, name: &OsStr) -> io::Result<File> {
        self.file(name, OFlags::RDWR | OFlags::NONBLOCK, 0)
    }

    /// Opens a file to read. Does not wait for a pipe.
    pub fn read(&self, name: &OsStr) -> io::Result<File> {
        self.file(name, OFlags::RDONLY | OFlags::NONBLOCK, 0)
    }

    fn file(&self, name: &OsStr, flags: OFlags, mode: u32) -> io::Result<File> {
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.0, name, flags, mode_of(mode))?;
        Ok(File::from(file))
    }

    /// Sets the access rights of a file, whatever the umask is.
    pub fn set_file_mode(file: &File, mode: u32) -> io::Result<()> {
        file.set_permissions(Permissions::from_mode(mode))
    }

    /// Moves an entry to a folder under a new name, and replaces a file of that name.
    pub fn rename(&self, name: &OsStr, to: &Folder, new: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.0, name, &to.0, new)?)
    }

    pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Removes an empty folder.
    pub fn remove_dir(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    /// Creates a link with the given target.
    pub fn link(&self, name: &OsStr, target: &Path) -> io::Result<()> {
        Ok(rustix::fs::symlinkat(target, &self.0, name)?)
    }

    /// Returns the target of a link.
    pub fn read_link(&self, name: &OsStr) -> io::Result<OsString> {
        let target = rustix::fs::readlinkat(&self.0, name, vec![])?;
        Ok(OsStr::from_bytes(target.as_bytes()).to_owned())
    }
}

/// A folder is only passed, so it need not be readable.
fn passing() -> OFlags {
    #[cfg(target_os = "linux")]
    let passed = OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    let passed = OFlags::RDONLY;
    passed | OFlags::DIRECTORY | OFlags::CLOEXEC
}

fn mode_of(mode: u32) -> Mode {
    Mode::from_raw_mode(mode as rustix::fs::RawMode)
}

#[cfg_attr(
    target_os = "linux",
    expect(
        clippy::useless_conversion,
        clippy::unnecessary_cast,
        reason = "other systems have other types"
    )
)]
fn there(found: &Stat) -> There {
    let seconds = u64::try_from(found.st_mtime).unwrap_or(0);
    let nanos = u32::try_from(found.st_mtime_nsec).unwrap_or(0);
    There {
        kind: match FileType::from_raw_mode(found.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Folder,
            FileType::Symlink => Kind::Link,
            _ => Kind::Other,
        },
        len: u64::try_from(found.st_size).unwrap_or(0),
        mode: u32::from(found.st_mode) & 0o777,
        is_foreign: found.st_uid != rustix::process::geteuid().as_raw(),
        modified: SystemTime::UNIX_EPOCH + Duration::new(seconds, nanos),
        identity: (found.st_dev as u64, found.st_ino),
    }
}
