//! Suspended passes: passes whose turn is over while they still have proposals.

use super::opener::{Exhausted, Key};
use super::pass_budget::Undecided;
use crate::work::Machine;
use nubbin_edit::{Applied, Edit};
use rustc_hash::FxHashMap;

/// A pass that continues in its next turn. A pass that is opened again begins with large units.
pub(super) struct Suspended {
    pub(super) machine: Box<dyn Machine>,
    /// The change from the text that the machine was opened on to the base.
    pub(super) applied: Applied,
    pub(super) undecided: Undecided,
    /// The text that the machine was opened on.
    pub(super) opened_on: Exhausted,
}

impl Suspended {
    /// Begins a pass that was just opened.
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

    /// Follows an adopted edit of the base by another pass.
    pub(super) fn adopted(&mut self, edit: &Edit) {
        for pass in self.passes.values_mut() {
            pass.applied.then(edit);
        }
    }

    /// Ends all passes, since the base is another input or the tier is left.
    pub(super) fn clear(&mut self) {
        self.passes.clear();
    }
}
