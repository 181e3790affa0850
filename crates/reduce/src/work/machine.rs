use super::Units;
use crate::edit::{Edit, Fingerprint};
use std::ops::Range;
use std::sync::Arc;

/// A state machine that proposes edits.
///
/// The rules are those of [`ListMinimizer`](crate::list_minimizer::ListMinimizer): `next` is idempotent until `record`, the machine is
/// deterministic, and a fork costs little.
pub trait Machine: Send {
    /// The next proposal, about the input the work was opened on; `None` at the end.
    fn next(&mut self) -> Option<Edit>;

    /// Whether the proposal was adopted.
    fn record(&mut self, adopted: bool);

    /// A copy that can be driven into a hypothetical future.
    fn fork(&self) -> Box<dyn Machine>;

    /// The units that the present proposal takes out, where the machine works through a list.
    fn taken(&self) -> Option<Taken<'_>> {
        None
    }

    /// Where proposals are whole inputs and not changes to one: what the present one is known by.
    /// Two proposals that are known by the same have the same verdict.
    ///
    /// Such a proposal replaces the whole input the work was opened on, and stands in the place of
    /// whatever has been adopted since.
    fn known_by(&self) -> Option<Fingerprint> {
        None
    }
}

/// Units of a list that a proposal takes out.
#[derive(Clone, Copy)]
pub struct Taken<'a> {
    /// The list.
    pub list: &'a Arc<dyn Units>,
    /// The units: sorted, disjoint ranges.
    pub units: &'a [Range<u32>],
}
