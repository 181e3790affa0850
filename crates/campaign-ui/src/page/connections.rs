use std::collections::HashMap;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The open connections, each with a thread of its own, so that a slow client keeps no other one
/// waiting. Their number is bounded: when there are too many, the oldest of a client that has not
/// shown the token makes room, so that strangers who send half of a request keep nobody waiting.
pub(super) struct Connections {
    most: usize,
    open: Mutex<Open>,
    changed: Condvar,
}

#[derive(Default)]
struct Open {
    next: u64,
    sockets: HashMap<u64, Connection>,
}

struct Connection {
    socket: Arc<TcpStream>,
    /// Whether the client has shown the token.
    is_trusted: bool,
}

impl Open {
    /// Ends the oldest connection of a client that has not shown the token.
    fn make_room(&mut self) {
        let strangers = self.sockets.iter().filter(|(_, it)| !it.is_trusted);
        if let Some((_, oldest)) = strangers.min_by_key(|(number, _)| **number) {
            // The thread of the connection counts it out.
            let _ = oldest.socket.shutdown(Shutdown::Both);
        }
    }
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
        let has_room = |open: &Open| open.sockets.len() < self.most;
        let mut open = self.lock();
        if !has_room(&open) {
            open.make_room();
            drop(open);
            open = self.wait(time, has_room);
        }
        if open.sockets.len() >= self.most {
            return None;
        }
        let number = open.next;
        open.next += 1;
        let connection = Connection {
            socket: Arc::clone(socket),
            is_trusted: false,
        };
        open.sockets.insert(number, connection);
        Some(number)
    }

    /// Records that the client of a connection has shown the token.
    pub(super) fn trust(&self, number: u64) {
        if let Some(connection) = self.lock().sockets.get_mut(&number) {
            connection.is_trusted = true;
        }
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
        for connection in self.lock().sockets.values() {
            // It may be closed by the client.
            let _ = connection.socket.shutdown(how);
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
