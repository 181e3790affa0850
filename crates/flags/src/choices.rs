//! Flags for the choices of a generator, in the place of an input.

use super::GeneratorFlags;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct ChoicesFlags {
    /// Reduce these recorded choices, and test the text that the generator makes of them
    #[arg(long, value_name = "FILE", conflicts_with = "inputs")]
    pub choices: Option<PathBuf>,

    /// Run this generator, a line for the shell, to turn choices into a text
    ///
    /// Choices that were made with a grammar (`nubbin generate grammar --record`) need that
    /// grammar, as `--grammar`, and no generator.
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

    /// Name the text for the test [default: NAME.txt after the file with the choices]
    #[arg(long, value_name = "NAME", requires = "choices")]
    pub name: Option<PathBuf>,
}
