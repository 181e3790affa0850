//! The files of a run other than its results: events, the page, and the statistics.

use crate::output::json::{EventsFile, StatsFile};
use crate::output::{Access, Destination};
use crate::paths::Use;
use crate::problem::Problem;
use crate::report;
use crate::settings::OutputSettings;
use serde::Serialize;
use std::path::Path;

/// The path that stands for standard output.
const STDOUT: &str = "-";

/// The files that the command line names. None of them replaces a file of the user's.
pub(crate) struct Outputs {
    pub(crate) events: Option<EventsFile>,
    pub(crate) page: Option<Destination>,
    stats: Option<StatsFile>,
    /// Whether events are printed, with which the statistics are a line.
    is_in_lines: bool,
}

impl Outputs {
    /// Takes the files before the first test. `page` is the file given by `--report`.
    pub(crate) fn claim(
        settings: &OutputSettings,
        page: Option<&Path>,
        access: Access,
        force: bool,
    ) -> Result<Self, Problem> {
        let events = settings.json_events.as_deref();
        let is_in_lines = events == Some(Path::new(STDOUT));
        let events = events.map(|path| EventsFile::claim(path, access, force));
        let page = page.map(|path| report::claim(path, "page", access, force));
        let stats = settings.stats.as_deref();
        let stats = stats.map(|path| StatsFile::claim(path, access, force));
        Ok(Outputs {
            events: events.transpose()?,
            page: page.transpose()?,
            stats: stats.transpose()?,
            is_in_lines,
        })
    }

    /// Returns whether the run writes statistics.
    pub(crate) fn has_stats(&self) -> bool {
        self.stats.is_some()
    }

    /// Writes the statistics, if they are wanted.
    pub(crate) fn write_stats(&self, stats: &impl Serialize) -> Result<(), Problem> {
        match &self.stats {
            Some(file) => file.write(stats, self.is_in_lines),
            None => Ok(()),
        }
    }
}

/// Returns the files that a run writes for its settings of the output.
pub(crate) fn written(settings: &OutputSettings) -> impl Iterator<Item = Use<'_>> {
    let files = [
        (&settings.json_events, "the log of events"),
        (&settings.stats, "the statistics"),
    ];
    files.into_iter().filter_map(|(path, what)| {
        let path = path.as_deref().filter(|path| *path != Path::new(STDOUT))?;
        Some(Use { path, what })
    })
}

/// Returns whether standard output is for a script.
pub(crate) fn are_printed(settings: &OutputSettings) -> bool {
    [&settings.stats, &settings.json_events]
        .into_iter()
        .any(|path| path.as_deref() == Some(Path::new(STDOUT)))
}
