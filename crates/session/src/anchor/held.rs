//! A folder that is found again later and must be the same folder as when the run began.

use super::Folder;
use super::missing::Missing;
use super::replaced::replaced;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};

/// A folder, and the way to files below it.
#[derive(Clone, Debug)]
pub struct Anchor {
    /// The path as the user named it.
    base: PathBuf,
    opened: Arc<Mutex<Opened>>,
}

#[derive(Debug, Default)]
struct Opened {
    /// The path without links.
    real: Option<PathBuf>,
    /// `None` until the folder is there.
    folder: Option<Folder>,
}

/// The folders of this process by their paths, so that a folder that is made again is so for all.
static OPENED: LazyLock<Mutex<HashMap<PathBuf, Weak<Mutex<Opened>>>>> =
    LazyLock::new(Mutex::default);

impl Anchor {
    /// Returns the anchor of the folder of a file. Accesses no file.
    pub fn of(path: &Path) -> Self {
        Anchor::at(folder_of(path))
    }

    /// Returns the anchor of a folder. Accesses no file.
    pub fn at(folder: &Path) -> Self {
        let key = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
        let mut all = lock(&OPENED);
        all.retain(|_, opened| opened.strong_count() > 0);
        let known = all.get(&key).and_then(Weak::upgrade);
        let opened = known.unwrap_or_else(|| {
            let new = Arc::default();
            all.insert(key, Arc::downgrade(&new));
            new
        });
        Anchor {
            base: folder.to_path_buf(),
            opened,
        }
    }

    /// Opens the folder, so that another folder that gets its name later is not used. If the folder
    /// does not exist, this holds for the folders above it.
    pub fn open(&self) {
        let _ = self.folder(Missing::Refuse);
    }

    /// Returns the folder. It is an error if another folder has replaced it since the run began.
    pub fn folder(&self, missing: Missing) -> io::Result<Folder> {
        let mut opened = lock(&self.opened);
        let real = match &opened.real {
            Some(real) => real.clone(),
            None => {
                let real = real_path(&self.base, missing)?;
                opened.real = Some(real.clone());
                real
            }
        };
        if let Some(at_first) = &opened.folder {
            match Folder::at(&real, Missing::Refuse) {
                Ok(now) if now.is_same(at_first)? => return Ok(at_first.clone()),
                Ok(_) => return Err(replaced(&self.base)),
                // A test may have removed the folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        let folder = Folder::at(&real, missing)?;
        opened.folder = Some(folder.clone());
        Ok(folder)
    }

    /// Returns the folder of a file and the file's name. The path begins with the path of the
    /// anchor, or is relative to the anchor.
    pub fn place<'a>(&self, path: &'a Path, missing: Missing) -> io::Result<(Folder, &'a OsStr)> {
        let below = path.strip_prefix(&self.base).unwrap_or(path);
        self.folder(missing)?.place(below, missing)
    }

    /// Returns a folder below the anchor. The path begins with the path of the anchor, or is
    /// relative to the anchor.
    pub fn within(&self, path: &Path, missing: Missing) -> io::Result<Folder> {
        let below = path.strip_prefix(&self.base).unwrap_or(path);
        self.folder(missing)?.within(below, missing)
    }
}

impl Folder {
    /// Returns the folder of a file below this one, and the file's name.
    pub fn place<'a>(&self, path: &'a Path, missing: Missing) -> io::Result<(Folder, &'a OsStr)> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let above = path.parent().unwrap_or(Path::new(""));
        Ok((self.within(above, missing)?, name))
    }

    /// Returns a folder below this one.
    fn within(&self, path: &Path, missing: Missing) -> io::Result<Folder> {
        let mut folder = self.clone();
        for part in path.components() {
            match part {
                Component::CurDir => {}
                Component::Normal(name) => folder = folder.enter(name, missing)?,
                _ => return Err(io::ErrorKind::InvalidInput.into()),
            }
        }
        Ok(folder)
    }
}

/// Returns the path of a folder without links. A folder that is not there has it from those above.
fn real_path(folder: &Path, missing: Missing) -> io::Result<PathBuf> {
    let not_there = match Folder::real_path(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => error,
        found => return found,
    };
    let is_plain = |part: Component<'_>| !matches!(part, Component::ParentDir);
    for above in folder.ancestors().skip(1) {
        let rest = folder.strip_prefix(above).unwrap_or(Path::new(""));
        if !rest.components().all(is_plain) {
            break;
        }
        match Folder::real_path(or_here(above)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
            Ok(real) => return Ok(real.join(rest)),
        }
    }
    // The path leads through a missing folder, and out of it.
    match missing {
        Missing::Refuse => Err(not_there),
        Missing::Make(mode) => {
            super::make_dirs(folder, mode)?;
            Folder::real_path(folder)
        }
    }
}

/// Returns the folder of a file.
fn folder_of(path: &Path) -> &Path {
    or_here(path.parent().unwrap_or(Path::new("")))
}

fn or_here(folder: &Path) -> &Path {
    match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
