//! The files of a run beside its results: events, the page, and the statistics.

use crate::output::json::{EventsFile, StatsFile};
use crate::output::{Access, Destination};
use crate::problem::Problem;
use crate::report;
use crate::settings::ReduceSettings;

/// The files that the command line names. None of them replaces a file of the user's.
pub(super) struct Outputs {
    pub(super) events: Option<EventsFile>,
    pub(super) page: Option<Destination>,
    pub(super) stats: Option<StatsFile>,
}

impl Outputs {
    /// Takes the files before the first test.
    pub(super) fn claim(args: &ReduceSettings, access: Access) -> Result<Self, Problem> {
        let events = args.output_flags.json_events.as_deref();
        let events = events.map(|path| EventsFile::claim(path, access, args.force));
        let page = args.report.as_deref();
        let page = page.map(|path| report::claim(path, access, args.force));
        let stats = args.output_flags.stats.as_deref();
        let stats = stats.map(|path| StatsFile::claim(path, access, args.force));
        Ok(Outputs {
            events: events.transpose()?,
            page: page.transpose()?,
            stats: stats.transpose()?,
        })
    }
}
