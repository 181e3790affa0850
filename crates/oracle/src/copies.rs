//! The copies next to a candidate. nubbin restores them before each test.

use crate::access;
use crate::extra::{Made, copy_one};
use crate::remove::remove_any;
use crate::stamp::{Stamp, settle};
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

/// The stamps of the folders and copied files of a test from before the test.
///
/// A test of a large project makes or changes few files. The stamps show which: one system call for
/// each file tells that it is the same, and only the others are removed or copied again. So a
/// project is copied once for each slot, and not once for each test.
#[derive(Debug, Default)]
pub(crate) struct Stamps {
    /// The folders, each after the folder that it is in. The working folder and the folder for
    /// temporary files are the first two.
    dirs: Vec<(PathBuf, Stamp)>,
    files: Vec<(PathBuf, Stamp)>,
}

/// The contents that a folder has before a test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contents<'a> {
    pub(crate) work: &'a Path,
    pub(crate) tmp: &'a Path,
    /// The folders and files that were copied.
    pub(crate) copied: &'a Made,
    /// The files of the candidate.
    pub(crate) candidate: &'a [PathBuf],
}

impl Stamps {
    /// Sets the times of all folders back, and takes the stamps. On a system without stamps, the
    /// result is empty.
    pub(crate) fn take(contents: Contents<'_>) -> Result<Self, (PathBuf, io::Error)> {
        let Contents {
            work, tmp, copied, ..
        } = contents;
        let above = contents.above_candidate();
        let names = copied.dirs.iter().map(PathBuf::as_path);
        let names: HashSet<&Path> = names.chain(above).collect();
        let mut inner: Vec<PathBuf> = names
            .into_iter()
            .filter(|name| !name.as_os_str().is_empty())
            .map(|name| work.join(name))
            .collect();
        inner.sort_unstable();
        let mut stamps = Stamps::default();
        for dir in [work.to_owned(), tmp.to_owned()].into_iter().chain(inner) {
            match settle(&dir) {
                Ok(stamp) => stamps.dirs.extend(stamp.map(|stamp| (dir, stamp))),
                Err(error) => return Err((dir, error)),
            }
        }
        for name in copied.files.keys() {
            let path = work.join(name);
            stamps
                .files
                .extend(Stamp::of(&path).map(|stamp| (path, stamp)));
        }
        Ok(stamps)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.dirs.is_empty()
    }

    /// Returns whether no entry was added to or removed from the top level of the working folder
    /// and of the folder for temporary files.
    pub(crate) fn are_right_at_the_top(&self) -> bool {
        const BOTH: usize = 2;
        !self.is_empty() && self.dirs.iter().take(BOTH).all(is_right)
    }

    /// Returns whether neither a folder nor a copied file was changed.
    pub(crate) fn are_right(&self) -> bool {
        !self.is_empty() && self.dirs.iter().chain(&self.files).all(is_right)
    }

    /// Removes the files that a test added, and copies the files again that the test changed or
    /// removed. Files of the candidate are left as they are.
    pub(crate) fn restore(&mut self, contents: Contents<'_>) -> io::Result<()> {
        let candidate: HashSet<&Path> = contents
            .candidate
            .iter()
            .map(PathBuf::as_path)
            .chain(contents.above_candidate())
            .collect();
        let is_expected = |path: &Path| {
            path.strip_prefix(contents.work).is_ok_and(|name| {
                contents.copied.dirs.contains(name)
                    || contents.copied.files.contains_key(name)
                    || candidate.contains(name)
            })
        };
        // The folders that this restore has changed, whose stamps are therefore new.
        let mut touched: HashSet<PathBuf> = HashSet::new();
        let mut touch = |dir: Option<&Path>| touched.extend(dir.map(Path::to_owned));
        for (dir, _) in self.dirs.iter().filter(|dir| !is_right(dir)) {
            if !is_usable(dir) {
                remove_any(dir)?;
                access::make_dir(dir)?;
                touch(dir.parent());
            }
            touch(Some(dir));
            for entry in std::fs::read_dir(dir)? {
                let path = entry?.path();
                if !is_expected(&path) {
                    remove_any(&path)?;
                }
            }
        }
        for (path, stamp) in self.files.iter_mut().filter(|file| !is_right(file)) {
            let name = path.strip_prefix(contents.work);
            let from = name.ok().and_then(|name| contents.copied.files.get(name));
            let from = from.ok_or(io::ErrorKind::NotFound)?;
            remove_any(path)?;
            copy_one(from, path)?;
            *stamp = Stamp::of(path).ok_or(io::ErrorKind::NotFound)?;
            touch(path.parent());
        }
        for (dir, stamp) in &mut self.dirs {
            if touched.contains(dir) {
                *stamp = settle(dir)?.ok_or(io::ErrorKind::NotFound)?;
            }
        }
        Ok(())
    }
}

impl<'a> Contents<'a> {
    /// The names of the folders that hold files of the candidate.
    fn above_candidate(self) -> impl Iterator<Item = &'a Path> {
        let files = self.candidate.iter();
        files.flat_map(|name| name.ancestors().skip(1))
    }
}

fn is_right((path, stamp): &(PathBuf, Stamp)) -> bool {
    Stamp::of(path) == Some(*stamp)
}

/// Returns whether `dir` is a folder (not a link to one) that can be emptied and used again, since
/// it has the permissions that it was made with.
pub(crate) fn is_usable(dir: &Path) -> bool {
    #[cfg(unix)]
    {
        let meta = std::fs::symlink_metadata(dir);
        meta.is_ok_and(|meta| meta.is_dir() && access::is_as_made(dir, &meta))
    }
    #[cfg(not(unix))]
    dir.is_dir()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::extra::Extra;
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    /// Creates a project, and a copy of it with a file of a candidate.
    fn copied() -> io::Result<(tempfile::TempDir, Made, Vec<PathBuf>)> {
        let base = tempfile::tempdir()?;
        let (from, work) = (base.path().join("from"), base.path().join("work"));
        fs::create_dir_all(from.join("lib/deep"))?;
        for dir in ["work", "tmp"] {
            access::make_dir(&base.path().join(dir))?;
        }
        for file in ["lib/a", "lib/deep/b", "lib/deep/c", "top"] {
            fs::write(from.join(file), file)?;
        }
        symlink("a", from.join("lib/link"))?;
        let mut made = Made::default();
        for name in ["lib", "top"] {
            let extra = Extra::named(from.join(name), name.into()).map_err(io::Error::other)?;
            extra.copy_to(&work, &HashSet::new(), &mut made)?;
        }
        access::make_dir(&work.join("src"))?;
        fs::write(work.join("src/in"), "candidate")?;
        Ok((base, made, vec!["src/in".into()]))
    }

    /// The files below a folder with their contents, and the folders.
    fn listing(dir: &Path) -> io::Result<Vec<(PathBuf, String)>> {
        let mut all = vec![];
        let mut left = vec![dir.to_owned()];
        while let Some(path) = left.pop() {
            let meta = fs::symlink_metadata(&path)?;
            let text = if meta.is_dir() {
                for entry in fs::read_dir(&path)? {
                    left.push(entry?.path());
                }
                format!("{:o}", meta.permissions().mode())
            } else if meta.is_symlink() {
                fs::read_link(&path)?.display().to_string()
            } else {
                fs::read_to_string(&path)?
            };
            all.push((path, text));
        }
        all.sort();
        Ok(all)
    }

    #[test]
    fn whatever_a_test_does_to_copies_is_undone() {
        let changes: [fn(&Path); 14] = [
            |work| fs::write(work.join("new"), "x").unwrap(),
            |work| fs::write(work.join("lib/deep/new"), "x").unwrap(),
            |work| fs::write(work.join("src/new"), "x").unwrap(),
            |work| fs::create_dir_all(work.join("target/a/b")).unwrap(),
            |work| fs::write(work.join("../tmp/new"), "x").unwrap(),
            |work| fs::write(work.join("lib/deep/b"), "LIB/DEEP/B").unwrap(),
            |work| fs::remove_file(work.join("top")).unwrap(),
            |work| fs::remove_dir_all(work.join("lib")).unwrap(),
            |work| fs::rename(work.join("lib/deep"), work.join("lib/moved")).unwrap(),
            |work| fs::rename(work.join("lib/deep/b"), work.join("lib/deep/c")).unwrap(),
            |work| {
                fs::remove_dir_all(work.join("lib/deep")).unwrap();
                symlink("/", work.join("lib/deep")).unwrap();
            },
            |work| {
                fs::remove_file(work.join("lib/a")).unwrap();
                fs::create_dir(work.join("lib/a")).unwrap();
            },
            |work| {
                let mode = fs::Permissions::from_mode(0o500);
                fs::set_permissions(work.join("lib/deep"), mode).unwrap();
            },
            |work| {
                fs::remove_file(work.join("lib/link")).unwrap();
                symlink("deep/b", work.join("lib/link")).unwrap();
            },
        ];
        let (base, made, candidate) = copied().unwrap();
        let (work, tmp) = (base.path().join("work"), base.path().join("tmp"));
        let contents = Contents {
            work: &work,
            tmp: &tmp,
            copied: &made,
            candidate: &candidate,
        };
        let before = (listing(&work).unwrap(), listing(&tmp).unwrap());
        let mut stamps = Stamps::take(contents).unwrap();
        for (number, change) in changes.into_iter().enumerate() {
            assert!(stamps.are_right(), "before {number}");
            change(&work);
            assert!(!stamps.are_right(), "{number}");
            stamps.restore(contents).unwrap();
            assert_eq!(
                (listing(&work).unwrap(), listing(&tmp).unwrap()),
                before,
                "{number}"
            );
        }
        assert!(stamps.are_right());
    }

    #[test]
    fn a_copy_that_is_the_same_is_not_copied_again() {
        let (base, made, candidate) = copied().unwrap();
        let (work, tmp) = (base.path().join("work"), base.path().join("tmp"));
        let contents = Contents {
            work: &work,
            tmp: &tmp,
            copied: &made,
            candidate: &candidate,
        };
        let mut stamps = Stamps::take(contents).unwrap();
        let numbers = || {
            let files = ["lib/a", "lib/deep/b", "top"];
            files.map(|name| fs::metadata(work.join(name)).unwrap().ctime_nsec())
        };
        let before = numbers();
        fs::write(work.join("lib/deep/c"), "changed").unwrap();
        fs::write(work.join("lib/deep/new"), "").unwrap();
        stamps.restore(contents).unwrap();
        assert_eq!(numbers(), before);
        assert_eq!(fs::read(work.join("lib/deep/c")).unwrap(), b"lib/deep/c");
    }

    #[test]
    fn the_original_of_a_copy_is_never_changed() {
        let (base, made, _) = copied().unwrap();
        let (work, from) = (base.path().join("work"), base.path().join("from"));
        assert!(made.files.contains_key(Path::new("lib/deep/b")));
        let before = listing(&from).unwrap();
        for name in ["lib/a", "lib/deep/b", "lib/link", "top"] {
            fs::write(work.join(name), "in place").unwrap();
        }
        assert_eq!(listing(&from).unwrap(), before);
    }
}
