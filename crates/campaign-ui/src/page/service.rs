//! The answers of the server.

use super::access::Access;
use super::answer::{Answer, Refusal};
use super::connections::Connections;
use super::request::{self, Request};
use super::route::Route;
use super::stores::Stores;
use super::stream::{EVENTS, Stream};
use super::{action, api};
use crate::{Hub, Live};
use nubbin_campaign::Store;
use serde_json::json;
use std::io::Read;
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The maximum number of streams of events.
pub(super) const MOST_STREAMS: usize = 16;
/// The time after which a client that takes nothing of its answer is given up.
const PATIENCE: Duration = Duration::from_secs(10);
/// How much of a request that was refused, and for how long, is read before the connection is
/// closed. A system drops an answer with the connection if there is something left to read.
const MOST_LEFT: u64 = 1024 * 1024;
const LEFT: Duration = Duration::from_millis(500);

/// The state that the threads of a server share.
pub(super) struct Service {
    pub(super) stores: Stores,
    pub(super) hub: Hub,
    pub(super) live: Live,
    pub(super) access: Access,
    pub(super) connections: Connections,
    pub(super) streams: AtomicUsize,
    pub(super) stopping: AtomicBool,
}

/// Counts a stream out when it ends in any way.
struct CountedStream<'a>(&'a AtomicUsize);

impl Drop for CountedStream<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Service {
    /// Answers the request of a connection.
    pub(super) fn serve(&self, number: u64, socket: &Arc<TcpStream>) {
        let _ = socket.set_nodelay(true);
        if socket.set_write_timeout(Some(PATIENCE)).is_err() {
            return;
        }
        let Some(request) = Request::read(socket) else {
            return;
        };
        let is_head = matches!(&request, Ok(request) if request.method == "HEAD");
        let asked = request.and_then(|mut request| self.asked(&mut request, number, socket));
        let (answer, is_refused) = match asked {
            Ok(Asked::Answer(answer)) => (answer, false),
            Ok(Asked::Stream(_)) if is_head => (Answer::new(EVENTS, vec![]), false),
            Ok(Asked::Stream(last)) => match self.stream(socket, last) {
                Ok(()) => return,
                Err(refusal) => (refusal.into(), true),
            },
            Err(refusal) => (refusal.into(), true),
        };
        // The client may have closed the connection.
        let is_sent = match is_head {
            true => answer.write_head(&**socket).is_ok(),
            false => answer.write(&**socket).is_ok(),
        };
        if is_sent && is_refused && socket.shutdown(Shutdown::Write).is_ok() {
            drain(socket);
        }
    }

    fn asked(
        &self,
        request: &mut Request,
        number: u64,
        socket: &TcpStream,
    ) -> Result<Asked, Refusal> {
        let target = request::target(&request.target);
        let route = target.as_ref().ok().map(|(path, _)| Route::of(path));
        // A stranger learns nothing of which paths there are.
        let named = route.as_ref().and_then(|it| it.as_ref().ok()).copied();
        self.access
            .check(request, named.unwrap_or(Route::Summary))?;
        if !matches!(named, Some(Route::Asset(_))) {
            self.connections.trust(number);
        }
        let (path, parameters) = target?;
        let route = route.unwrap_or_else(|| Route::of(&path))?;
        route.check(&request.method)?;
        let is_post = request.method == "POST";
        let body = match is_post {
            true => request.body(socket)?,
            false => vec![],
        };
        let read = |reading: &dyn Fn(&Store) -> Result<Answer, Refusal>| {
            self.stores.with(|store| reading(store))
        };
        let answer = match route {
            Route::Asset(asset) => Ok(asset.answer()),
            Route::Events => {
                let last = request.header("Last-Event-ID");
                return Ok(Asked::Stream(last.and_then(|id| id.parse().ok())));
            }
            Route::Session => Answer::json(&json!({ "key": self.access.key() }))
                .map(|answer| answer.with("Set-Cookie", self.access.cookie())),
            Route::Stop => action::stop(&self.live),
            Route::Summary => read(&|store| api::summary(store, &self.live)),
            Route::History => read(&|store| api::history(store, &parameters)),
            Route::Issues => read(&|store| api::issues(store, &parameters)),
            Route::Test(id) => read(&|store| api::test(store, id)),
            Route::Reduced(id) => read(&|store| api::reduced(store, id)),
            Route::Issue(id) if is_post => self
                .stores
                .with(|store| action::act(store, (&self.hub, &self.live), id, &body)),
            Route::Issue(id) => read(&|store| api::issue(store, id)),
        };
        answer.map(Asked::Answer)
    }

    /// Sends events until the end.
    fn stream(&self, socket: &Arc<TcpStream>, last: Option<i64>) -> Result<(), Refusal> {
        let before = self.streams.fetch_add(1, Ordering::Relaxed);
        let _counted = CountedStream(&self.streams);
        if before >= MOST_STREAMS {
            let why = format!("There are at most {MOST_STREAMS} streams of events.");
            return Err(Refusal::new(503, why));
        }
        // Subscribe before the database is read, so that no event falls between both.
        let live = self.hub.subscribe();
        let store = self.stores.open()?;
        let newest = store.last_event()?;
        let stream = Stream {
            store,
            live,
            // A number from another database may be too large.
            last: last.map_or(newest, |last| last.clamp(0, newest)),
            socket: Arc::clone(socket),
        };
        stream.run(&self.stopping);
        Ok(())
    }
}

/// The answer to a request.
enum Asked {
    Answer(Answer),
    /// A stream of the events after this one.
    Stream(Option<i64>),
}

/// Reads what is left of a request that was refused, for a bounded time.
fn drain(mut socket: &TcpStream) {
    let until = Instant::now() + LEFT;
    let (mut left, mut part) = (MOST_LEFT, [0; 4096]);
    loop {
        let time = until.saturating_duration_since(Instant::now());
        if time.is_zero() || left == 0 || socket.set_read_timeout(Some(time)).is_err() {
            return;
        }
        match socket.read(&mut part) {
            Ok(count) if count > 0 => left = left.saturating_sub(count as u64),
            _ => return,
        }
    }
}
