//! Flags for the sandbox of tests, generators, and proposers.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Clone, Debug, Default, Args)]
pub struct SandboxFlags {
    /// Run programs in a sandbox, where they write only to folders of their own and use no TCP
    ///
    /// The programs are the test, generators, and proposers. The sandbox needs Linux. It does not
    /// cover access rights and times of files, UDP, and Unix sockets with a path.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub sandbox: SandboxMode,

    /// Let programs in the sandbox write to this file, or to everything in this folder
    #[arg(long, value_name = "PATH")]
    pub writable: Vec<PathBuf>,

    /// Let programs in the sandbox use TCP
    #[arg(long)]
    pub network: bool,
}

/// Whether programs run in a sandbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SandboxMode {
    /// In a sandbox if this system has one; what the original needs is permitted, and told
    #[default]
    Auto,
    /// In a sandbox with the permissions of flags, or not at all
    On,
    /// Without a sandbox
    Off,
}
