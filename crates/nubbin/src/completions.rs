//! `nubbin completions`: scripts for shells, from the definitions of the command line.

use crate::exit::Exit;
use crate::flags::{CommandLine, Shell};
use crate::print::print;
use crate::problem::Problem;
use clap::CommandFactory;
use clap_complete::{generate, shells};
use clap_complete_nushell::Nushell;

pub(crate) fn run(shell: Shell) -> Result<Exit, Problem> {
    let mut all = CommandLine::command();
    let mut script = Vec::new();
    match shell {
        Shell::Bash => generate(shells::Bash, &mut all, "nubbin", &mut script),
        Shell::Elvish => generate(shells::Elvish, &mut all, "nubbin", &mut script),
        Shell::Fish => generate(shells::Fish, &mut all, "nubbin", &mut script),
        Shell::Nushell => generate(Nushell, &mut all, "nubbin", &mut script),
        Shell::Powershell => generate(shells::PowerShell, &mut all, "nubbin", &mut script),
        Shell::Zsh => generate(shells::Zsh, &mut all, "nubbin", &mut script),
    }
    print(&String::from_utf8_lossy(&script))
}
