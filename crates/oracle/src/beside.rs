//! Runs in folders that no test uses.

use crate::extra::Extra;
use crate::folder::{Folder, Surroundings};
use crate::oracle::CommandOracle;
use crate::output::Keep;
use crate::remove::remove_any;
use crate::root::BESIDE;
use crate::run::Run;
use crate::run_error::RunError;
use crate::slot::{Slot, Task};
use nubbin_verdict::{Cancel, Candidate};
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl CommandOracle {
    /// Runs the command once like [`CommandOracle::observe_with`], with more files next to the
    /// candidate.
    pub(crate) fn observe_beside(
        &self,
        neighbors: Vec<Extra>,
        candidate: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        let (dir, mut slot) = self.slot_beside(neighbors);
        slot.set_sandbox(self.sandbox());
        self.observe_once(&dir, slot, candidate, cancel)
    }

    /// Runs the command once in a folder of the user, on the original in that folder. Returns
    /// `None` if the tests have no sandbox, or if the original is not in the folder.
    ///
    /// The run is in the sandbox of the tests, but may not write to the folder, to a part of it, or
    /// to a folder that it is in. So the run only writes to its own `TMPDIR`, and to other folders
    /// that the user permits.
    pub(crate) fn observe_in(
        &self,
        user_dir: &Path,
        original: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<Option<Run>, RunError> {
        let (Some(sandbox), Ok(user_dir)) = (self.sandbox(), user_dir.canonicalize()) else {
            return Ok(None);
        };
        if !user_dir.join(&self.place).exists() {
            return Ok(None);
        }
        let (dir, mut slot) = self.slot_beside(Vec::new());
        slot.set_sandbox(Some(Arc::new(sandbox.without(&user_dir))));
        slot.set_home(user_dir);
        self.observe_once(&dir, slot, original, cancel).map(Some)
    }

    /// Creates a slot apart from the slots of the tests, with more files next to the candidate.
    fn slot_beside(&self, neighbors: Vec<Extra>) -> (PathBuf, Slot) {
        let dir = self.root.path().join(BESIDE);
        let ours = &self.surroundings;
        let surroundings = Surroundings {
            names: ours.names.clone(),
            folders: ours.folders.clone(),
            extras: ours.extras.iter().cloned().chain(neighbors).collect(),
            modes: ours.modes.clone(),
        };
        let folder = Folder::new(&dir, Arc::clone(&self.around), Arc::new(surroundings));
        let slot = Slot::new(
            folder,
            self.place.clone(),
            format!("{}.beside;", self.root.id()),
            Arc::clone(&self.environment),
            self.owns_children,
        );
        (dir, slot)
    }

    /// Runs the command in a slot that is used once.
    fn observe_once(
        &self,
        dir: &Path,
        mut slot: Slot,
        candidate: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        let task = Task {
            test: &self.command,
            build: self.build.as_ref(),
            has_stdin: self.has_stdin,
            candidate,
            cancel,
            limits: self.limits,
            keep: Keep::BOTH,
        };
        let run = self.run_task(task, &mut slot);
        drop(slot);
        // Copies are removed at once, since there may be many. Removing the root later removes the
        // rest.
        let _ = remove_any(dir);
        run
    }
}
