//! Flags of `nubbin campaign`.

use super::duration::duration;
use super::jobs::Jobs;
use super::remote::RemoteFlags;
use super::short_help;
use clap::{Args, Subcommand};
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Options of `nubbin campaign`.
#[derive(Debug, Subcommand)]
pub enum CampaignCommand {
    /// Create the folder of a campaign, with a `campaign.toml` to edit
    New(NewCampaignFlags),
    /// Check the files of a campaign, and run one test of each part
    Check(FolderFlags),
    /// Run a campaign: fuzz, group failures, validate, reduce, and report
    #[command(mut_args = short_help::on_farm)]
    Run(Box<RunCampaignFlags>),
    /// Show the numbers of tests and issues of a campaign
    Status(StatusFlags),
    /// List the issues of a campaign
    Issues(IssuesFlags),
    /// Show an issue
    Show(ShowIssueFlags),
    /// Run the tests of issues again
    Validate(ActFlags),
    /// Reduce the tests of issues
    Reduce(ActFlags),
    /// Find out which parts of the tests of issues may be anything of their kind
    Explain(ActFlags),
    /// Find the first revision that shows an issue, by the builds of `bisect`
    Bisect(BisectFlags),
    /// Close issues; nubbin reopens an issue that another version shows
    Close(IssueListFlags),
    /// Ignore issues; nubbin reopens an issue that another version shows
    Ignore(IssueListFlags),
    /// Reopen closed or ignored issues
    Open(IssueListFlags),
    /// Join issues into one issue, for later tests as well
    Join(JoinFlags),
    /// Split issues off from the issue that they were joined to
    Split(IssueListFlags),
    /// Remove issues from a campaign
    Delete(IssueListFlags),
    /// Set the note of an issue
    Note(NoteFlags),
    /// Rewrite the reports of all issues
    Report(FolderFlags),
    /// Write the tests of open issues to a folder, or pages of all issues (`--html`)
    Export(ExportFlags),
    /// Run files as tests of a campaign
    Import(ImportFlags),
    /// Add the issues and counts of other campaigns to a campaign
    Merge(MergeCampaignFlags),
    /// Serve the web page of a campaign
    Serve(ServeFlags),
}

#[derive(Debug, Args)]
pub struct FolderFlags {
    /// The folder of the campaign
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

#[derive(Debug, Args)]
pub struct NewCampaignFlags {
    /// The folder of the campaign, which must be empty or new
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// The program under test; `{}` or `@@` stands for the path of the test [default: nubbin asks
    /// for it, or writes an example]
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,

    /// Set the name of the program [default: its file name]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// Feed tests to the program's standard input
    #[arg(long)]
    pub stdin: bool,

    /// Use the profile of this JavaScript engine, and its command if no command is given [default:
    /// for `--generate "graph …"`, the engine that the command starts]
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,

    /// Add a generator: the arguments of `nubbin generate`, such as `"grammar -g sums.bnf"`
    #[arg(long, value_name = "ARGS")]
    pub generate: Vec<String>,

    /// Treat a test that runs for this time as an issue
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub hang: Option<Duration>,
}

#[derive(Debug, Args)]
pub struct RunCampaignFlags {
    #[command(flatten)]
    pub folder: FolderFlags,

    /// Run this many jobs at the same time [default: `cores` of `campaign.toml`, or one per core]
    ///
    /// With a farm, N is the number of jobs whose tests run on the farm. `local:4,remote:200` also
    /// sets the number of jobs on this machine. The default is then `cores` on this machine, and
    /// `slots` of `[remote]` or 16 on the farm.
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<Jobs>,

    /// Stop after this time (`3600` seconds, or with a unit: `90m`, `8h`)
    #[arg(long, visible_alias = "max-time", value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,

    /// Stop fuzzing when this many new issues were found; these issues are still validated and
    /// reduced
    #[arg(long, value_name = "N")]
    pub max_issues: Option<u64>,

    /// Stop fuzzing after this many tests; issues found by then are still validated and reduced
    #[arg(long, value_name = "N")]
    pub max_tests: Option<u64>,

    /// Generate no tests; validate and reduce the pending issues, and end
    #[arg(long)]
    pub no_fuzz: bool,

    /// Show a dashboard on the terminal
    #[arg(long)]
    pub tui: bool,

    /// Serve the web page of the campaign at this address [default: 127.0.0.1:8087]
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:8087")]
    pub serve: Option<SocketAddr>,

    /// Require the token in this file for the web page [default: a random token in the printed
    /// address]
    ///
    /// No other user may read the file.
    #[arg(
        long,
        value_name = "FILE",
        requires = "serve",
        conflicts_with = "token"
    )]
    pub token_file: Option<PathBuf>,

    /// Require this token for the web page (deprecated: the list of processes shows it)
    #[arg(long, value_name = "TOKEN", requires = "serve", hide = true)]
    pub token: Option<String>,

    /// Print only errors, and the permissions that loosen the sandbox
    #[arg(short, long)]
    pub quiet: bool,

    #[command(
        flatten,
        next_help_heading = "Tests on a farm (in place of `[remote]`)"
    )]
    pub remote: RemoteFlags,
}

#[derive(Debug, Args)]
pub struct StatusFlags {
    #[command(flatten)]
    pub folder: FolderFlags,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct IssuesFlags {
    #[command(flatten)]
    pub folder: FolderFlags,

    /// List issues in this state (open, ignored, closed, invalid) [default: open]
    #[arg(long, value_name = "STATE", conflicts_with = "all")]
    pub state: Vec<String>,

    /// List issues in all states
    #[arg(short, long)]
    pub all: bool,

    /// List issues of this program
    #[arg(long, value_name = "NAME")]
    pub program: Option<String>,

    /// List issues whose identity contains this string
    #[arg(long, value_name = "TEXT")]
    pub text: Option<String>,

    /// Print one JSON line per issue
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ShowIssueFlags {
    #[command(flatten)]
    pub folder: FolderFlags,

    /// The number of the issue
    #[arg(value_name = "ISSUE")]
    pub issue: i64,

    /// Print only the smallest test of the issue, unchanged
    #[arg(long)]
    pub test: bool,

    /// Print only the test that the campaign found first, unchanged
    #[arg(long, conflicts_with = "test")]
    pub original: bool,

    /// Print JSON
    #[arg(long, conflicts_with_all = ["test", "original"])]
    pub json: bool,

    /// Print the title, body, and labels of a GitHub issue as JSON, for `gh api
    /// repos/OWNER/REPOSITORY/issues --input -`
    #[arg(long, conflicts_with_all = ["test", "original", "json"])]
    pub github: bool,
}

/// A campaign and the numbers of its issues.
#[derive(Debug, Args)]
pub struct IssueListFlags {
    #[command(flatten)]
    pub folder: FolderFlags,

    /// The numbers of the issues
    #[arg(value_name = "ISSUE", required = true)]
    pub issues: Vec<i64>,
}

#[derive(Debug, Args)]
pub struct JoinFlags {
    #[command(flatten)]
    pub folder: FolderFlags,

    /// The number of the issue to which the others are joined
    #[arg(value_name = "ISSUE")]
    pub issue: i64,

    /// The numbers of the issues to join to ISSUE
    #[arg(value_name = "OTHER", required = true)]
    pub others: Vec<i64>,
}

#[derive(Debug, Args)]
pub struct ActFlags {
    #[command(flatten)]
    pub folder: FolderFlags,

    /// The numbers of the issues
    #[arg(value_name = "ISSUE", required_unless_present = "all")]
    pub issues: Vec<i64>,

    /// Act on all open issues
    #[arg(short, long, conflicts_with = "issues")]
    pub all: bool,

    /// Print only errors, and the permissions that loosen the sandbox
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub struct BisectFlags {
    #[command(flatten)]
    pub folder: FolderFlags,

    /// The number of the issue
    #[arg(value_name = "ISSUE")]
    pub issue: i64,

    /// Print only errors, and the permissions that loosen the sandbox
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub struct NoteFlags {
    #[command(flatten)]
    pub folder: FolderFlags,

    /// The number of the issue
    #[arg(value_name = "ISSUE")]
    pub issue: i64,

    /// The text of the note
    #[arg(value_name = "TEXT")]
    pub text: String,
}

#[derive(Debug, Args)]
pub struct ExportFlags {
    #[command(flatten)]
    pub folder: FolderFlags,

    /// Write the tests of open issues to this folder, which must be empty or new
    #[arg(short, long, value_name = "DIR", required_unless_present_any = ["html", "sarif"])]
    pub output: Option<PathBuf>,

    /// Write static pages, one per issue, and a feed to this folder, which must be empty or
    /// new
    #[arg(long, value_name = "DIR")]
    pub html: Option<PathBuf>,

    /// Write the open and ignored issues to this file, in the format SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Replace the file given by `--sarif`, even if nubbin did not write it
    #[arg(long, requires = "sarif")]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct ImportFlags {
    #[command(flatten)]
    pub folder: FolderFlags,

    /// The files to run, or folders of files
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// Print only errors, and the permissions that loosen the sandbox
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub struct MergeCampaignFlags {
    #[command(flatten)]
    pub folder: FolderFlags,

    /// The folders of the other campaigns; nubbin does not change them
    #[arg(value_name = "OTHER", required = true)]
    pub others: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ServeFlags {
    #[command(flatten)]
    pub folder: FolderFlags,

    /// Serve the web page at this address
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8087")]
    pub address: SocketAddr,

    /// Require the token in this file [default: a random token in the printed address]
    ///
    /// No other user may read the file.
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    pub token_file: Option<PathBuf>,

    /// Require this token (deprecated: the list of processes shows it)
    #[arg(long, value_name = "TOKEN", hide = true)]
    pub token: Option<String>,
}
