use crate::disk::{self, Usage};
use crate::extra::{Extra, Made};
use crate::process::gate;
use crate::remove::{empty, gone_is_none, remove_any};
use crate::stamp::{Stamp, settle};
use nubbin_verdict::Candidate;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A file or folder of the test's private place could not be made or written.
///
/// The text leaves out the system's error, which is the source of this one.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A folder could not be made.
    #[error(
        "cannot make a folder in `{path}` for the tests{hint}; another place can be \
         named with the variable TMPDIR"
    )]
    Create {
        /// The folder in which it was to be made.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
        /// A cause that the system's error does not name; begins with `: `.
        hint: &'static str,
    },
    /// A file could not be written.
    #[error(
        "cannot write `{path}` for the test{hint}; another place for the tests can be \
         named with the variable TMPDIR"
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
        /// A cause that the system's error does not name; begins with `: `.
        hint: &'static str,
    },
    /// Files that a test left could not be removed.
    #[error("cannot clear away what a test left in `{path}`")]
    Clear {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file to be given to the test is not there or cannot be read.
    #[error("cannot give `{path}` to the test")]
    Extra {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Two files to be given to the test would have the same name there.
    #[error(
        "`{one}` and `{other}` would both be `{name}` for the test: leave one out, or put them \
         into a folder and give that"
    )]
    SameName {
        /// The name.
        name: PathBuf,
        /// The one file.
        one: PathBuf,
        /// The other file.
        other: PathBuf,
    },
    /// A file to be given to the test would have the name of an input there.
    #[error(
        "`{path}` would be `{name}` for the test, which is the name of the input: leave it out, \
         the test finds the candidate there"
    )]
    LikeInput {
        /// The name.
        name: PathBuf,
        /// The file.
        path: PathBuf,
    },
    /// A file name of a candidate leads out of the folder of the test.
    #[error(
        "the input's name `{name}` cannot be used inside the folder of the test: name inputs by \
         paths without `..` and without a leading `/`"
    )]
    Name {
        /// The name.
        name: PathBuf,
    },
}

impl FolderError {
    pub(crate) fn create(path: &Path, source: io::Error) -> Self {
        let hint = full_hint(&source);
        FolderError::Create {
            path: path.to_owned(),
            source,
            hint,
        }
    }

    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        let hint = full_hint(&source);
        FolderError::Write {
            path: path.to_owned(),
            source,
            hint,
        }
    }
}

fn full_hint(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ": make room there, the tests may have left large files"
        }
        io::ErrorKind::PermissionDenied => ": this user may not write there",
        _ => "",
    }
}

/// Whether a file name stays inside the folder it is joined to.
pub(crate) fn is_inner(name: &Path) -> bool {
    !name.as_os_str().is_empty()
        && name
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
}

/// The files of every folder of a run beside the candidate, and the form of the candidate.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    /// Names of all files a candidate may have.
    pub(crate) names: HashSet<PathBuf>,
    /// Folders that are there also when they are empty.
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) extras: Vec<Extra>,
    pub(crate) is_executable: bool,
}

/// The folder of one slot, handed from test to test.
///
/// Every test finds the candidate and the extra files and nothing else. The folder is used again
/// as it is when the test touched nothing but the content of the candidate, which one look at
/// each folder and extra file tells; otherwise it is emptied and filled afresh.
#[derive(Debug)]
pub(crate) struct Folder {
    work: PathBuf,
    tmp: PathBuf,
    surroundings: Arc<Surroundings>,
    /// Files of the candidate that are there, in its order.
    present: Vec<PathBuf>,
    /// The result of copying the extra files.
    copied: Made,
    /// Every folder there must be and every extra file, as we left it.
    stamps: Vec<(PathBuf, Stamp)>,
    /// What the extra files take.
    extra_usage: Usage,
    /// How long it took to find that out.
    look_cost: Duration,
    /// Bytes of the candidate, and of its largest file.
    given: Usage,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Holds the files that it should.
    Clean,
    /// Must be emptied and filled.
    Touched,
}

impl Folder {
    pub(crate) fn new(dir: &Path, surroundings: Arc<Surroundings>) -> Self {
        Folder {
            work: dir.join("work"),
            tmp: dir.join("tmp"),
            surroundings,
            present: Vec::new(),
            copied: Made::default(),
            stamps: Vec::new(),
            extra_usage: Usage::default(),
            look_cost: Duration::ZERO,
            given: Usage::default(),
            state: State::Touched,
        }
    }

    pub(crate) fn work(&self) -> &Path {
        &self.work
    }

    /// Where both folders lie.
    pub(crate) fn dir(&self) -> &Path {
        self.work.parent().unwrap_or(&self.work)
    }

    /// The room that was taken before the test began.
    pub(crate) fn given(&self) -> u64 {
        // Files take whole blocks, and the folders something themselves.
        const MARGIN: u64 = 64 << 10;
        self.given.total + self.extra_usage.total + MARGIN
    }

    /// The length of the longest file that was there before the test began.
    pub(crate) fn largest_given(&self) -> u64 {
        self.given.largest.max(self.extra_usage.largest)
    }

    /// How long it takes to look at the files that were there before the test began.
    pub(crate) fn look_cost(&self) -> Duration {
        self.look_cost
    }

    pub(crate) fn tmp(&self) -> &Path {
        &self.tmp
    }

    /// Puts the candidate in place for the next test.
    pub(crate) fn prepare(&mut self, candidate: &Candidate<'_>) -> Result<(), FolderError> {
        if self.state == State::Clean && self.fill(candidate).is_ok() {
            return Ok(());
        }
        // Also the second attempt after a failed write: its error, from an empty folder, is the one
        // to report.
        self.state = State::Touched;
        self.rebuild()?;
        self.fill(candidate)?;
        self.state = State::Clean;
        Ok(())
    }

    /// Finds the files that the test left, and removes them.
    pub(crate) fn tidy(&mut self) {
        let is_clean = !self.stamps.is_empty()
            && self
                .stamps
                .iter()
                .all(|(path, stamp)| Stamp::of(path) == Some(*stamp));
        if !is_clean {
            self.state = State::Touched;
            self.stamps.clear();
            // Done now and not before the next test: a large file must not wait for that. An
            // error comes back in `prepare`, which empties again.
            let _ = self.clear();
        }
    }

    fn clear(&self) -> Result<(), FolderError> {
        for dir in [&self.work, &self.tmp] {
            let source = match is_usable(dir) {
                true => empty(dir),
                false => remove_any(dir),
            };
            source.map_err(|source| FolderError::Clear {
                path: dir.clone(),
                source,
            })?;
        }
        Ok(())
    }

    fn rebuild(&mut self) -> Result<(), FolderError> {
        self.clear()?;
        for dir in [&self.work, &self.tmp] {
            fs::create_dir_all(dir).map_err(|source| FolderError::create(dir, source))?;
        }
        self.stamps.clear();
        self.present.clear();
        self.copied = Made::default();
        let Surroundings {
            names,
            folders,
            extras,
            ..
        } = &*self.surroundings;
        for folder in folders.iter().flat_map(|folder| up_to(folder)) {
            let made = self.copied.dir(&self.work, &folder);
            made.map_err(|source| FolderError::create(&self.work.join(&folder), source))?;
        }
        for extra in extras {
            let made = &mut self.copied;
            extra
                .copy_to(&self.work, names, made)
                .map_err(|source| FolderError::Extra {
                    path: extra.name().to_owned(),
                    source,
                })?;
        }
        if !self.surroundings.extras.is_empty() {
            let begin = Instant::now();
            self.extra_usage = disk::usage(&self.work, u64::MAX);
            self.look_cost = begin.elapsed();
        }
        Ok(())
    }

    fn fill(&mut self, candidate: &Candidate<'_>) -> Result<(), FolderError> {
        let sizes = candidate.files().iter().map(|file| file.bytes.len() as u64);
        self.given = Usage {
            total: candidate.size() as u64,
            largest: sizes.max().unwrap_or(0),
        };
        let names = || candidate.files().iter().map(|file| file.name);
        let mut must_settle = self.stamps.is_empty();
        if !names().eq(self.present.iter().map(PathBuf::as_path)) {
            self.reshape(candidate)?;
            must_settle = true;
        }
        for file in candidate.files() {
            must_settle |= self.write(&self.work.join(file.name), file.bytes)?;
        }
        if must_settle { self.settle() } else { Ok(()) }
    }

    /// Makes and removes files and folders so that those of the candidate are there.
    fn reshape(&mut self, candidate: &Candidate<'_>) -> Result<(), FolderError> {
        let names: HashSet<&Path> = candidate.files().iter().map(|file| file.name).collect();
        let stays = |name: &Path| names.contains(name);
        for name in self.present.iter().filter(|name| !stays(name)) {
            let path = self.work.join(name);
            remove_any(&path).map_err(|source| FolderError::Clear { path, source })?;
        }
        for name in std::mem::take(&mut self.present)
            .iter()
            .filter(|name| !stays(name))
        {
            for dir in name
                .ancestors()
                .skip(1)
                .filter(|dir| !dir.as_os_str().is_empty())
            {
                let is_needed = self.copied.dirs.contains(dir);
                // One that still holds a file refuses, as it should.
                if is_needed || fs::remove_dir(self.work.join(dir)).is_err() {
                    break;
                }
            }
        }
        let mut made = HashSet::new();
        for file in candidate.files() {
            if !is_inner(file.name) {
                return Err(FolderError::Name {
                    name: file.name.to_owned(),
                });
            }
            let parent = file.name.parent().filter(|dir| !dir.as_os_str().is_empty());
            if let Some(parent) = parent.filter(|dir| made.insert(*dir)) {
                let dir = self.work.join(parent);
                fs::create_dir_all(&dir).map_err(|source| FolderError::create(&dir, source))?;
            }
        }
        self.present = candidate
            .files()
            .iter()
            .map(|file| file.name.to_owned())
            .collect();
        Ok(())
    }

    /// Writes one file; says whether it had to be made.
    fn write(&self, path: &Path, bytes: &[u8]) -> Result<bool, FolderError> {
        // A file that is open for writing cannot be executed, and a process being started at
        // this moment by another slot would hold our open file until it runs.
        let _alone = self.surroundings.is_executable.then(gate::close);
        let written = match self.rewrite(path, bytes) {
            Ok(true) => return Ok(false),
            Ok(false) => self.write_new(path, bytes),
            Err(error) => Err(error),
        };
        written
            .map(|()| true)
            .map_err(|source| FolderError::write(path, source))
    }

    /// Writes over the file of the test before; `false` where that would not be safe.
    #[cfg(unix)]
    fn rewrite(&self, path: &Path, bytes: &[u8]) -> io::Result<bool> {
        use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
        let no_link = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        let opened = fs::OpenOptions::new()
            .write(true)
            .custom_flags(no_link.bits().cast_signed())
            .open(path);
        let Ok(mut file) = opened else {
            return Ok(false);
        };
        let meta = file.metadata()?;
        // A test may have kept a second name for the file (`ln {} saved.c`): what it saved must
        // not change. It may have changed the rights as well.
        let is_as_made = meta.is_file()
            && meta.nlink() == 1
            && meta.mode() & 0o777
                == if self.surroundings.is_executable {
                    0o755
                } else {
                    0o644
                };
        if !is_as_made {
            return Ok(false);
        }
        file.write_all(bytes)?;
        if meta.len() > bytes.len() as u64 {
            file.set_len(bytes.len() as u64)?;
        }
        Ok(true)
    }

    #[cfg(not(unix))]
    fn rewrite(&self, _path: &Path, _bytes: &[u8]) -> io::Result<bool> {
        Ok(false)
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        gone_is_none(fs::remove_file(path)).or_else(|_| remove_any(path).map(Some))?;
        let mut file = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = if self.surroundings.is_executable {
                0o755
            } else {
                0o644
            };
            file.set_permissions(fs::Permissions::from_mode(mode))?;
        }
        file.write_all(bytes)
    }

    fn settle(&mut self) -> Result<(), FolderError> {
        let mut dirs = vec![self.work.clone(), self.tmp.clone()];
        let mut listed: HashSet<&Path> = HashSet::new();
        let of_candidate = self
            .present
            .iter()
            .flat_map(|name| name.ancestors().skip(1));
        for dir in self
            .copied
            .dirs
            .iter()
            .map(PathBuf::as_path)
            .chain(of_candidate)
        {
            if !dir.as_os_str().is_empty() && listed.insert(dir) {
                dirs.push(self.work.join(dir));
            }
        }
        self.stamps.clear();
        for dir in dirs {
            let stamp = settle(&dir).map_err(|source| FolderError::create(&dir, source))?;
            self.stamps.extend(stamp.map(|stamp| (dir, stamp)));
        }
        for name in &self.copied.files {
            let path = self.work.join(name);
            self.stamps
                .extend(Stamp::of(&path).map(|stamp| (path, stamp)));
        }
        Ok(())
    }
}

/// A relative folder and those it lies in, the outermost first.
fn up_to(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = folder.ancestors().map(Path::to_owned).collect();
    all.pop();
    all.reverse();
    all
}

/// Whether it is a folder (not a link to one) that can be emptied and used again.
fn is_usable(dir: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        fs::symlink_metadata(dir).is_ok_and(|meta| meta.is_dir() && meta.mode() & 0o700 == 0o700)
    }
    #[cfg(not(unix))]
    dir.is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_the_system_is_the_source_and_not_in_the_text_as_well() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        let (path, said) = (Path::new("/x"), full().to_string());
        let errors = [
            FolderError::create(path, full()),
            FolderError::write(path, full()),
            FolderError::Clear {
                path: path.into(),
                source: full(),
            },
            FolderError::Extra {
                path: path.into(),
                source: full(),
            },
        ];
        for error in errors {
            let source = std::error::Error::source(&error).unwrap().to_string();
            assert_eq!(source, said);
            assert!(!error.to_string().contains(&said), "{error}");
        }
    }
}
