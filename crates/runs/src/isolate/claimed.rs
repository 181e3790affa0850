//! The second stage of an isolation: it holds the locks of its results, and owns all files that it
//! writes.

use super::apart::keep_apart;
use super::prepared::Prepared;
use super::results::{Owned, Results};
use crate::output::Access;
use crate::outputs::Outputs;
use crate::problem::Problem;

/// An isolation that owns the files that it writes.
pub(super) struct Claimed {
    pub(super) prepared: Prepared,
    pub(super) results: Results,
    pub(super) owned: Owned,
    pub(super) outputs: Outputs,
}

impl Claimed {
    pub(super) fn of(prepared: Prepared) -> Result<Self, Problem> {
        let args = &prepared.args;
        let results = Results::new(args);
        keep_apart(args, &results)?;
        results.probe()?;
        let owned = results.claim(args.force)?;
        let access = Access::of([&args.passing, &args.failing]);
        let outputs = Outputs::claim(&args.output_flags, None, access, args.force)?;
        Ok(Claimed {
            prepared,
            results,
            owned,
            outputs,
        })
    }
}
