//! Suspended passes: passes whose turn is over while they still have proposals.

use super::opener::{Exhausted, Key};
use super::pass_budget::Undecided;
use crate::work::Machine;
use nubbin_edit::{Applied, Edit};
use rustc_hash::FxHashMap;

/// A pass that continues in its next turn. A pass that was opened again would start over with large
/// units.
pub(super) struct Suspended {
    pub(super) machine: Box<dyn Machine>,
    /// The change from the text on which the machine was opened to the base.
    pub(super) applied: Applied,
    pub(super) undecided: Undecided,
    /// The text on which the machine was opened.
    pub(super) opened_on: Exhausted,
}

impl Suspended {
    /// Suspends a pass that was just opened.
    pub(super) fn new(machine: Box<dyn Machine>, opened_on: Exhausted) -> Self {
        Suspended {
            machine,
            applied: Applied::default(),
            undecided: Undecided::default(),
            opened_on,
        }
    }
}

/// The suspended passes of a tier.
#[derive(Default)]
pub(super) struct SuspendedPasses {
    passes: FxHashMap<Key, Suspended>,
}

impl SuspendedPasses {
    pub(super) fn keep(&mut self, key: Key, pass: Suspended) {
        self.passes.insert(key, pass);
    }

    pub(super) fn take(&mut self, key: Key) -> Option<Suspended> {
        self.passes.remove(&key)
    }

    pub(super) fn get(&self, key: Key) -> Option<&Suspended> {
        self.passes.get(&key)
    }

    /// Records an edit of the base that another pass proposed and that was adopted.
    pub(super) fn adopted(&mut self, edit: &Edit) {
        for pass in self.passes.values_mut() {
            pass.applied.then(edit);
        }
    }

    /// Ends all suspended passes, since the base is another input or the tier is left.
    pub(super) fn clear(&mut self) {
        self.passes.clear();
    }
}
