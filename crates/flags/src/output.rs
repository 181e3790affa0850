//! Flags for progress, events, and statistics.

use clap::{ArgAction, Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct OutputFlags {
    /// Write each event as a JSON line to this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub json_events: Option<PathBuf>,

    /// Write the statistics of the run as JSON to this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub stats: Option<PathBuf>,

    /// Print the statistics, or the error, as JSON, and no messages
    ///
    /// Equivalent to `--stats - --quiet`. An error has the fields `error`, `hint`, and `exit`.
    #[arg(long, conflicts_with_all = ["stats", "verbose", "progress", "plain"])]
    pub json: bool,

    /// Save the smallest input of each other failure, each in a subfolder of this folder
    #[arg(long, value_name = "DIR")]
    pub other_failures: Option<PathBuf>,

    /// Print only errors, and the permissions that loosen the sandbox
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Print every test with its number, verdict, size, and text, instead of the full-screen view
    ///
    /// The text is cut after 60 characters; `--log-texts` records the whole text. `--max-tests`
    /// counts the same tests: number 1 is the test of the original, and the last number is the
    /// repeated test of the result. With `grabr` and its variants, the original has number 0, since
    /// the program of the Fuzzing Book does not test it.
    #[arg(short, long, visible_alias = "log", action = ArgAction::SetTrue)]
    pub verbose: bool,

    /// Set the display of progress
    #[arg(long, value_enum, value_name = "MODE", default_value = "auto")]
    pub progress: ProgressMode,

    /// Print plain lines, even to a terminal (equivalent to `--progress plain`)
    #[arg(long, conflicts_with = "progress")]
    pub plain: bool,
}

impl OutputFlags {
    /// Applies the flags that `--json` implies. Returns whether `--json` is given.
    pub(super) fn settle(&mut self) -> bool {
        settle(self.json, &mut self.stats, &mut self.quiet)
    }
}

/// Sets `--stats -` and `--quiet` if `json` is true. Returns `json`.
pub(super) fn settle(json: bool, stats: &mut Option<PathBuf>, quiet: &mut bool) -> bool {
    if json {
        *stats = Some(PathBuf::from("-"));
        *quiet = true;
    }
    json
}

/// The form in which progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressMode {
    /// The full-screen view on a terminal (one line for `isolate`), and plain lines elsewhere
    Auto,
    /// The full-screen view, for `reduce` only, with keys to stop, pause, skip, and disable passes
    /// (`?` lists the keys)
    View,
    /// One line that is redrawn
    Line,
    /// One line every two seconds while the input gets smaller
    Plain,
    /// Only the result
    None,
}
