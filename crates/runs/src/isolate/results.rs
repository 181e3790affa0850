//! The destinations of the two results.

use crate::files;
use crate::output::{OwnFile, write};
use crate::problem::Problem;
use crate::settings::IsolateSettings;
use crate::state::{Lock, StateFolder};
use nubbin_reduce::isolate::Isolated;
use std::path::{Path, PathBuf};

/// The destinations of the two results.
pub(super) struct Results {
    pub(super) passing: PathBuf,
    pub(super) failing: PathBuf,
    /// The permissions of the failing input.
    mode: Option<u32>,
}

impl Results {
    pub(super) fn new(args: &IsolateSettings) -> Self {
        let path = |mark: &str| {
            let beside = files::beside(&args.failing, mark);
            match &args.output {
                Some(folder) => folder.join(beside.file_name().unwrap_or_default()),
                None => beside,
            }
        };
        Results {
            passing: path(".pass"),
            failing: path(".fail"),
            mode: write::mode(&args.failing),
        }
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        [self.passing.as_path(), self.failing.as_path()].into_iter()
    }

    /// Checks before the first test whether the results can be written.
    pub(super) fn probe(&self) -> Result<(), Problem> {
        self.paths()
            .try_for_each(|path| write::probe(path, self.mode))
    }

    /// Takes the results for this run. Refuses files that nubbin did not write, or that were
    /// modified afterwards, unless `force` allows replacing them.
    pub(super) fn claim(&self, force: bool) -> Result<Owned, Problem> {
        let mut owned = Owned {
            files: vec![],
            _locks: vec![],
        };
        for path in self.paths() {
            owned._locks.push(Lock::take(StateFolder::of(path))?);
            owned.files.push(OwnFile::claim(path, self.mode, force)?);
        }
        Ok(owned)
    }
}

/// The two results, which no other run writes to.
pub(super) struct Owned {
    files: Vec<OwnFile>,
    _locks: Vec<Lock>,
}

impl Owned {
    pub(super) fn write(&self, isolated: &Isolated) -> Result<(), Problem> {
        for (file, input) in self
            .files
            .iter()
            .zip([&isolated.passing, &isolated.failing])
        {
            file.write(input.bytes())
                .map_err(|error| write::cannot_write(file.path(), &error))?;
        }
        Ok(())
    }
}
