//! The commands.

use super::{
    CampaignCommand, CaptureFlags, CatalogueFlags, CminFlags, CompareFlags, EngineCommand,
    ExplainFlags, FuzzFlags, GenerateCommand, GrammarCommand, GraphCommand, IsolateFlags, ManFlags,
    McpFlags, ReduceAllFlags, ReduceFlags, ReportFlags, Shell, ShootoutFlags, capture, cmin,
    explain, fuzz, isolate, mcp, output, overview, reduce, reduce_all, short_help,
};
use clap::{Parser, Subcommand};

/// The end of a short help.
const MORE: &str = "\
`--help` lists all flags by purpose, `nubbin help exit-codes` all exit codes.";

const EXIT_CODES: &str = "`nubbin help exit-codes` lists the exit codes.";

/// Finds the nub of a failing input: the smallest file that still fails.
#[derive(Debug, Parser)]
#[command(
    name = "nubbin",
    version,
    max_term_width = 100,
    help_template = overview::template(&Command::augment_subcommands(clap::Command::new("nubbin")))
)]
pub struct CommandLine {
    #[command(subcommand)]
    pub command: Command,
}

impl Command {
    /// Returns whether the command prints only errors.
    pub fn is_quiet(&self) -> bool {
        match self {
            Command::Reduce(flags) => flags.output_flags.quiet,
            Command::ReduceAll(flags) => flags.quiet,
            Command::Cmin(flags) => flags.quiet,
            Command::Isolate(flags) => flags.output_flags.quiet,
            Command::Explain(flags) => flags.quiet,
            Command::Fuzz(flags) => flags.quiet,
            Command::Campaign(CampaignCommand::Run(flags)) => flags.quiet,
            _ => false,
        }
    }
}

impl Command {
    /// Applies the flags that `--json` implies. Returns whether the output, or the error, must be
    /// JSON.
    pub fn settle(&mut self) -> bool {
        match self {
            Command::Reduce(flags) => flags.output_flags.settle(),
            Command::Isolate(flags) => flags.output_flags.settle(),
            Command::Explain(flags) => flags.json,
            Command::Capture(flags) => flags.json,
            Command::Cmin(flags) => flags.json,
            Command::ReduceAll(flags) => flags.json,
            Command::Algorithms(flags) | Command::Passes(flags) => flags.json,
            Command::Engine(EngineCommand::List(flags)) => flags.json,
            Command::Grammar(GrammarCommand::List(flags)) => flags.json,
            Command::Grammar(GrammarCommand::Check(flags)) => flags.json,
            Command::Campaign(CampaignCommand::Status(flags)) => flags.json,
            Command::Campaign(CampaignCommand::Issues(flags)) => flags.json,
            Command::Campaign(CampaignCommand::Show(flags)) => flags.json,
            Command::Fuzz(flags) => output::settle(flags.json, &mut flags.stats, &mut flags.quiet),
            Command::Generate(GenerateCommand::Population(flags)) => {
                output::settle(flags.json, &mut flags.stats, &mut flags.quiet)
            }
            _ => false,
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make a failing input as small as possible
    #[command(
        after_help = MORE,
        after_long_help = format!("{}\n\n{EXIT_CODES}", reduce::EXAMPLES),
        mut_args = short_help::only(&short_help::REDUCE)
    )]
    Reduce(Box<ReduceFlags>),
    /// Reduce one file per failure in a folder of failing files
    #[command(
        after_help = MORE,
        after_long_help = format!("{}\n\n{EXIT_CODES}", reduce_all::EXAMPLES),
        mut_args = short_help::only(&short_help::REDUCE_ALL)
    )]
    ReduceAll(Box<ReduceAllFlags>),
    /// Minimize a corpus: keep the smallest inputs with its coverage
    #[command(after_long_help = cmin::EXAMPLES)]
    Cmin(Box<CminFlags>),
    /// Copy the files that a failing command reads, and draft a test
    #[command(
        after_help = EXIT_CODES,
        after_long_help = format!("{}\n\n{EXIT_CODES}", capture::EXAMPLES)
    )]
    Capture(Box<CaptureFlags>),
    /// Find a minimal difference between a passing and a failing input
    #[command(
        after_help = MORE,
        after_long_help = format!("{}\n\n{EXIT_CODES}", isolate::EXAMPLES),
        mut_args = short_help::only(&short_help::ISOLATE)
    )]
    Isolate(Box<IsolateFlags>),
    /// Show which parts of a failing input the failure needs
    #[command(
        after_help = MORE,
        after_long_help = format!("{}\n\n{EXIT_CODES}", explain::EXAMPLES),
        mut_args = short_help::only(&short_help::EXPLAIN)
    )]
    Explain(Box<ExplainFlags>),
    /// List the algorithms and their sources
    Algorithms(CatalogueFlags),
    /// List the passes and their sources
    Passes(CatalogueFlags),
    /// Parse files with a grammar; check and convert grammars
    #[command(subcommand)]
    Grammar(GrammarCommand),
    /// Generate test inputs
    #[command(subcommand)]
    Generate(GenerateCommand),
    /// Fuzz a JavaScript or Python engine, and reduce each crash
    #[command(after_help = fuzz::HELP)]
    Fuzz(Box<FuzzFlags>),
    /// Fuzz unattended: find, group, validate, and reduce failures
    #[command(subcommand)]
    Campaign(CampaignCommand),
    /// Create, merge, and show prototype graphs of engines
    #[command(subcommand)]
    Graph(GraphCommand),
    /// List the supported JavaScript and Python engines
    #[command(subcommand)]
    Engine(EngineCommand),
    /// Create an HTML page about a run: size over time, and passes
    Report(ReportFlags),
    /// Create an HTML page that compares several runs
    Compare(CompareFlags),
    /// Compare algorithms on generated inputs or real failures
    Shootout(ShootoutFlags),
    /// Print a completion script for a shell
    Completions {
        /// The shell for which to print the script
        shell: Shell,
    },
    /// Serve coding agents over the Model Context Protocol
    #[command(after_help = mcp::HELP)]
    Mcp(McpFlags),
    /// Print a manual page, or write all manual pages to a folder
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
