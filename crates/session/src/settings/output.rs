//! The settings of messages and of files about a run.

use crate::flags::{OutputFlags, ProgressMode};
use std::path::PathBuf;

/// The settings of messages, events, and statistics.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug)]
pub struct OutputSettings {
    pub json: bool,
    pub json_events: Option<PathBuf>,
    pub stats: Option<PathBuf>,
    pub other_failures: Option<PathBuf>,
    pub quiet: bool,
    pub verbose: bool,
    pub progress: ProgressMode,
    pub plain: bool,
}

impl From<OutputFlags> for OutputSettings {
    fn from(flags: OutputFlags) -> Self {
        OutputSettings {
            json: flags.json,
            json_events: flags.json_events,
            stats: flags.stats,
            other_failures: flags.other_failures,
            quiet: flags.quiet,
            verbose: flags.verbose,
            progress: flags.progress,
            plain: flags.plain,
        }
    }
}

impl OutputSettings {
    /// Sets the settings that `json` implies, and returns `json`.
    pub(super) fn settle(&mut self) -> bool {
        if self.json {
            self.stats = Some(PathBuf::from("-"));
            self.quiet = true;
        }
        self.json
    }
}
