use crate::edit::{Applied, Edit};
use rustc_hash::FxHashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// The proposals of one run of a pass, each as a change of the text that the pass was opened on.
///
/// The papers on hierarchical delta debugging keep outcomes by configuration, which is the set of
/// removed nodes. Two configurations may leave the same text, which the engine tests once.
#[derive(Debug, Default)]
pub(super) struct Configurations {
    seen: FxHashSet<u64>,
}

impl Configurations {
    /// Forgets all configurations, since a pass is opened on another text.
    pub(super) fn begin(&mut self) {
        self.seen.clear();
    }

    /// Returns whether a configuration is proposed for the first time.
    pub(super) fn is_new(&mut self, applied: &Applied, proposal: &Edit) -> bool {
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        match applied.edit().combine(proposal) {
            Ok(edit) => self.seen.insert(hasher.hash_one(&edit)),
            Err(_) => true,
        }
    }
}
