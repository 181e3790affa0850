use std::collections::HashMap;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The open connections, each with a thread of its own, so that a slow client keeps no other one
/// waiting. Their number is bounded.
pub(super) struct Connections {
    most: usize,
    open: Mutex<Open>,
    changed: Condvar,
}

#[derive(Default)]
struct Open {
    next: u64,
    sockets: HashMap<u64, Arc<TcpStream>>,
}

impl Connections {
    pub(super) fn new(most: usize) -> Self {
        Connections {
            most,
            open: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Counts a connection in, as soon as there is room, and returns its number. Returns `None` if
    /// there is no room until `time` has passed.
    pub(super) fn enter(&self, socket: &Arc<TcpStream>, time: Duration) -> Option<u64> {
        let mut open = self.wait(time, |open| open.sockets.len() < self.most);
        if open.sockets.len() >= self.most {
            return None;
        }
        let number = open.next;
        open.next += 1;
        open.sockets.insert(number, Arc::clone(socket));
        Some(number)
    }

    /// Counts a connection out.
    pub(super) fn leave(&self, number: u64) {
        self.lock().sockets.remove(&number);
        self.changed.notify_all();
    }

    /// Ends all connections. Answers that are being sent have `time` to reach their clients.
    pub(super) fn end(&self, time: Duration) {
        let is_over = |open: &Open| open.sockets.is_empty();
        // No request is read any more.
        self.shut(Shutdown::Read);
        drop(self.wait(time, is_over));
        self.shut(Shutdown::Both);
        drop(self.wait(time, is_over));
    }

    fn shut(&self, how: Shutdown) {
        for socket in self.lock().sockets.values() {
            // It may be closed by the client.
            let _ = socket.shutdown(how);
        }
    }

    fn wait(&self, time: Duration, is_over: impl Fn(&Open) -> bool) -> MutexGuard<'_, Open> {
        let until = Instant::now() + time;
        let mut open = self.lock();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if is_over(&open) || left.is_zero() {
                return open;
            }
            let waited = self.changed.wait_timeout(open, left);
            open = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
