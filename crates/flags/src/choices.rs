//! Flags for the choices of a generator, in place of an input.

use super::GeneratorFlags;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct ChoicesFlags {
    /// Reduce these recorded choices, and test the input that the generator creates from them
    #[arg(long, value_name = "FILE", conflicts_with = "inputs")]
    pub choices: Option<PathBuf>,

    /// Turn choices into an input with this generator, a shell command
    ///
    /// Choices from `nubbin generate grammar --record` need the flag `--grammar` with the same
    /// grammar, and no generator.
    #[arg(
        long,
        value_name = "COMMAND",
        requires = "choices",
        conflicts_with = "grammar"
    )]
    pub generator: Option<String>,

    /// Turn choices into an expression of this prototype graph (`nubbin generate graph --record`)
    #[arg(
        long,
        value_name = "GRAPH",
        requires = "choices",
        conflicts_with_all = ["grammar", "generator"]
    )]
    pub graph: Option<PathBuf>,

    #[command(flatten)]
    pub external: GeneratorFlags,

    /// Set the file name of the input for the test [default: NAME.txt for the file NAME of choices]
    #[arg(long, value_name = "NAME", requires = "choices")]
    pub name: Option<PathBuf>,
}
