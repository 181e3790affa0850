//! The command line as data: one file of flags per command, over groups that commands share.
//!
//! Reading a command line has no side effects. This crate is a part of the program `nubbin`, and
//! changes with the program.

mod campaign;
mod capture;
mod catalogue;
mod choices;
mod cmin;
mod command;
pub mod duration;
mod engine;
mod exit_codes;
mod explain;
mod fuzz;
mod generate;
mod generator;
mod grammar;
mod graph;
mod isolate;
mod jobs;
mod man;
mod mcp;
mod other_tools;
mod other_words;
mod output;
mod overview;
mod predicate;
mod proposer;
mod reduce;
mod reduce_all;
mod remote;
mod report;
mod sandbox;
mod search;
mod shell;
mod shootout;
mod short_help;
pub mod size;
#[cfg(all(test, unix))]
mod snapshots;
mod target_size;
mod test;
mod trees;
mod walk;

pub use campaign::{
    ActFlags, BisectFlags, CampaignCommand, ExportFlags, FolderFlags, ImportFlags, IssueListFlags,
    IssuesFlags, JoinFlags, MergeCampaignFlags, NewCampaignFlags, NoteFlags, RunCampaignFlags,
    ServeFlags, ShowIssueFlags, StatusFlags,
};
pub use capture::CaptureFlags;
#[cfg(unix)]
pub use capture::Means;
pub use catalogue::CatalogueFlags;
pub use choices::ChoicesFlags;
pub use cmin::{CminFlags, CoverageSource};
pub use command::{Command, CommandLine};
pub use engine::{EngineCommand, EngineFlags, ShellFlags};
pub use exit_codes::EXIT_CODES;
pub use explain::{ExplainFlags, ReplacementFlags};
pub use fuzz::FuzzFlags;
pub use generate::{
    ENDLESS, Expansion, GenerateChoicesFlags, GenerateCommand, GenerateGrammarFlags,
    GenerateGraphFlags, GenerateLine, GenerateMutateFlags, GeneratePopulationFlags,
    GenerateRandomFlags, MutateLine, MutationFlags, TextsFlags,
};
pub use generator::{GeneratorFlags, Protocol};
pub use grammar::{
    CheckFlags, ConvertFlags, GrammarCommand, GrammarFlags, ListFlags, NotationFlags, ParseFlags,
    ParserFlags, TreeFormat,
};
pub use graph::{
    CheckGraphFlags, ExploreFlags, GraphCommand, GraphFormat, GraphOutputFlags, LearnFlags,
    MergeFlags, ShowFlags,
};
pub use isolate::{IsolateFlags, IsolateSearchFlags};
pub use jobs::Jobs;
pub use man::ManFlags;
pub use mcp::McpFlags;
pub use other_tools::{OTHER_TOOLS, OtherTool};
pub use other_words::{instead_of, instead_of_flag};
pub use output::{OutputFlags, ProgressMode};
pub use predicate::PredicateValue;
pub use proposer::ProposerFlags;
pub use reduce::ReduceFlags;
pub use reduce_all::ReduceAllFlags;
pub use remote::RemoteFlags;
pub use report::{CompareFlags, ReportFlags};
pub use sandbox::{SandboxFlags, SandboxMode};
pub use search::{Atom, FlakyMode, OrderBy, SearchFlags};
pub use shell::Shell;
pub use shootout::ShootoutFlags;
pub use short_help::is_for_farms;
pub use target_size::TargetSize;
pub use test::{CoverageMode, FailureFlags, LimitFlags, PROCESSES, PersistentMode};
pub use test::{TestFlags, TestRunFlags};
pub use trees::TreeFlags;
pub use walk::{StartAt, WalkFlags};
