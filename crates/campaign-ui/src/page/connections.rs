//! Connections, one request each.
//!
//! The library bounds the head of a request and the time for it. This module handles the rest: the
//! number of connections, the one that is closed for a new one, and the end of a connection.

use super::request::PATIENCE;
use super::service::Service;
use super::strangers::{Stranger, Strangers};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;

/// The maximum number of bytes of the head of a request.
const MAX_HEAD: usize = 16 * 1024;
/// The number of bytes of a request that are read after its answer, and for how long. A system
/// drops an answer with the connection if there is something left to read.
const MAX_LEFT: u64 = 1024 * 1024;
const LEFT: Duration = Duration::from_millis(500);

/// The open connections. Their number is bounded: when there are too many, the oldest of a client
/// that has not shown the token makes room, so that strangers who send half of a request keep
/// nobody waiting.
pub(super) struct Connections {
    max: u32,
    room: Arc<Semaphore>,
    next: AtomicU64,
    strangers: Arc<Strangers>,
    service: Arc<Service>,
}

impl Connections {
    /// Returns no connections, of which there may be `max`.
    pub(super) fn new(max: usize, service: Arc<Service>) -> Self {
        Connections {
            max: u32::try_from(max).unwrap_or(u32::MAX),
            room: Arc::new(Semaphore::new(max)),
            next: AtomicU64::new(0),
            strangers: Arc::default(),
            service,
        }
    }

    /// Serves a connection as soon as there is room for it.
    pub(super) async fn serve(&self, socket: TcpStream) {
        if self.room.available_permits() == 0 {
            self.strangers.end_oldest();
        }
        // The semaphore is never closed.
        let Ok(room) = Arc::clone(&self.room).acquire_owned().await else {
            return;
        };
        let stranger = Stranger {
            number: self.next.fetch_add(1, Ordering::Relaxed),
            all: Arc::clone(&self.strangers),
        };
        let number = stranger.number;
        let service = Arc::clone(&self.service);
        let task = tokio::spawn(async move {
            converse(socket, service, &stranger).await;
            stranger.leave();
            drop(room);
        });
        // The task has not run yet: the runtime has one thread, and nothing was awaited.
        self.strangers.add(number, task.abort_handle());
    }

    /// Waits for the end of all connections, for `time` at most. The end of the runtime closes the
    /// others.
    pub(super) async fn end(&self, time: Duration) {
        self.strangers.end();
        let _ = timeout(time, self.room.acquire_many(self.max)).await;
    }
}

/// Answers the request of a connection.
async fn converse(socket: TcpStream, service: Arc<Service>, stranger: &Stranger) {
    let _ = socket.set_nodelay(true);
    let mut socket = TimeoutStream::new(socket);
    // A client that does not read its answer is disconnected.
    socket.set_write_timeout(Some(PATIENCE));
    let mut http = http1::Builder::new();
    // Each request has a connection of its own, so that a slow request does not delay others.
    http.keep_alive(false)
        .title_case_headers(true)
        .max_header_size(MAX_HEAD)
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE);
    let answering = service_fn(|request| {
        let (service, stranger) = (Arc::clone(&service), stranger.clone());
        Box::pin(async move { Ok::<_, Infallible>(service.respond(request, &stranger).await) })
    });
    let mut connection = http.serve_connection(TokioIo::new(Box::pin(socket)), answering);
    // After an error of the client, such as a malformed head, the answer is still being sent.
    let _ = poll_fn(|context| connection.poll_without_shutdown(context)).await;
    drain(connection.into_parts().io.into_inner()).await;
}

/// Reads the rest of a request for a bounded time, so that its answer arrives.
async fn drain(mut socket: Pin<Box<TimeoutStream<TcpStream>>>) {
    if socket.shutdown().await.is_ok() {
        let mut left = socket.take(MAX_LEFT);
        let _ = timeout(LEFT, tokio::io::copy(&mut left, &mut tokio::io::sink())).await;
    }
}
