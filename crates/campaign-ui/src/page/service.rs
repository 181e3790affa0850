//! The answers of the server.

use super::access::Access;
use super::answer::{Answer, Body, Refusal};
use super::request;
use super::route::Route;
use super::stores::Stores;
use super::strangers::Stranger;
use super::stream::{EVENTS, Events, Stream};
use super::{action, api};
use crate::{Hub, Live};
use hyper::body::{Bytes, Incoming};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response};
use nubbin_campaign::Store;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::watch;
use tokio::task::spawn_blocking;

/// The maximum number of streams of events.
pub(super) const MOST_STREAMS: usize = 16;

/// The state that the connections of a server share.
pub(super) struct Service {
    pub(super) stores: Stores,
    pub(super) hub: Hub,
    pub(super) live: Live,
    pub(super) access: Access,
    pub(super) streams: AtomicUsize,
    pub(super) stopping: watch::Receiver<bool>,
}

/// Counts a stream out when it ends in any way.
struct CountedStream(Arc<Service>);

impl Drop for CountedStream {
    fn drop(&mut self) {
        self.0.streams.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Service {
    /// Answers a request.
    pub(super) async fn respond(
        self: Arc<Self>,
        request: Request<Incoming>,
        stranger: &Stranger,
    ) -> Response<Body> {
        let (head, body) = request.into_parts();
        let answered = match self.admit(&head, stranger) {
            Ok(route) => self.answered(route, head, body).await,
            Err(refusal) => Err(refusal),
        };
        answered.unwrap_or_else(Answer::from).into()
    }

    /// Returns the target of a request of a client that may have it.
    fn admit(&self, head: &Parts, stranger: &Stranger) -> Result<Route, Refusal> {
        let route = Route::of(head.uri.path());
        // A client without the token cannot find out which paths exist.
        let named = route.as_ref().ok().copied();
        self.access.check(head, named.unwrap_or(Route::Summary))?;
        if !matches!(named, Some(Route::Asset(_))) {
            stranger.leave();
        }
        let route = route?;
        route.check(&head.method)?;
        Ok(route)
    }

    async fn answered(
        self: Arc<Self>,
        route: Route,
        head: Parts,
        body: Incoming,
    ) -> Result<Answer, Refusal> {
        if let Route::Asset(asset) = route {
            return Ok(asset.answer());
        }
        let body = match head.method == Method::POST {
            true => request::body(body).await?,
            false => Bytes::new(),
        };
        // The database query blocks, so it runs on another thread.
        let asked = spawn_blocking(move || self.asked(route, &head, &body));
        let failed = |_| Err(Refusal::new(500, "The request failed."));
        asked.await.unwrap_or_else(failed)
    }

    fn asked(self: Arc<Self>, route: Route, head: &Parts, body: &[u8]) -> Result<Answer, Refusal> {
        let parameters = request::parameters(head.uri.query().unwrap_or(""))?;
        let read = |reading: &dyn Fn(&Store) -> Result<Answer, Refusal>| {
            self.stores.with(|store| reading(store))
        };
        match route {
            Route::Asset(asset) => Ok(asset.answer()),
            Route::Events if head.method == Method::HEAD => Ok(Answer::new(EVENTS, "")),
            Route::Events => {
                let last = request::header(&head.headers, "Last-Event-ID");
                let last = last.and_then(|id| id.parse().ok());
                self.stream(last)
            }
            Route::Session => Answer::json(&json!({ "key": self.access.key() }))
                .map(|answer| answer.with("Set-Cookie", self.access.cookie())),
            Route::Stop => action::stop(&self.live),
            Route::Summary => read(&|store| api::summary(store, &self.live)),
            Route::History => read(&|store| api::history(store, &parameters)),
            Route::Issues => read(&|store| api::issues(store, &parameters)),
            Route::Test(id) => read(&|store| api::test(store, id)),
            Route::Reduced(id) => read(&|store| api::reduced(store, id)),
            Route::Issue(id) if head.method == Method::POST => self
                .stores
                .with(|store| action::act(store, (&self.hub, &self.live), id, body)),
            Route::Issue(id) => read(&|store| api::issue(store, id)),
        }
    }

    /// Returns a stream of the events after one.
    fn stream(self: Arc<Self>, last: Option<i64>) -> Result<Answer, Refusal> {
        let before = self.streams.fetch_add(1, Ordering::Relaxed);
        let counted = CountedStream(self);
        let service = &counted.0;
        if before >= MOST_STREAMS {
            let why = format!("There are at most {MOST_STREAMS} streams of events.");
            return Err(Refusal::new(503, why));
        }
        // The stream subscribes before it reads the database, so that it misses no event in
        // between.
        let live = service.hub.subscribe();
        let store = service.stores.open()?;
        let newest = store.last_event()?;
        let (texts, events) = Events::new();
        let stream = Stream {
            store,
            live,
            // The event number may come from another database, and may be too large.
            last: last.map_or(newest, |last| last.clamp(0, newest)),
            texts,
        };
        spawn_blocking(move || stream.run(&counted.0.stopping));
        Ok(Answer::events(events))
    }
}
