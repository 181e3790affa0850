//! `folder = "DIR"`: the files of a folder.

use super::filled::{GivenUp, Look};
use super::setting::broken;
use crate::siblings::is_result;
use nubbin_campaign::{FuzzError, Made, Observed, Source, Test};
use nubbin_session::state::FOLDER;
use nubbin_verdict::Cancel;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// The interval at which a folder that grows is read again.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// The files of a folder and of the folders in it, oldest first. New files come after all that
/// were run, even when the campaign continues.
pub(crate) struct Files {
    name: String,
    folder: PathBuf,
    known: Mutex<KnownFiles>,
    /// A fuzzer fills it until its generator is in this set.
    filled: Option<GivenUp>,
    /// Receives the run of each file.
    observer: Option<Box<Observer>>,
}

/// A function that receives the run of a file.
type Observer = dyn Fn(&Path, &Observed) + Send + Sync;

impl Files {
    /// Opens a folder, of which the campaign ran the given files.
    pub(super) fn new(name: &str, folder: PathBuf, ran: Vec<PathBuf>) -> Self {
        Files {
            name: name.to_owned(),
            folder,
            known: Mutex::new(KnownFiles::new(ran)),
            filled: None,
            observer: None,
        }
    }

    /// Opens a folder, of whose files these members of the campaign were run.
    pub(crate) fn of_members(name: &str, folder: PathBuf, ran: Vec<Vec<u8>>) -> Self {
        Files::new(name, folder, paths(ran))
    }

    /// Opens a folder that the fuzzer of the generator fills while the campaign runs.
    pub(super) fn filled(
        name: &str,
        folder: PathBuf,
        ran: Vec<PathBuf>,
        given_up: &GivenUp,
    ) -> Self {
        Files {
            filled: Some(given_up.clone()),
            ..Files::new(name, folder, ran)
        }
    }

    /// Has the run of each file observed.
    #[must_use]
    pub(crate) fn observed(
        mut self,
        observer: impl Fn(&Path, &Observed) + Send + Sync + 'static,
    ) -> Self {
        self.observer = Some(Box::new(observer));
        self
    }
}

impl Source for Files {
    fn make(&self, position: u64, _stop: &Cancel) -> Result<Made, FuzzError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut look = self.filled.as_ref().map(|it| Look::of(&self.name, it));
        let made = known.make(position, &self.folder, || match &mut look {
            Some(look) => look.complete(dated(&self.folder)),
            None => files(&self.folder),
        });
        let made = made.map_err(|error| broken(&self.name, error))?;
        Ok(made.unwrap_or_else(|| match look {
            Some(look) => look.nothing(POLL_INTERVAL),
            None => Made::Exhausted,
        }))
    }

    fn feedback(&self, test: &Test, observed: &Observed) {
        let path = test.member.iter().cloned().collect();
        if let (Some(observer), [path]) = (&self.observer, &*paths(path)) {
            observer(path, observed);
        }
    }
}

/// Files by their positions. The campaign keeps the paths of those that it ran, so a file has
/// its position for good.
pub(super) struct KnownFiles {
    paths: Vec<PathBuf>,
    set: HashSet<PathBuf>,
}

impl KnownFiles {
    pub(super) fn new(ran: Vec<PathBuf>) -> Self {
        KnownFiles {
            set: ran.iter().cloned().collect(),
            paths: ran,
        }
    }

    /// Makes the test at a position, of a file that is known or of one that is found now. Returns
    /// `None` if the folder has no further test.
    pub(super) fn make(
        &mut self,
        position: u64,
        folder: &Path,
        find: impl FnOnce() -> io::Result<Vec<PathBuf>>,
    ) -> io::Result<Option<Made>> {
        let at = usize::try_from(position).unwrap_or(usize::MAX);
        if at >= self.paths.len() {
            let found = find()?.into_iter();
            let new = found.filter(|path| self.set.insert(path.clone()));
            self.paths.extend(new);
        }
        while let Some(path) = self.paths.get(at) {
            match std::fs::read(path) {
                Ok(text) => {
                    let name = path.strip_prefix(folder).unwrap_or(path);
                    return Ok(Some(Made::Test(Test {
                        name: Some(name.to_string_lossy().into_owned()),
                        member: Some(path.as_os_str().as_encoded_bytes().to_vec()),
                        ..Test::new(text)
                    })));
                }
                // The file was removed before its run, so its position is given to the next file.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    self.paths.remove(at);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }
}

/// Returns the paths of the files that a campaign ran.
#[cfg(unix)]
pub(crate) fn paths(members: Vec<Vec<u8>>) -> Vec<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    let members = members.into_iter();
    members
        .map(|bytes| PathBuf::from(std::ffi::OsString::from_vec(bytes)))
        .collect()
}

/// Returns the paths of the files that a campaign ran.
#[cfg(not(unix))]
pub(crate) fn paths(members: Vec<Vec<u8>>) -> Vec<PathBuf> {
    let members = members.into_iter();
    members
        .map(|bytes| PathBuf::from(String::from_utf8_lossy(&bytes).into_owned()))
        .collect()
}

/// Returns the files of a folder and of the folders in it, oldest first. Links are not
/// followed.
pub(crate) fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = dated(folder)?;
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// Returns the same files in any order, with the times of their last changes. The state and the
/// results of other runs of nubbin are left out.
fn dated(folder: &Path) -> io::Result<Vec<(SystemTime, PathBuf)>> {
    let mut found: Vec<(SystemTime, PathBuf)> = vec![];
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() && entry.file_name() != FOLDER {
                folders.push(entry.path());
            } else if kind.is_file() && !is_result(&entry.path()) {
                let changed = entry.metadata()?.modified()?;
                found.push((changed, entry.path()));
            }
        }
    }
    Ok(found)
}
