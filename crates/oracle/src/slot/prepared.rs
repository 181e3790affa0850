use crate::command::TestCommand;
use crate::output::Keep;
use crate::process::Command;

/// A command with all settings that are the same for every test of the slot.
#[derive(Debug)]
pub(super) struct PreparedCommand {
    pub(super) test: TestCommand,
    pub(super) has_stdin: bool,
    pub(super) is_through_shell: bool,
    pub(super) command: Command,
    pub(super) keep: Keep,
}
