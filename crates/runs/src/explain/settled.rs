//! The last stage of an explanation: its result is reported.

use super::report;
use super::running::Running;
use crate::broken;
use crate::exit::Exit;
use crate::problem::{Problem, say};
use nubbin_reduce::engine::Ended;
use nubbin_reduce::explain::Explained;

/// An explanation with its result.
pub(super) struct Settled {
    explained: Explained,
    running: Running,
}

impl Settled {
    pub(super) fn of(running: Running, explained: Explained) -> Self {
        Settled { explained, running }
    }

    /// Reports the result, and returns the exit code.
    pub(super) fn conclude(self) -> Result<Exit, Problem> {
        let (explained, prepared) = (&self.explained, &self.running.prepared);
        let (args, subject) = (&prepared.args, prepared.subject.as_ref());
        if !args.quiet {
            let summary = self.running.tested.places.summary();
            summary.iter().for_each(|line| say(line));
        }
        match &prepared.generated {
            _ if args.json => report::json(args, subject, explained)?,
            Some(generated) => report::choices(args, subject, generated, explained)?,
            None => report::text(args, subject, explained)?,
        }
        match &explained.ended {
            Ended::Fault(fault) => Err(broken::in_the_middle(fault)),
            Ended::Stopped => Ok(Exit::Stopped),
            _ => Ok(Exit::Done),
        }
    }
}
