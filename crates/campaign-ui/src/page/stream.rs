//! The stream of events, as server-sent events.
//!
//! Events that are kept always come from the database, in their order, so that none is missing and
//! none is sent twice, even if another process wrote them. Transient events come from the hub.

use hyper::body::{Body, Bytes, Frame};
use nubbin_campaign::{NumberedEvent, Store};
use serde::Serialize;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};

/// The time for which the stream waits for the hub before it checks anything else.
const STEP: Duration = Duration::from_millis(100);
/// The interval at which the stream looks for events that other processes wrote.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The time after which a stream without events sends a comment, which finds out whether the client
/// is still there.
const QUIET: Duration = Duration::from_secs(15);
/// The maximum number of events that are read at once.
const MAX_EVENTS: usize = 500;

/// The type of a stream.
pub(super) const EVENTS: &str = "text/event-stream";

/// A stream to one client.
pub(super) struct Stream {
    pub(super) store: Store,
    pub(super) live: Receiver<NumberedEvent>,
    /// The number of the last event that the client has.
    pub(super) last: i64,
    pub(super) texts: mpsc::Sender<Bytes>,
}

/// The body of a stream: the texts that it sends.
pub(super) struct Events(mpsc::Receiver<Bytes>);

impl Events {
    /// Returns the body of a stream, and the sender for it.
    pub(super) fn new() -> (mpsc::Sender<Bytes>, Self) {
        // The channel holds one text: the stream waits for a slow client and does not collect
        // events for it.
        let (texts, received) = mpsc::channel(1);
        (texts, Events(received))
    }
}

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let text = self.0.poll_recv(context);
        text.map(|text| text.map(|text| Ok(Frame::data(text))))
    }
}

/// The end of a stream: the client is disconnected, or the database cannot be read.
struct Closed;

impl From<nubbin_campaign::StoreError> for Closed {
    fn from(_: nubbin_campaign::StoreError) -> Self {
        Closed
    }
}

impl Stream {
    /// Sends events until the server ends, the client is disconnected, or the database cannot be
    /// read.
    pub(super) fn run(&self, stopping: &watch::Receiver<bool>) {
        // After an error, a client that is still alive connects again.
        let _ = self.events(stopping);
    }

    fn events(&self, stopping: &watch::Receiver<bool>) -> Result<(), Closed> {
        let mut last = self.last;
        self.send(format!("id: {last}\nevent: hello\ndata: {{}}\n\n"))?;
        let (mut looked, mut sent) = (None, Instant::now());
        let mut is_hub_open = true;
        while !*stopping.borrow() && !self.texts.is_closed() {
            let mut text = String::new();
            let mut is_due = looked.is_none_or(|at: Instant| at.elapsed() >= POLL_INTERVAL);
            if !is_due && !is_hub_open {
                std::thread::sleep(STEP);
            }
            let mut next = match is_due || !is_hub_open {
                true => self.live.try_recv().ok(),
                false => match self.live.recv_timeout(STEP) {
                    Ok(told) => Some(told),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => {
                        is_hub_open = false;
                        None
                    }
                },
            };
            while let Some(told) = next {
                match told.id {
                    Some(id) => is_due |= id > last,
                    None => {
                        text += &format!("event: {}\ndata: {}\n\n", told.event.kind, json(&told))
                    }
                }
                next = self.live.try_recv().ok();
            }
            if is_due {
                looked = Some(Instant::now());
                let events = self.store.events_after(last, MAX_EVENTS)?;
                if events.len() == MAX_EVENTS {
                    looked = None;
                }
                for event in events {
                    last = event.id;
                    let (id, kind) = (event.id, &event.kind);
                    text += &format!("id: {id}\nevent: {kind}\ndata: {}\n\n", json(&event));
                }
            }
            if text.is_empty() && sent.elapsed() >= QUIET {
                text += ": nothing new\n\n";
            }
            if !text.is_empty() {
                self.send(text)?;
                sent = Instant::now();
            }
        }
        Ok(())
    }

    fn send(&self, text: String) -> Result<(), Closed> {
        let sent = self.texts.blocking_send(text.into());
        sent.map_err(|_| Closed)
    }
}

/// Returns a value as JSON in one line.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
