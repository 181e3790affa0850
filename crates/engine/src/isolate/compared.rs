use super::{ChangeSet, Difference};
use nubbin_edit::{Fingerprint, Input};
use rustc_hash::FxHashMap;

/// A text and its difference from another text.
pub(super) struct Compared {
    pub(super) base: Input,
    pub(super) difference: Difference,
    /// The fingerprints of configurations. A future that the search visits again is therefore not
    /// rendered again.
    prints: FxHashMap<ChangeSet, Fingerprint>,
}

/// The largest number of fingerprints to keep.
const MAX_FINGERPRINTS: usize = 1 << 12;

impl Compared {
    pub(super) fn new(base: Input, difference: Difference) -> Self {
        Compared {
            base,
            difference,
            prints: FxHashMap::default(),
        }
    }

    pub(super) fn candidate(&self, changes: &ChangeSet) -> Input {
        self.base.apply(&self.difference.edit(changes))
    }

    pub(super) fn fingerprint(&mut self, changes: &ChangeSet) -> Fingerprint {
        if let Some(&print) = self.prints.get(changes) {
            return print;
        }
        let print = self.candidate(changes).fingerprint();
        self.prints.insert(changes.clone(), print);
        print
    }

    /// Forgets all fingerprints if there are too many.
    pub(super) fn trim(&mut self) {
        if self.prints.len() > MAX_FINGERPRINTS {
            self.prints.clear();
        }
    }
}
