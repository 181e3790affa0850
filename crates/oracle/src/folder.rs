use crate::access;
use crate::copies::{Contents, Stamps, is_usable};
use crate::disk::{self, Usage};
use crate::enclosure::Enclosure;
use crate::extra::{Extra, Made};
use crate::folder_error::FolderError;
use crate::inner_name::is_inner;
use crate::over::wait_if_over;
use crate::process::gate;
use crate::remove::{empty, gone_is_none, remove_any};
use crate::root::{TMP, WORK};
use crate::written;
use nubbin_verdict::{Cancel, Candidate};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The contents that all folders of a run share, and the properties of the candidate's files.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    /// The names of all files that a candidate can have.
    pub(crate) names: HashSet<PathBuf>,
    /// Folders that are made even if they are empty.
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) extras: Vec<Extra>,
    /// Access rights of the candidate's files, [`access::PRIVATE`] for others.
    pub(crate) modes: HashMap<PathBuf, u32>,
}

impl Surroundings {
    fn mode(&self, name: &Path) -> u32 {
        self.modes.get(name).copied().unwrap_or(access::PRIVATE)
    }
}

/// The folder of one slot, used by one test after another.
///
/// Every test finds the candidate and the extra files and nothing else, also in the folders around.
/// After a test that changed nothing but the content of the candidate, the folder is used again as
/// it is; the stamp of each folder and extra file shows whether that holds. Otherwise the extra
/// files that differ are restored, or, without any, the folder is emptied and filled again.
#[derive(Debug)]
pub(crate) struct Folder {
    /// The folder around the folders of all slots.
    root: Arc<Enclosure>,
    slot: Enclosure,
    work: PathBuf,
    tmp: PathBuf,
    surroundings: Arc<Surroundings>,
    /// The files of the candidate in the folder, in the order of the candidate.
    present: Vec<PathBuf>,
    /// The result of copying the extra files.
    copied: Made,
    /// The stamp of each folder and extra file from before the test.
    stamps: Stamps,
    /// The disk space of the extra files.
    extra_usage: Usage,
    /// The time that measuring `extra_usage` took.
    look_cost: Duration,
    /// The size of the candidate and of its largest file.
    given: Usage,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The folder holds exactly the expected files.
    Clean,
    /// The folder must be emptied and filled.
    Touched,
}

impl Folder {
    pub(crate) fn new(dir: &Path, root: Arc<Enclosure>, surroundings: Arc<Surroundings>) -> Self {
        Folder {
            root,
            slot: Enclosure::new(dir, [WORK, TMP]),
            work: dir.join(WORK),
            tmp: dir.join(TMP),
            surroundings,
            present: Vec::new(),
            copied: Made::default(),
            stamps: Stamps::default(),
            extra_usage: Usage::default(),
            look_cost: Duration::ZERO,
            given: Usage::default(),
            state: State::Touched,
        }
    }

    pub(crate) fn work(&self) -> &Path {
        &self.work
    }

    /// The parent of both folders.
    pub(crate) fn dir(&self) -> &Path {
        self.slot.dir()
    }

    /// The disk space in use before the test began, with a margin.
    pub(crate) fn given(&self) -> u64 {
        // Files occupy whole blocks, and folders need space as well.
        const MARGIN: u64 = 64 << 10;
        self.given.total + self.extra_usage.total + MARGIN
    }

    /// The size of the largest file that existed before the test began.
    pub(crate) fn largest_given(&self) -> u64 {
        self.given.largest.max(self.extra_usage.largest)
    }

    /// The time that it takes to measure the files that existed before the test began.
    pub(crate) fn look_cost(&self) -> Duration {
        self.look_cost
    }

    pub(crate) fn tmp(&self) -> &Path {
        &self.tmp
    }

    /// Puts the candidate in place for the next test. Returns `false` if the test was canceled
    /// before all files were written.
    pub(crate) fn prepare(
        &mut self,
        candidate: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<bool, FolderError> {
        if self.state == State::Clean
            && self.is_untouched()
            && let Ok(is_filled) = self.fill(candidate, cancel)
        {
            if !is_filled {
                self.state = State::Touched;
            }
            return Ok(is_filled);
        }
        // This is also the second attempt after a failed write. The second attempt starts with an
        // empty folder, so its error is reported.
        self.state = State::Touched;
        self.rebuild()?;
        let is_filled = self.fill(candidate, cancel)?;
        if is_filled {
            self.state = State::Clean;
        }
        Ok(is_filled)
    }

    /// Removes everything around both folders, and restores them if the test changed more than the
    /// content of the candidate: the extra files one by one, or else everything.
    pub(crate) fn tidy(&mut self) {
        if self.restore_around().is_ok() && (self.stamps.are_right() || self.restore_copies()) {
            return;
        }
        self.state = State::Touched;
        self.stamps = Stamps::default();
        // The folder is emptied at once, so that a large file is not kept until the next test.
        // `prepare` empties it again and reports errors.
        let _ = self.clear();
    }

    /// Restores the extra files that the test changed. Returns `false` if there are no extra
    /// files, or if they could not be restored.
    fn restore_copies(&mut self) -> bool {
        if self.copied.files.is_empty() || self.stamps.is_empty() {
            return false;
        }
        let mut stamps = std::mem::take(&mut self.stamps);
        let is_restored = stamps.restore(self.contents()).is_ok();
        self.stamps = stamps;
        is_restored
    }

    fn contents(&self) -> Contents<'_> {
        Contents {
            work: &self.work,
            tmp: &self.tmp,
            copied: &self.copied,
            candidate: &self.present,
        }
    }

    /// Returns whether nothing has changed since the last test ended. A test of another slot may
    /// change the folder, and so may a process that a test left.
    fn is_untouched(&self) -> bool {
        self.restore_around().is_ok() && self.stamps.are_right_at_the_top()
    }

    /// Removes files that a test left next to both folders.
    fn restore_around(&self) -> Result<(), FolderError> {
        for around in [&*self.root, &self.slot] {
            around.restore().map_err(|source| FolderError::Clear {
                path: around.dir().to_owned(),
                source,
            })?;
        }
        Ok(())
    }

    fn clear(&self) -> Result<(), FolderError> {
        self.restore_around()?;
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
        for dir in [self.dir(), &self.work, &self.tmp] {
            access::make_dir(dir).map_err(|source| FolderError::create(dir, source))?;
        }
        self.stamps = Stamps::default();
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

    fn fill(&mut self, candidate: &Candidate<'_>, cancel: &Cancel) -> Result<bool, FolderError> {
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
            // Writing hundreds of thousands of files takes seconds.
            if cancel.is_cancelled() {
                return Ok(false);
            }
            must_settle |= self.write(file.name, file.bytes)?;
        }
        if must_settle {
            self.settle()?;
        }
        Ok(true)
    }

    /// Removes the files and folders that the candidate lacks, and creates its folders.
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
                // A folder that still contains a file is kept: removing it fails.
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
                access::make_dirs(&self.work, parent)
                    .map_err(|source| FolderError::create(&self.work.join(parent), source))?;
            }
        }
        self.present = candidate
            .files()
            .iter()
            .map(|file| file.name.to_owned())
            .collect();
        Ok(())
    }

    /// Writes one file, and returns whether it is new.
    fn write(&self, name: &Path, bytes: &[u8]) -> Result<bool, FolderError> {
        // The folder cannot be removed while files are added to it.
        wait_if_over();
        let path = self.work.join(name);
        let mode = self.surroundings.mode(name);
        // A file that is open for writing cannot be executed, and a process that another slot is
        // starting now would hold this file open until its program is loaded.
        let _alone = (mode & 0o111 != 0).then(gate::close);
        let written = match rewrite(&path, bytes, mode) {
            Ok(true) => return Ok(false),
            Ok(false) => write_new(&path, bytes, mode),
            Err(error) => Err(error),
        };
        written
            .map(|()| true)
            .map_err(|source| FolderError::write(&path, source))
    }

    /// Returns the small texts that the test wrote next to the files of the candidate.
    pub(crate) fn written(&self) -> Vec<Vec<u8>> {
        let present: HashSet<&Path> = self.present.iter().map(PathBuf::as_path).collect();
        let is_given = |name: &Path| self.copied.files.contains_key(name) || present.contains(name);
        written::written(&self.work, &self.present, is_given)
    }

    fn settle(&mut self) -> Result<(), FolderError> {
        self.stamps = Stamps::take(self.contents())
            .map_err(|(dir, source)| FolderError::create(&dir, source))?;
        self.restore_around()
    }
}

/// Overwrites the file of the previous test. Returns `false` if that would not be safe.
#[cfg(unix)]
fn rewrite(path: &Path, bytes: &[u8], mode: u32) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let opened = access::to_open_left().write(true).open(path);
    let Ok(mut file) = opened else {
        return Ok(false);
    };
    let meta = file.metadata()?;
    // A test may have created a hard link to the file (`ln {} saved.c`), whose content must not
    // change. The test may also have changed the permissions, or stored data in an attribute.
    let is_as_made = meta.is_file()
        && meta.nlink() == 1
        && meta.mode() & 0o7777 == mode
        && access::attributes(path).is_empty();
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
fn rewrite(_path: &Path, _bytes: &[u8], _mode: u32) -> io::Result<bool> {
    Ok(false)
}

fn write_new(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    gone_is_none(fs::remove_file(path)).or_else(|_| remove_any(path).map(Some))?;
    access::make_file(path, mode)?.write_all(bytes)
}

/// A relative folder and its ancestors, outermost first.
fn up_to(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = folder.ancestors().map(Path::to_owned).collect();
    all.pop();
    all.reverse();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_the_system_is_the_source_and_not_part_of_the_text() {
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
