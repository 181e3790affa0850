//! The shells for which there are completions.

use clap::ValueEnum;

/// A shell of `nubbin completions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    Bash,
    Elvish,
    Fish,
    Nushell,
    Powershell,
    Zsh,
}
