use super::answer::Refusal;
use nubbin_campaign::{Store, StoreError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The maximum number of connections that wait for a request.
const MOST_IDLE: usize = 8;

/// Connections to the database. A request has one for itself.
pub(super) struct Stores {
    folder: PathBuf,
    idle: Mutex<Vec<Store>>,
}

impl Stores {
    pub(super) fn new(folder: &Path) -> Self {
        Stores {
            folder: folder.to_owned(),
            idle: Mutex::new(vec![]),
        }
    }

    /// Opens a connection that the caller keeps.
    pub(super) fn open(&self) -> Result<Store, StoreError> {
        Store::open(&self.folder)
    }

    pub(super) fn with<T>(
        &self,
        using: impl FnOnce(&mut Store) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut store = match waiting {
            Some(store) => store,
            None => self.open()?,
        };
        let used = using(&mut store);
        // A connection that failed is not used again.
        let is_good = used.as_ref().err().is_none_or(|why| !why.is_own_fault());
        let mut idle = idle();
        if is_good && idle.len() < MOST_IDLE {
            idle.push(store);
        }
        used
    }
}
