//! The commands.

use super::exit_codes::EXIT_CODES;
use super::{
    CampaignCommand, CaptureFlags, CatalogueFlags, CompareFlags, EngineCommand, ExplainFlags,
    FuzzFlags, GenerateCommand, GrammarCommand, GraphCommand, IsolateFlags, ManFlags,
    ReduceAllFlags, ReduceFlags, ReportFlags, ShootoutFlags, capture, explain, fuzz, isolate,
    reduce, reduce_all,
};
use clap::{Parser, Subcommand};

/// Finds the nub of a failing input: the smallest file that still fails.
#[derive(Debug, Parser)]
#[command(name = "nubbin", version, max_term_width = 100)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Command {
    /// Returns whether nothing but errors is to be printed.
    pub(crate) fn is_quiet(&self) -> bool {
        match self {
            Command::Reduce(flags) => flags.output_flags.quiet,
            Command::ReduceAll(flags) => flags.quiet,
            Command::Isolate(flags) => flags.output_flags.quiet,
            Command::Explain(flags) => flags.quiet,
            Command::Fuzz(flags) => flags.quiet,
            Command::Campaign(CampaignCommand::Run(flags)) => flags.quiet,
            _ => false,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a failing input as small as possible
    #[command(
        after_help = EXIT_CODES,
        after_long_help = format!("{}\n\n{EXIT_CODES}", reduce::EXAMPLES)
    )]
    Reduce(Box<ReduceFlags>),
    /// Reduce all failing files of a folder, one for each failure that they show
    #[command(
        after_help = EXIT_CODES,
        after_long_help = format!("{}\n\n{EXIT_CODES}", reduce_all::EXAMPLES)
    )]
    ReduceAll(Box<ReduceAllFlags>),
    /// Copy the files that a failing command reads to a folder, with a draft of the test
    #[command(
        after_help = EXIT_CODES,
        after_long_help = format!("{}\n\n{EXIT_CODES}", capture::EXAMPLES)
    )]
    Capture(Box<CaptureFlags>),
    /// Find a small difference between an input that passes and one that fails
    #[command(
        after_help = EXIT_CODES,
        after_long_help = format!("{}\n\n{EXIT_CODES}", isolate::EXAMPLES)
    )]
    Isolate(Box<IsolateFlags>),
    /// Find the parts of a failing input that matter
    #[command(
        after_help = EXIT_CODES,
        after_long_help = format!("{}\n\n{EXIT_CODES}", explain::EXAMPLES)
    )]
    Explain(Box<ExplainFlags>),
    /// List the list minimizers and tree reducers, each with its source
    Algorithms(CatalogueFlags),
    /// List the passes, each with its source
    Passes(CatalogueFlags),
    /// Show how texts derive from a grammar, check grammars, and convert them
    #[command(subcommand)]
    Grammar(GrammarCommand),
    /// Make inputs
    #[command(subcommand)]
    Generate(GenerateCommand),
    /// Fuzz a JavaScript engine: run expressions of its graph, reduce what crashes it, and report
    #[command(after_help = fuzz::HELP)]
    Fuzz(Box<FuzzFlags>),
    /// Fuzz, tell failures apart, validate, reduce, and report, unattended
    #[command(subcommand)]
    Campaign(CampaignCommand),
    /// Make, join, and show prototype graphs of JavaScript engines
    #[command(subcommand)]
    Graph(GraphCommand),
    /// List the JavaScript engines that can be explored
    #[command(subcommand)]
    Engine(EngineCommand),
    /// Make a page of a run: its size over time, its passes, and when each part was removed
    Report(ReportFlags),
    /// Make a page of two runs side by side
    Compare(CompareFlags),
    /// Compare all algorithms, on inputs made from grammars or on real failures
    Shootout(ShootoutFlags),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of nubbin or of one of its commands, or write all pages
    Man(ManFlags),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        CommandLine::command().debug_assert();
    }
}
