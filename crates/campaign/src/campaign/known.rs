use crate::identity::Identity;
use crate::store::{Store, StoreError};
use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

/// The program, the kind, and the text of an identity.
type Key = (String, String, String);

/// The identities of all issues, so that a slice knows a new one without the database.
#[derive(Debug)]
pub(super) struct KnownIdentities {
    /// The stacks, by program, kind, and text.
    stacks: RwLock<HashMap<Key, Vec<Vec<String>>>>,
}

impl KnownIdentities {
    pub(super) fn new(store: &Store) -> Result<Self, StoreError> {
        let known = KnownIdentities {
            stacks: RwLock::default(),
        };
        known.refresh(store)?;
        Ok(known)
    }

    /// Reads all identities.
    pub(super) fn refresh(&self, store: &Store) -> Result<(), StoreError> {
        let mut all = HashMap::new();
        for (program, identity) in store.identities()? {
            let key = (program, identity.kind, identity.what);
            all.entry(key)
                .or_insert_with(Vec::new)
                .push(identity.frames);
        }
        *self.stacks.write().unwrap_or_else(PoisonError::into_inner) = all;
        Ok(())
    }

    /// Adds an identity, unless it is already known.
    pub(super) fn add_once(&self, program: &str, identity: &Identity) {
        if self.has(program, identity) {
            return;
        }
        let mut stacks = self.stacks.write().unwrap_or_else(PoisonError::into_inner);
        stacks
            .entry(key(program, identity))
            .or_default()
            .push(identity.frames.clone());
    }

    pub(super) fn has(&self, program: &str, identity: &Identity) -> bool {
        let stacks = self.stacks.read().unwrap_or_else(PoisonError::into_inner);
        let same = stacks.get(&key(program, identity));
        same.is_some_and(|same| {
            let mut same = same.iter();
            same.any(|frames| nubbin_oracle::frames_match(frames, &identity.frames))
        })
    }
}

fn key(program: &str, identity: &Identity) -> Key {
    (
        program.to_owned(),
        identity.kind.clone(),
        identity.what.clone(),
    )
}
