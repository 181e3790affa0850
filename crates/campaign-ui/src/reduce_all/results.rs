//! The folder of the results: the smallest test of each failure, and lists of failures and files.

use super::data::{Failure, Failures};
use super::json_lines::lines;
use super::names::{FAILURES, FILES, OTHER};
use super::outcomes::Ran;
use crate::anchor::Anchor;
use crate::exit::Exit;
use crate::output::{Access, OwnFile};
use crate::problem::Problem;
use nubbin_campaign::Reduction;
use serde_json::json;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The access rights of results, which are made of private files.
const MODE: u32 = 0o600;

/// The folder of the results.
pub(super) struct Results {
    folder: PathBuf,
    /// The folder as the user sees it.
    shown: PathBuf,
    /// The folder as it is when the run begins.
    _anchor: Anchor,
    /// The state in which each failure was written: its reduction, and the bytes of its test.
    written: HashMap<i64, (Reduction, usize)>,
    /// The lists as they were written.
    lists: HashMap<PathBuf, String>,
}

impl Results {
    pub(super) fn new(folder: &Path, here: &Path) -> Self {
        let anchor = Anchor::at(folder);
        anchor.open();
        Results {
            folder: folder.to_owned(),
            shown: folder.strip_prefix(here).unwrap_or(folder).to_owned(),
            _anchor: anchor,
            written: HashMap::new(),
            lists: HashMap::new(),
        }
    }

    /// Writes the smallest test of each failure, and the lists, where something has changed.
    pub(super) fn write(&mut self, failures: &Failures, ran: &[Ran]) -> Result<(), Problem> {
        if !failures.other.is_empty() {
            self.make_other()?;
        }
        for failure in failures.all() {
            let state = (failure.issue.reduction, failure.bytes);
            if self.written.get(&failure.issue.id) != Some(&state) {
                put(&self.path(failure), failure.issue.smallest())?;
                self.forget_other(failure)?;
                self.written.insert(failure.issue.id, state);
            }
        }
        self.list(FAILURES.as_ref(), &lines(&failures.of_files))?;
        let other = Path::new(OTHER).join(FAILURES);
        if !failures.other.is_empty() || self.folder.join(&other).exists() {
            self.list(&other, &lines(&failures.other))?;
        }
        self.list(FILES.as_ref(), &lines(&files(&failures.of_files, ran)))
    }

    /// Makes the folder of the failures that no file shows.
    fn make_other(&self) -> Result<(), Problem> {
        let folder = self.folder.join(OTHER);
        Access::OWNER.make_dirs(&folder).map_err(|error| {
            let what = format!("cannot write to `{}`", folder.display());
            Problem::new(Exit::Output, what).because(&error)
        })
    }

    fn list(&mut self, name: &Path, lines: &str) -> Result<(), Problem> {
        if self.lists.get(name).is_none_or(|listed| listed != lines) {
            put(&self.folder.join(name), lines.as_bytes())?;
            self.lists.insert(name.to_owned(), lines.to_owned());
        }
        Ok(())
    }

    /// Removes the test of a failure that no file showed until now.
    fn forget_other(&self, failure: &Failure) -> Result<(), Problem> {
        let path = self.folder.join(OTHER).join(&failure.file);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                let what = format!("cannot remove `{}`", path.display());
                Err(Problem::new(Exit::Output, what).because(&error))
            }
            _ => Ok(()),
        }
    }

    /// Returns the path of the smallest test of a failure.
    fn path(&self, failure: &Failure) -> PathBuf {
        self.folder.join(&failure.file)
    }

    /// Returns the path of the smallest test of a failure, relative to the user's current folder.
    pub(super) fn shown_path(&self, failure: &Failure) -> PathBuf {
        self.shown.join(&failure.file)
    }
}

/// Returns the files that were run, with the results of their failures.
pub(super) fn files(failures: &[Failure], ran: &[Ran]) -> Vec<serde_json::Value> {
    let shown = failures.iter().flat_map(|failure| {
        let files = failure.files.iter();
        files.map(|name| (&**name, &failure.file))
    });
    let shown: HashMap<&str, &String> = shown.collect();
    let files = ran.iter().map(|ran| {
        json!({
            "file": ran.file,
            "outcome": ran.outcome,
            "exit": ran.exit,
            "failure": shown.get(&*ran.file),
        })
    });
    files.collect()
}

pub(super) fn put(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    let written = OwnFile::claim(path, Some(MODE), false)?.write(bytes);
    written.map_err(|error| {
        let what = format!("cannot write `{}`", path.display());
        Problem::new(Exit::Output, what).because(&error)
    })
}
