//! The failure of the first file of `nubbin reduce-all` in the user's current folder, compared with
//! the one in the folder of a test. A program that lacks a file fails for that reason with every
//! file.

use super::program::Built;
use super::setup::Setup;
use super::trial::samples;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::siblings::is_result;
use crate::signals::stopped;
use nubbin_campaign::Outcome;
use nubbin_oracle::{Comparison, RunError, Wanted};
use nubbin_reduce::engine::Stop;
use nubbin_session::own_folder::other_failure;
use nubbin_verdict::{Candidate, File};
use std::path::{Path, PathBuf};

/// The user's current folder.
#[derive(Debug)]
pub(super) struct OwnFolder {
    pub(super) path: PathBuf,
    /// Folders that do not count as neighbors of the files: the folders of the files and of the
    /// results.
    pub(super) apart: Vec<PathBuf>,
}

impl OwnFolder {
    /// Refuses a program that shows another failure in the user's folder than in a private folder.
    pub(super) fn refuse_other(&self, setup: &Setup, stop: &Stop) -> Result<(), Problem> {
        for (at, built) in setup.programs.iter().enumerate() {
            if !built.is_tried() || setup.is_there(built) {
                continue;
            }
            for (nth, path) in samples(setup, at)?.into_iter().enumerate() {
                // The generator itself reports a file that was removed or cannot be read.
                let Ok(bytes) = std::fs::read(&path) else {
                    continue;
                };
                if self.has_failed(built, &bytes, nth == 0, stop)? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Compares the failure of a file. Returns whether it fails.
    ///
    /// Most programs that lack a file end with an exit code that does not count as a failure, so
    /// the end of the first file is compared in any case.
    fn has_failed(
        &self,
        built: &Built,
        bytes: &[u8],
        is_first: bool,
        stop: &Stop,
    ) -> Result<bool, Problem> {
        let (program, token) = (&built.program, stop.token());
        let file = [File {
            name: program.file(),
            bytes,
        }];
        let candidate = Candidate::new(&file);
        let cannot = |error: RunError| {
            let what = format!("the program `{}` cannot be run", program.name());
            Problem::new(Exit::Test, what).because(&error)
        };
        let oracle = program.oracle();
        let private = oracle.observe_with(&candidate, 0, token).map_err(cannot)?;
        if stop.is_requested() {
            return Err(stopped());
        }
        let is_issue = matches!(program.rules().outcome(&private), Outcome::Issue(..));
        let may_lack = is_first && private.exit.code().is_some_and(|code| code != 0);
        if !is_issue && !may_lack {
            return Ok(false);
        }
        let is_apart = |path: &Path| {
            let real = path.canonicalize().ok();
            is_result(path) || real.is_some_and(|real| self.apart.contains(&real))
        };
        let place: (&Path, &dyn Fn(&Path) -> bool) = (&self.path, &is_apart);
        let wanted = Wanted::SameFailure;
        let compared = oracle.compare_with_own_folder(&candidate, &private, place, wanted, token);
        let compared = compared.map_err(cannot)?;
        if stop.is_requested() {
            return Err(stopped());
        }
        match compared {
            Comparison::Different(difference) if is_issue => {
                Err(other_failure(&difference, &self.path, false))
            }
            Comparison::Different(difference) if !difference.files.is_empty() => {
                let files = difference.files.iter();
                let names: Vec<String> =
                    files.map(|file| format!("`{}`", file.display())).collect();
                let what = format!("the program cannot find {}", names.join(", "));
                Err(other_failure(&difference, &self.path, false).saying(&what))
            }
            _ => Ok(is_issue),
        }
    }
}
