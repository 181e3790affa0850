//! Tests in a fork server, which keeps the folder of a slot.

use super::served_program::Served;
use super::{ServeError, Slot, Task};
use crate::forkserver::{Server, Setup};
use crate::limits::Guard;
use crate::output;
use crate::over::wait_if_over;
use crate::run::Run;
use crate::run_error::{RunError, ServerError};
use crate::sandbox::Cage;
use crate::start;
use std::time::Instant;

/// The number of servers that are started for one test before it counts as one without an outcome.
const SERVERS_PER_TEST: usize = 3;

impl Slot {
    /// Runs a test in the fork server of the program, which is started if it does not run.
    ///
    /// A server that ends during a test is started again, and the test is run again.
    pub(crate) fn serve(
        &mut self,
        task: Task<'_>,
        setup: Setup,
        is_new: bool,
    ) -> Result<Run, ServeError> {
        if !self.prepare(task)? {
            return Ok(Run::cancelled());
        }
        for _ in 0..SERVERS_PER_TEST {
            self.require_server(task, setup)?;
            let Some(mut served) = self.server.take() else {
                continue;
            };
            if is_new {
                served.server.renew();
            }
            let outcome = self.ask(&mut served.server, task);
            let is_out_of_step = served.server.is_out_of_step();
            // The server may have been ended because the run is over.
            wait_if_over();
            match &outcome {
                Some((_, goes_on)) if *goes_on => {
                    self.server = Some(served);
                    self.leftovers.end_served();
                }
                _ => {
                    drop(served);
                    self.leftovers.end(self.group);
                }
            }
            if let Some((run, _)) = outcome {
                return Ok(self.tidied(task, run?)?);
            }
            if task.cancel.is_cancelled() {
                self.folder.tidy();
                return Ok(Run::cancelled());
            }
            if is_out_of_step {
                self.folder.tidy();
                return Err(ServeError::Server(ServerError::OutOfStep));
            }
        }
        self.folder.tidy();
        Err(ServeError::Server(ServerError::Lost))
    }

    /// Starts the fork server, unless it runs.
    fn require_server(&mut self, task: Task<'_>, setup: Setup) -> Result<(), ServeError> {
        let folder = identity(self.folder.work());
        let fits = |served: &Served| {
            served.server.is(setup)
                && served.test == *task.test
                && served.keep == task.keep
                && served.folder == folder
        };
        if self.server.as_ref().is_some_and(fits) {
            return Ok(());
        }
        if self.server.take().is_some() {
            self.leftovers.end(self.group);
        }
        self.rewind(task)?;
        self.confine()?;
        let mut command = self.command(task.test, false)?;
        let stdout = output::file(&mut self.stdout, task.keep.stdout, &self.folder)?;
        let stderr = output::file(&mut self.stderr, task.keep.stderr, &self.folder)?;
        command.stdout(stdout).stderr(stderr);
        let outputs = self.kept(task.keep);
        // The server exchanges tests and coverage through System V shared memory.
        let cage = self.cage.as_ref().map(Cage::sharing_memory).transpose();
        let cage = cage.map_err(|source| start::lost(task.test, source))?;
        let (cage, folder_of_slot) = (cage.as_ref(), &self.folder);
        let started = Server::start(command, cage, setup, outputs, folder_of_slot, task.cancel);
        wait_if_over();
        match started {
            Ok(server) => {
                server.limit_files(task.limits.file_size);
                self.group = server.group();
                self.server = Some(Served {
                    server,
                    test: task.test.clone(),
                    keep: task.keep,
                    folder,
                });
                Ok(())
            }
            Err(error) => {
                // Processes that the program has started in other groups are ended as well.
                self.leftovers.end_served();
                self.folder.tidy();
                Err(error.into())
            }
        }
    }

    /// Runs a test in a server, and returns whether the server can run another one. `None` means
    /// that the test has no outcome.
    fn ask(&self, server: &mut Server, task: Task<'_>) -> Option<(Result<Run, RunError>, bool)> {
        let text = task
            .candidate
            .files()
            .first()
            .map_or(&[][..], |file| file.bytes);
        let outputs = self.kept(task.keep);
        let begin = Instant::now();
        let (answer, watch) = server.test(text, task.cancel, begin, |leader| {
            let (folder, leftovers) = (&self.folder, &self.leftovers);
            let guard = Guard::new(task.limits, outputs, folder, leftovers, leader, begin);
            guard.until(self.until.as_deref())
        })?;
        let goes_on = answer.goes_on;
        let is_matched = watch.is_matched();
        let run = || {
            let lost = |source| start::lost(task.test, source);
            let cut_short = watch.cut_short(answer.waited, answer.exit, task.cancel);
            let cut_short = cut_short.map_err(lost)?;
            let mut read = self.take_outputs(task)?;
            for (read, before) in read.iter_mut().zip(server.before()) {
                if let Some(read) = read.as_mut().filter(|_| !before.is_empty()) {
                    read.splice(0..0, before.iter().copied());
                }
            }
            let [stdout, stderr] = read;
            Ok(Run {
                exit: answer.exit,
                cut_short,
                has_stopped: answer.has_stopped,
                is_matched,
                stdout,
                stderr,
                written: Vec::new(),
                elapsed: answer.elapsed,
                // The server has waited for the process, so its processor time is unknown.
                cpu: None,
                inputs: Vec::new(),
                coverage: answer.coverage,
                is_in_loop: answer.is_used,
                stack: None,
                taken: answer.taken,
            })
        };
        Some((run(), goes_on))
    }
}

/// Returns the device and number of a folder; `None` on systems other than Unix.
fn identity(folder: &std::path::Path) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let meta = std::fs::metadata(folder).ok()?;
        Some((meta.dev(), meta.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        None
    }
}
