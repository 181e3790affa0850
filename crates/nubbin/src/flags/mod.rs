//! The command line as data: one file of flags per command, over groups that commands share.
//!
//! Nothing here has side effects, and nothing here uses another module of this crate.

mod campaign;
mod capture;
mod catalogue;
mod choices;
mod cmin;
mod command;
pub(crate) mod duration;
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
pub(crate) mod size;
#[cfg(all(test, unix))]
mod snapshots;
mod target_size;
mod test;
mod trees;
mod walk;

pub(crate) use campaign::{
    ActFlags, CampaignCommand, ExportFlags, FolderFlags, ImportFlags, IssueListFlags, IssuesFlags,
    MergeCampaignFlags, NewCampaignFlags, NoteFlags, RunCampaignFlags, ServeFlags, ShowIssueFlags,
    StatusFlags,
};
pub(crate) use capture::CaptureFlags;
#[cfg(unix)]
pub(crate) use capture::Means;
pub(crate) use catalogue::CatalogueFlags;
pub(crate) use choices::ChoicesFlags;
pub(crate) use cmin::{CminFlags, CoverageSource};
pub(crate) use command::{Command, CommandLine};
pub(crate) use engine::{EngineCommand, EngineFlags, ShellFlags};
pub(crate) use exit_codes::EXIT_CODES;
pub(crate) use explain::{ExplainFlags, ReplacementFlags};
pub(crate) use fuzz::FuzzFlags;
pub(crate) use generate::{
    ENDLESS, Expansion, GenerateChoicesFlags, GenerateCommand, GenerateGrammarFlags,
    GenerateGraphFlags, GenerateMutateFlags, GeneratePopulationFlags, GenerateRandomFlags,
    MutationFlags, TextsFlags,
};
pub(crate) use generator::{GeneratorFlags, Protocol};
pub(crate) use grammar::{
    CheckFlags, ConvertFlags, GrammarCommand, GrammarFlags, ListFlags, NotationFlags, ParseFlags,
    ParserFlags, TreeFormat,
};
pub(crate) use graph::{
    CheckGraphFlags, ExploreFlags, GraphCommand, GraphFormat, GraphOutputFlags, LearnFlags,
    MergeFlags, ShowFlags,
};
pub(crate) use isolate::{IsolateFlags, IsolateSearchFlags};
pub(crate) use jobs::Jobs;
pub(crate) use man::ManFlags;
pub(crate) use output::{OutputFlags, ProgressMode};
pub(crate) use predicate::PredicateValue;
pub(crate) use proposer::ProposerFlags;
pub(crate) use reduce::ReduceFlags;
pub(crate) use reduce_all::ReduceAllFlags;
pub(crate) use remote::RemoteFlags;
pub(crate) use report::{CompareFlags, ReportFlags};
pub(crate) use sandbox::{SandboxFlags, SandboxMode};
pub(crate) use search::{Atom, FlakyMode, OrderBy, SearchFlags};
pub(crate) use shell::Shell;
pub(crate) use shootout::ShootoutFlags;
pub(crate) use short_help::is_for_farms;
pub(crate) use target_size::TargetSize;
pub(crate) use test::{CoverageMode, FailureFlags, LimitFlags, PROCESSES, PersistentMode};
pub(crate) use test::{TestFlags, TestRunFlags};
pub(crate) use trees::TreeFlags;
pub(crate) use walk::{StartAt, WalkFlags};
