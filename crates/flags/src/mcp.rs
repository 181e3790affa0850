//! Flags of `nubbin mcp`.

use super::SandboxMode;
use clap::Args;
use std::path::PathBuf;

pub(super) const HELP: &str = "\
A client of the protocol starts this command and speaks to it over standard input and output. Its
configuration names the program and the argument `mcp`:

  { \"mcpServers\": { \"nubbin\": { \"command\": \"nubbin\", \"args\": [\"mcp\"] } } }

The server stops all jobs and ends when standard input closes.";

#[derive(Debug, Args)]
pub struct McpFlags {
    /// Accept only paths in this folder or below it; can be repeated [default: the roots that the
    /// client names, else the current folder]
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,

    /// Run the tests of all tools except `capture` in a sandbox
    ///
    /// With `auto`, a test gets the permissions that its first run needs. Only a person should
    /// grant these permissions.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "on")]
    pub sandbox: SandboxMode,
}
