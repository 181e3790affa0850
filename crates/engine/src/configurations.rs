use crate::work::Machine;
use nubbin_edit::{Applied, Edit};
use rustc_hash::FxHashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// The proposals of one run of a pass, each as a change of the text on which the pass was opened.
///
/// The papers on hierarchical delta debugging keep outcomes by configuration, which is the set of
/// removed nodes. Two configurations may leave the same text, which the engine tests once. A
/// machine of the HDD family [counts](Machine::configurations) its configurations itself, since it
/// makes no proposal if the text does not change.
#[derive(Debug, Default)]
pub(super) struct Configurations {
    seen: FxHashSet<u64>,
    /// The number of configurations that the machine has counted so far.
    of_machine: u64,
}

impl Configurations {
    /// Forgets all configurations, since a pass is opened on another text.
    pub(super) fn begin(&mut self, machine: &dyn Machine) {
        self.seen.clear();
        self.of_machine = machine.configurations().unwrap_or(0);
    }

    /// Returns the number of configurations that a machine has counted since the last call.
    pub(super) fn counted(&mut self, machine: &dyn Machine) -> u64 {
        let count = machine.configurations().unwrap_or(self.of_machine);
        let before = std::mem::replace(&mut self.of_machine, count);
        count.saturating_sub(before)
    }

    /// Returns whether a configuration is proposed for the first time, by a machine that does not
    /// count configurations.
    pub(super) fn is_new(
        &mut self,
        machine: &dyn Machine,
        applied: &Applied,
        proposal: &Edit,
    ) -> bool {
        if machine.configurations().is_some() {
            return false;
        }
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        match applied.edit().combine(proposal) {
            Ok(edit) => self.seen.insert(hasher.hash_one(edit.ranked(0))),
            Err(_) => true,
        }
    }
}
