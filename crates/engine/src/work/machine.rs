use super::Units;
use nubbin_edit::{Edit, Fingerprint};
use std::ops::Range;
use std::sync::Arc;

/// A state machine that proposes edits.
///
/// The rules are the same as for [`ListMinimizer`](nubbin_minimize::ListMinimizer): `next` is
/// idempotent until `record` is called, the machine is deterministic, and a fork costs little.
pub trait Machine: Send {
    /// Returns the next proposal, which is an edit of the input on which the work was opened, or
    /// `None` at the end.
    fn next(&mut self) -> Option<Edit>;

    /// Records whether the proposal was adopted.
    fn record(&mut self, adopted: bool);

    /// Returns a copy that can be run into a hypothetical future.
    fn fork(&self) -> Box<dyn Machine>;

    /// Returns the units that the present proposal removes, where the machine works through a list.
    fn taken(&self) -> Option<Taken<'_>> {
        None
    }

    /// Returns the number of configurations that list minimizers have asked about so far, where the
    /// machine counts them: the sets of units to which a list is cut down, each once for a list.
    /// Configurations whose text is the present one are included, although none of them is
    /// proposed.
    ///
    /// Returns `None` if each proposal is a configuration.
    fn configurations(&self) -> Option<u64> {
        None
    }

    /// Returns the fingerprint by which the present proposal is known, where proposals are whole
    /// inputs and not changes to one. Two proposals with the same fingerprint have the same
    /// verdict.
    ///
    /// Such a proposal replaces the whole input on which the work was opened, and everything
    /// adopted since.
    fn known_by(&self) -> Option<Fingerprint> {
        None
    }
}

/// The units of a list that a proposal removes.
#[derive(Clone, Copy)]
pub struct Taken<'a> {
    /// The list that contains the units.
    pub list: &'a Arc<dyn Units>,
    /// The units: sorted, disjoint ranges.
    pub units: &'a [Range<u32>],
}
