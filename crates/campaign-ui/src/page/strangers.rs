use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::AbortHandle;

/// The connections of clients that have not shown the token, by their numbers. The number of a
/// later connection is larger.
#[derive(Default)]
pub(super) struct Strangers(Mutex<BTreeMap<u64, AbortHandle>>);

impl Strangers {
    /// Adds a connection, which the handle ends.
    pub(super) fn add(&self, number: u64, connection: AbortHandle) {
        self.lock().insert(number, connection);
    }

    /// Ends the oldest connection.
    pub(super) fn end_oldest(&self) {
        if let Some((_, oldest)) = self.lock().pop_first() {
            oldest.abort();
        }
    }

    /// Closes all connections.
    pub(super) fn end(&self) {
        for (_, connection) in std::mem::take(&mut *self.lock()) {
            connection.abort();
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, AbortHandle>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection among the strangers until the client shows the token, or the connection ends.
#[derive(Clone)]
pub(super) struct Stranger {
    pub(super) number: u64,
    pub(super) all: Arc<Strangers>,
}

impl Stranger {
    /// Takes the connection out of the strangers: its client has shown the token, or it has closed.
    pub(super) fn leave(&self) {
        self.all.lock().remove(&self.number);
    }
}
