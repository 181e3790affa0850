//! Flags for the sandbox of tests, generators, and proposers.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Clone, Debug, Default, Args)]
pub struct SandboxFlags {
    /// Run programs in a sandbox, which limits writes to private folders and blocks TCP
    ///
    /// The programs are the test, generators, and proposers. The sandbox needs Linux. It does not
    /// restrict access rights and times of files, UDP, and Unix sockets with a path.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub sandbox: SandboxMode,

    /// Let programs in the sandbox write to this file, or to everything in this folder
    #[arg(long, value_name = "PATH")]
    pub writable: Vec<PathBuf>,

    /// Let programs in the sandbox use TCP
    #[arg(long)]
    pub network: bool,
}

/// The use of a sandbox for programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SandboxMode {
    /// Use a sandbox if the system supports it; grant and report the permissions that the original
    /// needs
    #[default]
    Auto,
    /// Require a sandbox, with only the permissions that flags grant
    On,
    /// Use no sandbox
    Off,
}
