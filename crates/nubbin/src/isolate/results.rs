//! The destinations of the two results.

use crate::files;
use crate::flags::IsolateFlags;
use crate::output::write;
use crate::problem::Problem;
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
    pub(super) fn new(args: &IsolateFlags) -> Self {
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

    pub(super) fn write(&self, isolated: &Isolated) -> Result<(), Problem> {
        for (path, input) in self.paths().zip([&isolated.passing, &isolated.failing]) {
            write::replace(path, input.bytes(), self.mode)
                .map_err(|error| write::cannot_write(path, &error))?;
        }
        Ok(())
    }
}
