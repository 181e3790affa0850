//! Compares the failure of the original in a private folder with its failure in the user's folder.

use super::missing::{extra, missing_neighbors};
use super::neighbors::neighbors_of;
use crate::extra::Extra;
use crate::oracle::CommandOracle;
use crate::run::{Exit, Run};
use crate::run_error::RunError;
use crate::sandbox::{Refusal, Wanted};
use crate::signature::Signature;
use nubbin_verdict::{Cancel, Candidate};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The result of a comparison of the original's failures in two folders.
#[derive(Debug)]
pub enum Comparison {
    /// The original fails in the same way, or a flaky test shows no settled difference.
    Same,
    /// There is nothing to compare with.
    Unknown,
    /// In the user's folder the original fails in another way, or does not fail.
    Different(Box<Difference>),
}

/// The runs of the original in both folders, and the files that explain their difference.
#[derive(Debug)]
pub struct Difference {
    /// The run in a private folder, as for every candidate.
    pub private: Run,
    /// The run next to copies of the input's neighbors, or in the user's folder itself.
    pub own: Run,
    /// The files and folders next to the input that the test does not find, relative to the user's
    /// folder.
    pub files: Vec<PathBuf>,
    /// Whether the original fails as in the user's folder if the test gets these files.
    pub is_enough: bool,
}

/// The number of further runs in each place that must agree before a difference is believed.
const REPEATS: usize = 3;
/// The largest number of runs by which missing files are found, and their time.
const RUNS: usize = 32;
const TIME: Duration = Duration::from_secs(30);

impl CommandOracle {
    /// Compares the run of the original in a private folder with a run in the user's folder
    /// `user_dir`.
    ///
    /// The second run gets copies of everything next to the original, except files for which
    /// `is_apart` holds. If there is too much to copy, the second run is in the folder itself,
    /// inside a sandbox in which it can only write to a TMPDIR of its own. Without a sandbox the
    /// second run is skipped, since a test that writes to its input would destroy the original. A
    /// run that the sandbox refused something is ignored.
    ///
    /// # Errors
    /// Returns [`RunError`] if the command cannot be run.
    pub fn compare_with_own_folder(
        &self,
        original: &Candidate<'_>,
        private: &Run,
        (user_dir, is_apart): (&Path, &dyn Fn(&Path) -> bool),
        wanted: Wanted,
        cancel: &Cancel,
    ) -> Result<Comparison, RunError> {
        // The test is run at its own path.
        let program = self.command().program().canonicalize().ok();
        let is_program = |path: &Path| program.is_some() && path.canonicalize().ok() == program;
        let place = Place {
            oracle: self,
            original,
            user_dir,
            wanted,
            cancel,
            begun: Instant::now(),
            neighbors: neighbors_of(self, user_dir, &|path| is_program(path) || is_apart(path))
                .ok(),
        };
        if place.neighbors.as_ref().is_some_and(Vec::is_empty) || private.cut_short.is_some() {
            return Ok(Comparison::Unknown);
        }
        let Some(own) = place.run()? else {
            return Ok(Comparison::Unknown);
        };
        if place.is_same(private, &own) || !place.is_settled(private, &own)? {
            return Ok(Comparison::Same);
        }
        let (files, is_enough) = place.missing(private, &own)?;
        if cancel.is_cancelled() {
            return Ok(Comparison::Unknown);
        }
        Ok(Comparison::Different(Box::new(Difference {
            private: private.clone(),
            own,
            files,
            is_enough,
        })))
    }
}

/// The user's current folder.
struct Place<'a> {
    oracle: &'a CommandOracle,
    original: &'a Candidate<'a>,
    user_dir: &'a Path,
    wanted: Wanted,
    cancel: &'a Cancel,
    begun: Instant,
    /// Everything next to the original; `None` if that is too much for copies.
    neighbors: Option<Vec<Extra>>,
}

impl Place<'_> {
    /// Runs the original in the user's folder. Returns `None` if the run shows nothing.
    fn run(&self) -> Result<Option<Run>, RunError> {
        let run = match &self.neighbors {
            Some(neighbors) => self.beside(neighbors.clone()),
            None => match self
                .oracle
                .observe_in(self.user_dir, self.original, self.cancel)?
            {
                Some(run) if Refusal::of_run(&run).is_empty() => Ok(run),
                _ => return Ok(None),
            },
        };
        match run {
            Ok(run) => Ok(Some(run).filter(|run| run.cut_short.is_none())),
            // A neighbor that cannot be copied does not end the diagnosis.
            Err(RunError::Folder(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn beside(&self, extras: Vec<Extra>) -> Result<Run, RunError> {
        self.oracle
            .observe_beside(extras, self.original, self.cancel)
    }

    /// Returns whether two runs of the original show the same failure.
    fn is_same(&self, one: &Run, other: &Run) -> bool {
        let fails = |run: &Run| self.oracle.judge_run(run).is_fail();
        match self.wanted {
            Wanted::SameFailure => match self.oracle.narrowed(one) {
                Ok(predicate) => predicate.judge(other).is_fail(),
                Err(_) => one.exit == other.exit && Signature::of(other).is_none(),
            },
            Wanted::Conditions if fails(one) != fails(other) || one.exit != other.exit => false,
            // A script reports the failure with this exit code.
            Wanted::Conditions if one.exit == Exit::Code(0) => true,
            Wanted::Conditions => match (Signature::of(one), Signature::of(other)) {
                (Some(one), Some(other)) => one.matches(&other),
                (one, other) => one.is_none() && other.is_none(),
            },
        }
    }

    /// Returns whether more runs in both folders show the same difference. A flaky test does not
    /// show it.
    fn is_settled(&self, private: &Run, own: &Run) -> Result<bool, RunError> {
        for _ in 0..REPEATS {
            let again = self.oracle.observe_with(self.original, 0, self.cancel)?;
            if self.cancel.is_cancelled() || !self.is_same(private, &again) {
                return Ok(false);
            }
            match self.run()? {
                Some(again) if self.is_same(own, &again) && !self.is_same(private, &again) => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Returns the files that the test lacks, and whether it fails with them as in the user's
    /// folder.
    fn missing(&self, private: &Run, own: &Run) -> Result<(Vec<PathBuf>, bool), RunError> {
        let mut files: Vec<PathBuf> = Vec::new();
        let mut last = private.clone();
        for _ in 0..RUNS {
            let found = missing_neighbors(self.oracle, &last, self.user_dir);
            let new = found.into_iter().filter(|file| {
                extra(self.user_dir, file).from().exists()
                    && !files.iter().any(|it| file.starts_with(it))
            });
            let new: Vec<PathBuf> = new.collect();
            if new.is_empty() || self.is_late() {
                break;
            }
            files.extend(new);
            last = self.beside(self.extras(&files))?;
            if self.is_same(own, &last) {
                return Ok((files, true));
            }
        }
        match &self.neighbors {
            Some(neighbors) if neighbors.len() <= RUNS => self.least(neighbors, own),
            _ => Ok((files, false)),
        }
    }

    fn extras(&self, files: &[PathBuf]) -> Vec<Extra> {
        let files = files.iter();
        files.map(|file| extra(self.user_dir, file)).collect()
    }

    fn is_late(&self) -> bool {
        self.begun.elapsed() > TIME || self.cancel.is_cancelled()
    }

    /// Returns the neighbors that make a difference. Each neighbor is tried by itself.
    fn least(&self, all: &[Extra], own: &Run) -> Result<(Vec<PathBuf>, bool), RunError> {
        let mut left: Vec<Extra> = all.to_vec();
        for extra in all {
            if self.is_late() {
                return Ok((Vec::new(), false));
            }
            let without = left.iter().filter(|it| *it != extra).cloned();
            let without: Vec<Extra> = without.collect();
            if self.is_same(own, &self.beside(without.clone())?) {
                left = without;
            }
        }
        let names = left.iter().map(|extra| extra.name().to_owned());
        Ok((names.collect(), true))
    }
}
