//! The commands of a slot, made once for all tests with the same settings.

use super::Slot;
use super::prepared::PreparedCommand;
use crate::command::TestCommand;
use crate::output::{self, Keep};
use crate::process::{self, Command, MARK};
use crate::run_error::RunError;

/// The number of prepared commands that are kept.
const MOST_READY: usize = 8;

impl Slot {
    /// Returns the index of the prepared command, with its outputs set as `keep` says.
    pub(super) fn ready(
        &mut self,
        test: &TestCommand,
        has_stdin: bool,
        keep: Keep,
    ) -> Result<usize, RunError> {
        let same = |ready: &PreparedCommand| ready.test == *test && ready.has_stdin == has_stdin;
        let at = match self.ready.iter().position(same) {
            Some(at) => at,
            None => {
                // Each candidate may have its own arguments.
                if self.ready.len() >= MOST_READY {
                    self.ready.remove(0);
                }
                self.ready.push(PreparedCommand {
                    test: test.clone(),
                    has_stdin,
                    is_through_shell: false,
                    command: self.command(test, false)?,
                    keep: Keep::default(),
                });
                self.ready.len() - 1
            }
        };
        if self.ready[at].keep != keep {
            let stdout = output::file(&mut self.stdout, keep.stdout, &self.folder)?;
            let stderr = output::file(&mut self.stderr, keep.stderr, &self.folder)?;
            let ready = &mut self.ready[at];
            ready.command.stdout(stdout).stderr(stderr);
            ready.keep = keep;
        }
        Ok(at)
    }

    pub(super) fn command(
        &self,
        test: &TestCommand,
        through_shell: bool,
    ) -> Result<Command, RunError> {
        let candidate = self.place();
        let program = test.program_for(&candidate);
        let mut command = if through_shell {
            let mut command = Command::new("sh");
            command.arg(program);
            command
        } else {
            Command::new(program)
        };
        command.args(test.args_for(&candidate));
        self.surround(&mut command);
        for name in test.removed_variables() {
            command.env_remove(name);
        }
        for (name, value) in test.changed_variables() {
            command.env(name, value);
        }
        command
            .stdin(output::nothing()?)
            .stdout(output::nothing()?)
            .stderr(output::nothing()?);
        Ok(command)
    }

    /// Sets the folder and the environment of a command.
    fn surround(&self, command: &mut Command) {
        let (work, tmp) = (self.work(), self.folder.tmp());
        self.environment.clear(command);
        command
            .current_dir(work)
            .env("PWD", work)
            .env("TMPDIR", tmp)
            .env("NUBBIN", "1");
        if cfg!(windows) {
            command.env("TMP", tmp).env("TEMP", tmp);
        }
        self.environment.change(command);
        // The mark is set last, so that no change by the user removes it: it identifies the
        // processes of the test.
        command.env(MARK, process::mark_value(&self.mark));
    }
}
