//! The last stage of an explanation: its page is on disk, and its result is reported.

use super::running::Running;
use super::{document, report};
use crate::broken;
use crate::events::{Explanation, command_line};
use crate::exit::Exit;
use crate::print::print_json;
use crate::problem::{Problem, say};
use crate::report::ExplainedInput;
use crate::test;
use nubbin_reduce::engine::Ended;
use nubbin_reduce::explain::Explained;

/// An explanation with its result.
pub(super) struct Settled {
    explained: Explained,
    running: Running,
    document: Explanation,
}

impl Settled {
    /// Writes the page.
    pub(super) fn of(running: Running, explained: Explained) -> Result<Self, Problem> {
        let prepared = &running.claimed.prepared;
        let (subject, generated) = (prepared.subject.as_ref(), prepared.generated.as_ref());
        let document = document::of(&explained, subject, generated, prepared.args.search.seed);
        if let Some(page) = &running.claimed.page {
            let name = prepared.sources.first().map(|source| &source.name);
            let shown = ExplainedInput {
                name: name.map_or_else(|| "choices".into(), |name| name.display().to_string()),
                bytes: subject.input().bytes(),
                command: &command_line(std::env::args_os()),
                failure: &test::failure(&prepared.args.test.failure, &running.tested.oracle),
                explanation: &document,
            };
            crate::report::write_explanation(page, &shown)?;
        }
        Ok(Settled {
            explained,
            running,
            document,
        })
    }

    /// Reports the result, and returns the exit code.
    pub(super) fn conclude(self) -> Result<Exit, Problem> {
        let (explained, prepared) = (&self.explained, &self.running.claimed.prepared);
        let (args, subject) = (&prepared.args, prepared.subject.as_ref());
        if !args.quiet {
            let summary = self.running.tested.places.summary();
            summary.iter().for_each(|line| say(line));
        }
        match &prepared.generated {
            _ if args.json => print_json(&self.document).map(drop)?,
            Some(generated) => report::choices(args, subject, generated, explained)?,
            None => report::text(args, subject, explained)?,
        }
        if let Some(path) = args.report.as_deref().filter(|_| !args.quiet && !args.json) {
            say(&format!("wrote `{}`", path.display()));
        }
        match &explained.ended {
            Ended::Fault(fault) => Err(broken::in_the_middle(fault)),
            Ended::Stopped => Ok(Exit::Stopped),
            _ => Ok(Exit::Done),
        }
    }
}
