//! The folder of a result as it was when the run began. What is below is reached without links.
//!
//! A test, or another process, may put a link in the place of a folder while a run writes there. A
//! path would then lead to files of the user.

use super::access::Rights;
use super::write::{finishing, folder_of, unfinished_name};
use crate::state::print_of_open;
use nubbin_reduce::edit::Fingerprint;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::{File, Permissions};
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A folder, and the way to files below it.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    /// The path as the user named it.
    base: PathBuf,
    opened: Arc<Mutex<Option<Opened>>>,
}

#[derive(Debug)]
struct Opened {
    /// The path without links.
    real: PathBuf,
    folder: Arc<OwnedFd>,
}

/// The kind of thing at a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct There {
    pub(super) len: u64,
    pub(super) mode: u32,
    pub(super) is_file: bool,
    is_link: bool,
}

/// How often another name for an unfinished file is tried.
const TRIES: u32 = 100;

impl Anchor {
    /// Returns the anchor of the folder of a file. Touches nothing.
    pub(crate) fn of(path: &Path) -> Self {
        Anchor {
            base: folder_of(path).to_path_buf(),
            opened: Arc::default(),
        }
    }

    /// Opens the folder, if it is there. It counts as it is now.
    pub(crate) fn open(&self) {
        // A folder that is not there is made, and opened, by the first write.
        let _ = self.folder(None);
    }

    /// Returns the folder. Makes it with these access rights, if it is not there. Refuses another
    /// one than that of the beginning.
    fn folder(&self, make: Option<Option<u32>>) -> io::Result<Arc<OwnedFd>> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at_first) = &*opened {
            match walk(&at_first.real, None) {
                Ok(now) if is_same(&now, &at_first.folder)? => {
                    return Ok(Arc::clone(&at_first.folder));
                }
                Ok(_) => return Err(replaced(&self.base)),
                // A test may have removed it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        let real = match (&*opened, make) {
            (Some(at_first), _) => at_first.real.clone(),
            (None, Some(mode)) => {
                super::write::make_dirs(&self.base, mode)?;
                self.base.canonicalize()?
            }
            (None, None) => self.base.canonicalize()?,
        };
        let folder = Arc::new(walk(&real, make)?);
        *opened = Some(Opened {
            real,
            folder: Arc::clone(&folder),
        });
        Ok(folder)
    }

    /// Returns the folder of a file and the file's name. Makes the folder if `make` has access
    /// rights for it.
    fn place<'a>(
        &self,
        path: &'a Path,
        make: Option<Option<u32>>,
    ) -> io::Result<(Arc<OwnedFd>, &'a OsStr)> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let above = path.parent().unwrap_or(Path::new(""));
        Ok((self.within(above, make)?, name))
    }

    /// Returns a folder below.
    fn within(&self, path: &Path, make: Option<Option<u32>>) -> io::Result<Arc<OwnedFd>> {
        let base = self.folder(make)?;
        let within = path.strip_prefix(&self.base).unwrap_or(path);
        let mut below = within
            .components()
            .filter(|part| *part != Component::CurDir)
            .peekable();
        if below.peek().is_none() {
            return Ok(base);
        }
        let mut folder = base;
        for part in below {
            let Component::Normal(name) = part else {
                return Err(io::ErrorKind::InvalidInput.into());
            };
            folder = Arc::new(enter(&folder, name, make)?);
        }
        Ok(folder)
    }

    /// Writes a file in one step, so that a reader sees either the old content or the new one.
    pub(super) fn replace(&self, path: &Path, bytes: &[u8], rights: Rights) -> io::Result<()> {
        self.put(path, rights, |file| file.write_all(bytes))
    }

    fn put(
        &self,
        path: &Path,
        rights: Rights,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> io::Result<()> {
        let _finishing = finishing();
        let (folder, name) = self.place(path, Some(rights.of_folders()))?;
        let (mut file, unfinished) = create(&folder, path, rights.at_first())?;
        let written = write(&mut file).and_then(|()| match rights.exact() {
            Some(mode) => file.set_permissions(Permissions::from_mode(mode)),
            None => Ok(()),
        });
        let named = written.and_then(|()| {
            let renamed = rustix::fs::renameat(&folder, unfinished.as_str(), &folder, name);
            renamed.map_err(io::Error::from)
        });
        if named.is_err() {
            let _ = rustix::fs::unlinkat(&folder, unfinished.as_str(), AtFlags::empty());
        }
        named
    }

    /// Copies a file, or a link as it is.
    pub(super) fn copy(&self, from: &Path, to: &Path, of_folders: Option<u32>) -> io::Result<()> {
        if from.is_symlink() {
            let (folder, name) = self.place(to, Some(of_folders))?;
            if self.there(to).is_ok_and(|there| there.is_link) {
                rustix::fs::unlinkat(&folder, name, AtFlags::empty())?;
            }
            let target = std::fs::read_link(from)?;
            return Ok(rustix::fs::symlinkat(target.as_path(), &folder, name)?);
        }
        self.make_dirs(folder_of(to), of_folders)?;
        let mut original = File::open(from)?;
        let mode = original.metadata()?.permissions().mode() & 0o7777;
        self.put(to, Rights::OfInput(Some(mode)), |file| {
            io::copy(&mut original, file).map(drop)
        })
    }

    /// Opens a file that is written bit by bit, and empties it.
    pub(super) fn create(&self, path: &Path, mode: u32) -> io::Result<File> {
        let (folder, name) = self.place(path, None)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC;
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&folder, name, flags, Mode::from_raw_mode(mode))?;
        Ok(File::from(file))
    }

    /// Makes a folder, and those above it.
    pub(super) fn make_dirs(&self, path: &Path, of_folders: Option<u32>) -> io::Result<()> {
        self.within(path, Some(of_folders)).map(drop)
    }

    pub(super) fn remove_file(&self, path: &Path) -> io::Result<()> {
        let (folder, name) = self.place(path, None)?;
        Ok(rustix::fs::unlinkat(&folder, name, AtFlags::empty())?)
    }

    /// Removes a folder that is empty.
    pub(super) fn remove_dir(&self, path: &Path) -> io::Result<()> {
        let (folder, name) = self.place(path, None)?;
        Ok(rustix::fs::unlinkat(&folder, name, AtFlags::REMOVEDIR)?)
    }

    pub(super) fn there(&self, path: &Path) -> io::Result<There> {
        let (folder, name) = self.place(path, None)?;
        let found = rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let kind = FileType::from_raw_mode(found.st_mode);
        Ok(There {
            len: u64::try_from(found.st_size).unwrap_or(0),
            mode: found.st_mode & 0o777,
            is_file: kind == FileType::RegularFile,
            is_link: kind == FileType::Symlink,
        })
    }

    /// Returns the fingerprint of a file, or of the target of a link.
    pub(super) fn print(&self, path: &Path) -> io::Result<Fingerprint> {
        let (folder, name) = self.place(path, None)?;
        if self.there(path)?.is_link {
            let target = rustix::fs::readlinkat(&folder, name, vec![])?;
            return Ok(crate::state::print_of_link(OsStr::from_bytes(
                target.as_bytes(),
            )));
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&folder, name, flags, Mode::empty())?;
        print_of_open(File::from(file))
    }
}

/// Creates an unfinished file beside a path. Returns it with its name.
fn create(folder: &OwnedFd, path: &Path, mode: u32) -> io::Result<(File, String)> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    for _ in 0..TRIES {
        let name = unfinished_name(path);
        match rustix::fs::openat(folder, name.as_str(), flags, Mode::from_raw_mode(mode)) {
            Ok(file) => return Ok((File::from(file), name)),
            Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Opens a folder by its path without links, from the root. Makes what is missing if `make` has
/// access rights for it.
fn walk(real: &Path, make: Option<Option<u32>>) -> io::Result<OwnedFd> {
    let mut folder = rustix::fs::openat(CWD, "/", flags(), Mode::empty())?;
    for part in real.components() {
        if let Component::Normal(name) = part {
            folder = enter(&folder, name, make)?;
        }
    }
    Ok(folder)
}

/// Opens a folder in another one. A link in its place is an error.
fn enter(folder: &OwnedFd, name: &OsStr, make: Option<Option<u32>>) -> io::Result<OwnedFd> {
    let open = || rustix::fs::openat(folder, name, flags() | OFlags::NOFOLLOW, Mode::empty());
    match (open(), make) {
        (Err(Errno::NOENT), Some(mode)) => {
            let mode = mode.map_or(0o777, super::write::of_folder);
            match rustix::fs::mkdirat(folder, name, Mode::from_raw_mode(mode)) {
                Ok(()) | Err(Errno::EXIST) => open().map_err(|error| not_entered(name, error)),
                Err(error) => Err(error.into()),
            }
        }
        (opened, _) => opened.map_err(|error| not_entered(name, error)),
    }
}

/// A folder is only passed, so it need not be readable.
fn flags() -> OFlags {
    #[cfg(target_os = "linux")]
    let passed = OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    let passed = OFlags::RDONLY;
    passed | OFlags::DIRECTORY | OFlags::CLOEXEC
}

fn not_entered(name: &OsStr, error: Errno) -> io::Error {
    match error {
        Errno::LOOP | Errno::NOTDIR => replaced(Path::new(name)),
        error => error.into(),
    }
}

fn replaced(path: &Path) -> io::Error {
    let what = format!(
        "`{}` is not the folder that it was when the run began, but a link or another one",
        path.display()
    );
    io::Error::new(io::ErrorKind::NotADirectory, what)
}

fn is_same(one: &OwnedFd, other: &OwnedFd) -> io::Result<bool> {
    let [one, other] = [rustix::fs::fstat(one)?, rustix::fs::fstat(other)?];
    Ok((one.st_dev, one.st_ino) == (other.st_dev, other.st_ino))
}
