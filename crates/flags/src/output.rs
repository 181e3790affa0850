//! Flags for progress, events, and statistics.

use clap::{ArgAction, Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct OutputFlags {
    /// Write each event as a line of JSON to this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub json_events: Option<PathBuf>,

    /// Write the statistics of the run as JSON to this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub stats: Option<PathBuf>,

    /// Print the statistics, or the error, as JSON, and no messages
    ///
    /// The same as `--stats - --quiet`. An error has the fields `error`, `hint`, and `exit`.
    #[arg(long, conflicts_with_all = ["stats", "verbose", "progress", "plain"])]
    pub json: bool,

    /// Keep the smallest input of each other failure, in a folder of its own in this one
    #[arg(long, value_name = "DIR")]
    pub other_failures: Option<PathBuf>,

    /// Print nothing but errors, and what loosens the sandbox
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Print every test with its number, verdict, size, and text, instead of the full-screen view
    ///
    /// The text is cut after 60 characters; `--log-texts` has all of it. The numbers are those of
    /// `--max-tests`: the original is number 1, and the last one is the test of the result once
    /// more. With `grabr` and its variants the original is number 0, since the program of the
    /// Fuzzing Book does not test it.
    #[arg(short, long, visible_alias = "log", action = ArgAction::SetTrue)]
    pub verbose: bool,

    /// Set how progress is shown
    #[arg(long, value_enum, value_name = "MODE", default_value = "auto")]
    pub progress: ProgressMode,

    /// Print plain lines, even to a terminal: the same as `--progress plain`
    #[arg(long, conflicts_with = "progress")]
    pub plain: bool,
}

impl OutputFlags {
    /// Does what `--json` stands for. Returns whether it is given.
    pub(super) fn settle(&mut self) -> bool {
        settle(self.json, &mut self.stats, &mut self.quiet)
    }
}

/// Lets a command that has `--json` print its statistics, and nothing else.
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
    /// The view on a terminal (the line for `isolate`), plain lines elsewhere
    Auto,
    /// Full screen, for `reduce` only, with keys to stop, pause, skip, and disable passes (`?`
    /// lists them)
    View,
    /// One line that is redrawn
    Line,
    /// A line every other second while the input gets smaller
    Plain,
    /// Nothing but the result
    None,
}
