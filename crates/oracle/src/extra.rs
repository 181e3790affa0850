use crate::access;
use crate::disk;
use crate::folder_error::FolderError;
use crate::inner_name::is_inner;
use crate::root;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// A file or folder that is copied next to the candidate for every test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extra {
    from: PathBuf,
    name: PathBuf,
}

impl Extra {
    /// Creates an extra for the file or folder `path`, relative to the working folder `folder`.
    ///
    /// A relative path is the same for the test (`include/x.h` is `include/x.h`). Of an absolute
    /// path, or a path with `..`, only the last component is kept.
    ///
    /// # Errors
    /// Returns [`FolderError::Extra`] if there is no such file or folder.
    pub fn new(path: &Path, folder: &Path) -> Result<Self, FolderError> {
        let from = folder.join(path);
        let from = from.canonicalize().map_err(|source| FolderError::Extra {
            path: path.to_owned(),
            source,
        })?;
        let plain = |part: &Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        let name: PathBuf = if path.components().all(|part| plain(&part)) {
            path.components()
                .filter(|part| matches!(part, Component::Normal(_)))
                .collect()
        } else {
            path.file_name()
                .or(from.file_name())
                .map(PathBuf::from)
                .unwrap_or_default()
        };
        if name.as_os_str().is_empty() && !from.is_dir() {
            let source = io::Error::from(io::ErrorKind::InvalidInput);
            return Err(FolderError::Extra {
                path: path.to_owned(),
                source,
            });
        }
        Ok(Extra { from, name })
    }

    /// Creates an extra for the file, link, or folder `from` with another name. `name` is relative
    /// to the folder of the test. A link is copied as a link.
    ///
    /// # Errors
    /// Returns [`FolderError::Extra`] if `from` does not exist, and [`FolderError::Name`] if `name`
    /// leads out of the folder of the test.
    pub fn named(from: PathBuf, name: PathBuf) -> Result<Self, FolderError> {
        if !is_inner(&name) {
            return Err(FolderError::Name { name });
        }
        match fs::symlink_metadata(&from) {
            Ok(_) => Ok(Extra { from, name }),
            Err(source) => Err(FolderError::Extra { path: from, source }),
        }
    }

    /// Creates an extra from the file `name` in `folder`, with the same name.
    pub(crate) fn neighbor(folder: &Path, name: PathBuf) -> Self {
        Extra {
            from: folder.join(&name),
            name,
        }
    }

    /// The path of the file or folder that is copied.
    pub fn from(&self) -> &Path {
        &self.from
    }

    /// The path of the copy, relative to the folder of the test.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The approximate size of a copy in bytes.
    pub(crate) fn size(&self) -> u64 {
        match self.from.metadata() {
            Ok(meta) if meta.is_file() => meta.len(),
            // A file that cannot be read is reported when it is copied.
            _ => disk::usage(&self.from, u64::MAX).total,
        }
    }

    /// Copies it into `work`, without the files named in `except`, and adds the copies to `made`.
    pub(crate) fn copy_to(
        &self,
        work: &Path,
        except: &HashSet<PathBuf>,
        made: &mut Made,
    ) -> io::Result<()> {
        if let Some(parent) = self.name.parent() {
            let mut dir = PathBuf::new();
            for part in parent.components() {
                dir.push(part);
                made.dir(work, &dir)?;
            }
        }
        copy(&self.from, &self.name, work, except, made)
    }
}

/// Checks that all extras and inputs have different names in the folder of the test.
pub(crate) fn check_names(extras: &[Extra], inputs: &[PathBuf]) -> Result<(), FolderError> {
    let inputs: HashSet<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    let mut taken: HashMap<&Path, &Path> = HashMap::new();
    for extra in extras {
        let (name, path) = (&extra.name, &extra.from);
        if inputs.contains(name.as_path()) {
            return Err(FolderError::LikeInput {
                name: name.clone(),
                path: path.clone(),
            });
        }
        // The same file given twice is not a conflict.
        let other = taken.insert(name, path);
        if let Some(other) = other.filter(|other| *other != path) {
            return Err(FolderError::SameName {
                name: name.clone(),
                one: other.to_owned(),
                other: path.clone(),
            });
        }
    }
    Ok(())
}

/// The copied files and folders, relative to the folder of the test.
#[derive(Debug, Default)]
pub(crate) struct Made {
    pub(crate) dirs: HashSet<PathBuf>,
    /// The files and links, each with the one that it is a copy of.
    pub(crate) files: HashMap<PathBuf, PathBuf>,
}

impl Made {
    /// Creates a folder unless it was created before.
    pub(crate) fn dir(&mut self, work: &Path, name: &Path) -> io::Result<()> {
        if name.as_os_str().is_empty() || self.dirs.contains(name) {
            return Ok(());
        }
        access::make_dir(&work.join(name))?;
        self.dirs.insert(name.to_owned());
        Ok(())
    }
}

fn copy(
    from: &Path,
    name: &Path,
    work: &Path,
    except: &HashSet<PathBuf>,
    made: &mut Made,
) -> io::Result<()> {
    let meta = fs::symlink_metadata(from)?;
    let to = work.join(name);
    if meta.is_dir() {
        made.dir(work, name)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            // The root may be inside this file (an extra `.` with `TMPDIR` below it). Copying the
            // root into itself would never end.
            if root::is_root(&entry.path()) {
                continue;
            }
            copy(
                &entry.path(),
                &name.join(entry.file_name()),
                work,
                except,
                made,
            )?;
        }
    } else if except.contains(name) || made.files.contains_key(name) {
        // The candidate is at the path of its own original, which is not copied.
    } else if meta.is_symlink() || meta.is_file() {
        copy_one(from, &to)?;
        made.files.insert(name.to_owned(), from.to_owned());
    }
    // A copy of a socket or a pipe would be useless.
    Ok(())
}

/// Copies a file, or a link as a link.
pub(crate) fn copy_one(from: &Path, to: &Path) -> io::Result<()> {
    let meta = fs::symlink_metadata(from)?;
    if meta.is_symlink() {
        return copy_link(from, to);
    }
    access::copy_file(from, to)?;
    keep_time(to, &meta)
}

/// Gives the copy the time of the original, so that any change by a test shows as a new time.
fn keep_time(path: &Path, meta: &fs::Metadata) -> io::Result<()> {
    let Ok(time) = meta.modified() else {
        return Ok(());
    };
    #[cfg(unix)]
    {
        // The time is set by name, since a copy of a read-only file cannot be opened for writing.
        let since = time
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        crate::stamp::set_time(path, since)
    }
    #[cfg(not(unix))]
    access::to_open().write(true).open(path)?.set_modified(time)
}

#[cfg(unix)]
fn copy_link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(fs::read_link(from)?, to)
}

#[cfg(not(unix))]
fn copy_link(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_file() {
        access::copy_file(from, to)
    } else {
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_relative_path_stays_and_an_outer_one_is_cut_to_its_last_name() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("a/include")).unwrap();
        fs::write(dir.path().join("a/include/x.h"), "").unwrap();
        fs::write(dir.path().join("y.h"), "").unwrap();
        let folder = dir.path().join("a");
        let name = |path: &str| Extra::new(Path::new(path), &folder).unwrap().name;
        assert_eq!(name("include/x.h"), Path::new("include/x.h"));
        assert_eq!(name("./include/x.h"), Path::new("include/x.h"));
        assert_eq!(name("../y.h"), Path::new("y.h"));
        let absolute = dir.path().join("y.h");
        assert_eq!(name(absolute.to_str().unwrap()), Path::new("y.h"));
    }

    #[test]
    fn a_missing_file_is_named_in_the_error() {
        let error = Extra::new(Path::new("no-such.h"), Path::new("/")).unwrap_err();
        assert!(error.to_string().contains("`no-such.h`"), "{error}");
    }

    #[test]
    fn the_root_of_a_run_is_not_copied_into_itself() {
        let dir = tempfile::tempdir().unwrap();
        let from = dir.path();
        let work = from.join("nubbin-abc123/0/work");
        fs::create_dir_all(&work).unwrap();
        fs::write(from.join("nubbin-abc123/owner"), "kept\n").unwrap();
        for checkout in ["nubbin-0.1.0", "nubbin-abc124"] {
            fs::create_dir(from.join(checkout)).unwrap();
            fs::write(from.join(checkout).join("owner"), "Jane").unwrap();
        }
        let mut made = Made::default();
        let extra = Extra::new(Path::new("."), from).unwrap();
        extra.copy_to(&work, &HashSet::new(), &mut made).unwrap();
        assert!(!work.join("nubbin-abc123").exists());
        assert!(work.join("nubbin-0.1.0/owner").exists());
        assert!(work.join("nubbin-abc124/owner").exists());
    }

    #[test]
    fn two_files_of_the_same_name_are_an_error_that_names_them() {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["a", "b"] {
            fs::create_dir(dir.path().join(folder)).unwrap();
            fs::write(dir.path().join(folder).join("x.h"), folder).unwrap();
        }
        let at = |path: &str| Extra::new(&dir.path().join(path), dir.path()).unwrap();
        let check = |extras: &[Extra]| check_names(extras, &[PathBuf::from("in.c")]);
        let error = check(&[at("a/x.h"), at("b/x.h")]).unwrap_err();
        assert!(matches!(error, FolderError::SameName { .. }), "{error:?}");
        let text = error.to_string();
        assert!(text.contains("a/x.h`") && text.contains("b/x.h`"), "{text}");
        check(&[at("a/x.h"), at("a/x.h"), at("a")]).unwrap();
        let error = check_names(&[at("a/x.h")], &["y.h".into(), "x.h".into()]).unwrap_err();
        assert!(matches!(error, FolderError::LikeInput { .. }), "{error:?}");
        assert!(error.to_string().contains("a/x.h"), "{error}");
    }

    #[test]
    fn a_folder_is_copied_except_for_the_candidate() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("from"), dir.path().join("to"));
        fs::create_dir_all(from.join("src/deep")).unwrap();
        fs::create_dir(&to).unwrap();
        fs::write(from.join("src/deep/a.c"), "original").unwrap();
        fs::write(from.join("src/b.c"), "b").unwrap();
        std::os::unix::fs::symlink("b.c", from.join("src/link")).unwrap();
        let extra = Extra::new(Path::new("src"), &from).unwrap();
        let mut made = Made::default();
        let except = HashSet::from([PathBuf::from("src/deep/a.c")]);
        extra.copy_to(&to, &except, &mut made).unwrap();
        assert!(!to.join("src/deep/a.c").exists());
        assert_eq!(fs::read(to.join("src/link")).unwrap(), b"b");
        assert_eq!(made.dirs, HashSet::from(["src".into(), "src/deep".into()]));
        assert_eq!(made.files.len(), 2);
    }
}
