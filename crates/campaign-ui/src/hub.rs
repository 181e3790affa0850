//! Sends the events of a campaign to every interface.

use nubbin_campaign::{Listener, NumberedEvent};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The number of events that an interface may be behind. An interface that is slower loses events.
const BEHIND: usize = 4096;

/// The events of a campaign, for any number of interfaces.
#[derive(Clone, Default)]
pub(crate) struct Hub {
    subscribers: Arc<Mutex<Vec<SyncSender<NumberedEvent>>>>,
}

impl Hub {
    /// Returns all events from now on.
    pub(crate) fn subscribe(&self) -> Receiver<NumberedEvent> {
        let (sender, receiver) = sync_channel(BEHIND);
        self.lock().push(sender);
        receiver
    }

    /// Closes all subscriptions.
    pub(crate) fn close(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, Vec<SyncSender<NumberedEvent>>> {
        self.subscribers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener for Hub {
    fn receive(&self, told: &NumberedEvent) {
        self.lock().retain(|subscriber| {
            let sent = subscriber.try_send(told.clone());
            !matches!(sent, Err(TrySendError::Disconnected(_)))
        });
    }
}
