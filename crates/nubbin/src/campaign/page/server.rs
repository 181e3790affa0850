use super::access::Access;
use super::answer::{Answer, Refusal};
use super::connections::Connections;
use super::request::{self, Request};
use super::route::Route;
use super::stores::Stores;
use super::stream::Stream;
use super::{action, api};
use crate::campaign::{Hub, Live};
use crate::exit::Exit;
use crate::problem::Problem;
use nubbin_campaign::Store;
use std::io::{self, Read};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// The most connections at the same time, streams among them.
const MOST_CONNECTIONS: usize = 256;
/// The most streams of events.
const MOST_STREAMS: usize = 16;
/// The time that the end of the server gives to answers that are being sent.
const END: Duration = Duration::from_millis(400);
/// The time after which a full server looks whether it is to end.
const STEP: Duration = Duration::from_millis(100);
/// The time after which a client that takes nothing of its answer is given up.
const PATIENCE: Duration = Duration::from_secs(10);
/// How much of a request that was refused, and for how long, is read before the connection is
/// closed. A system drops an answer with the connection if there is something left to read.
const MOST_LEFT: u64 = 1024 * 1024;
const LEFT: Duration = Duration::from_millis(500);

/// The server of the web page of a campaign. It serves until it is dropped.
pub(crate) struct PageServer {
    shared: Arc<Shared>,
    address: SocketAddr,
    receiver: Option<JoinHandle<()>>,
}

/// What the threads of a server use together.
struct Shared {
    stores: Stores,
    hub: Hub,
    live: Live,
    access: Access,
    connections: Connections,
    streams: AtomicUsize,
    stopping: AtomicBool,
}

impl PageServer {
    /// Serves the page of the campaign in a folder. A server that other machines can reach has a
    /// token, a random one if none is given.
    pub(crate) fn start(
        folder: &Path,
        hub: Hub,
        live: Live,
        address: SocketAddr,
        token: Option<String>,
    ) -> Result<PageServer, Problem> {
        let problem = |what: String| Problem::new(Exit::Usage, what);
        let stores = Stores::new(folder);
        // A database that cannot be used is told now, and not by each request.
        let _: Store = stores.open().map_err(|error| {
            let what = format!("cannot serve the page of `{}`", folder.display());
            problem(what).because(&error)
        })?;
        let token = match token {
            None if !address.ip().is_loopback() => {
                Some(Access::random_token().map_err(|error| {
                    problem("cannot make a token for the page".to_owned()).because(&error)
                })?)
            }
            token => token,
        };
        let cannot = |error: io::Error| {
            problem(format!("cannot serve the page at `{address}`"))
                .because(&error)
                .hint("give port 0 to use any free port")
        };
        let listener = TcpListener::bind(address).map_err(cannot)?;
        let bound = listener.local_addr().map_err(cannot)?;
        let shared = Arc::new(Shared {
            stores,
            hub,
            live,
            access: Access::new(bound, token),
            connections: Connections::new(MOST_CONNECTIONS),
            streams: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
        });
        let receiver = std::thread::Builder::new().name("page".to_owned()).spawn({
            let shared = Arc::clone(&shared);
            move || receive(&shared, &listener)
        });
        Ok(PageServer {
            shared,
            address: bound,
            receiver: Some(receiver.map_err(cannot)?),
        })
    }

    /// Returns the address of the page, with the token where there is one.
    pub(crate) fn url(&self) -> String {
        self.shared.access.url()
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        self.shared.stopping.store(true, Ordering::Relaxed);
        // A connection wakes the thread that waits for one.
        let mut own = self.address;
        if own.ip().is_unspecified() {
            own.set_ip(match own.ip() {
                IpAddr::V4(_) => IpAddr::from([127, 0, 0, 1]),
                IpAddr::V6(_) => IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1_u16]),
            });
        }
        let is_woken = TcpStream::connect_timeout(&own, END).is_ok();
        if let Some(receiver) = self.receiver.take()
            && is_woken
        {
            let _ = receiver.join();
        }
        self.shared.connections.end(END);
    }
}

/// Gives each connection a thread.
fn receive(shared: &Arc<Shared>, listener: &TcpListener) {
    loop {
        let accepted = listener.accept();
        if shared.stopping.load(Ordering::Relaxed) {
            return;
        }
        let Ok((socket, _)) = accepted else {
            // There are too many open files, which passes.
            std::thread::sleep(STEP);
            continue;
        };
        let socket = Arc::new(socket);
        let number = loop {
            if let Some(number) = shared.connections.enter(&socket, STEP) {
                break number;
            }
            if shared.stopping.load(Ordering::Relaxed) {
                return;
            }
        };
        let counted = Counted(Arc::clone(shared), number);
        let thread = std::thread::Builder::new().name("page request".to_owned());
        // Without a thread, the connection is closed.
        let _ = thread.spawn(move || {
            let counted = counted;
            counted.0.serve(&socket);
        });
    }
}

/// Counts a connection out when its thread ends in any way.
struct Counted(Arc<Shared>, u64);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.connections.leave(self.1);
    }
}

/// Counts a stream out when it ends in any way.
struct CountedStream<'a>(&'a AtomicUsize);

impl Drop for CountedStream<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Shared {
    /// Answers the request of a connection.
    fn serve(&self, socket: &Arc<TcpStream>) {
        let _ = socket.set_nodelay(true);
        if socket.set_write_timeout(Some(PATIENCE)).is_err() {
            return;
        }
        let Some(request) = Request::read(socket) else {
            return;
        };
        let asked = request.and_then(|mut request| self.asked(&mut request, socket));
        let (answer, is_refused) = match asked {
            Ok(Asked::Answer(answer)) => (answer, false),
            Ok(Asked::Stream(last)) => match self.stream(socket, last) {
                Ok(()) => return,
                Err(refusal) => (refusal.into(), true),
            },
            Err(refusal) => (refusal.into(), true),
        };
        // The client may have gone.
        let is_sent = answer.write(&**socket).is_ok();
        if is_sent && is_refused && socket.shutdown(Shutdown::Write).is_ok() {
            let _ = socket.set_read_timeout(Some(LEFT));
            let _ = io::copy(&mut (&**socket).take(MOST_LEFT), &mut io::sink());
        }
    }

    fn asked(&self, request: &mut Request, socket: &TcpStream) -> Result<Asked, Refusal> {
        let target = request::target(&request.target);
        let route = target.as_ref().ok().map(|(path, _)| Route::of(path));
        // A stranger learns nothing of which paths there are.
        let named = route.as_ref().and_then(|it| it.as_ref().ok()).copied();
        self.access
            .check(request, named.unwrap_or(Route::Summary))?;
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

/// What a request is answered with.
enum Asked {
    Answer(Answer),
    /// A stream of the events after this one.
    Stream(Option<i64>),
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_campaign::{
        Event, EventKind, Found, Identity, IssueState, JobKind, Listener, Severity, SliceEnd, Test,
    };
    use serde_json::Value;
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;
    use tempfile::TempDir;

    const MARKUP: &str = "<img src=x onerror=alert(1)>";

    struct Campaign {
        folder: TempDir,
        hub: Hub,
        server: PageServer,
        host: String,
    }

    impl Campaign {
        fn new(token: Option<&str>) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let mut store = Store::create(folder.path()).unwrap();
            let mut end = SliceEnd {
                tests: 100,
                failures: 2,
                ..SliceEnd::default()
            };
            for (what, test) in [(MARKUP, &b"((\xff"[..]), ("SIGSEGV", b"((")] {
                end.add(Found {
                    identity: Identity::new("signal", what, vec!["f".into()]),
                    severity: Severity::Medium,
                    test: Test::new(test),
                    exit: "SIGSEGV".into(),
                    output: b"\x1b[31mred".to_vec(),
                    seen: 1,
                });
            }
            let follow = JobKind::Validate;
            store
                .record_slice("parser", "random", "1.0", (0..100, &end), follow)
                .unwrap();
            let (hub, address) = (Hub::default(), "127.0.0.1:0".parse().unwrap());
            let token = token.map(str::to_owned);
            let server =
                PageServer::start(folder.path(), hub.clone(), Live::default(), address, token);
            let server = server.unwrap();
            let url = server.url();
            let host = url.strip_prefix("http://").unwrap();
            Campaign {
                host: host.split('/').next().unwrap().to_owned(),
                folder,
                hub,
                server,
            }
        }

        fn store(&self) -> Store {
            Store::open(self.folder.path()).unwrap()
        }

        /// Sends a request as it is, and returns the status and the whole answer.
        fn raw(&self, request: &str) -> (u16, String) {
            let mut stream = TcpStream::connect(&self.host).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            let mut answer = vec![];
            stream.read_to_end(&mut answer).unwrap();
            let answer = String::from_utf8_lossy(&answer).into_owned();
            let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
            (status, answer)
        }

        fn request(&self, line: &str, headers: &str, body: &str) -> (u16, String) {
            let (host, length) = (&self.host, body.len());
            self.raw(&format!(
                "{line} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
                 Content-Length: {length}\r\n{headers}\r\n{body}"
            ))
        }

        fn get(&self, path: &str) -> (u16, String) {
            self.request(&format!("GET {path}"), "", "")
        }

        fn json(&self, path: &str) -> Value {
            let (status, answer) = self.get(path);
            assert_eq!(status, 200, "{answer}");
            serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
        }

        fn act(&self, id: i64, body: &str) -> u16 {
            let line = format!("POST /api/issue/{id}");
            self.request(&line, "Content-Type: application/json\r\n", body)
                .0
        }

        /// Opens a stream of events, and returns its lines.
        fn events(&self, headers: &str) -> impl Iterator<Item = String> + use<> {
            let mut stream = TcpStream::connect(&self.host).unwrap();
            let host = &self.host;
            let request = format!("GET /api/events HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n");
            stream.write_all(request.as_bytes()).unwrap();
            BufReader::new(stream).lines().map_while(Result::ok)
        }
    }

    fn event(text: &str) -> Event {
        Event::new(EventKind::Warning, text)
    }

    #[test]
    fn the_page_is_served_with_headers_that_protect_it() {
        let campaign = Campaign::new(None);
        for (path, kind) in [
            ("/", "text/html"),
            ("/page.js", "text/javascript"),
            ("/page.css", "text/css"),
        ] {
            let (status, answer) = campaign.get(path);
            assert_eq!(status, 200, "{path}");
            assert!(answer.contains(&format!("Content-Type: {kind}")), "{path}");
            for (name, value) in super::super::answer::HEADERS {
                assert!(answer.contains(&format!("{name}: {value}\r\n")), "{name}");
            }
        }
    }

    #[test]
    fn the_script_never_makes_markup_of_text() {
        let script = include_str!("page.js");
        for way in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
        ] {
            assert!(!script.contains(way), "{way}");
        }
        let page = include_str!("page.html");
        assert!(!page.contains("style=") && !page.contains("onclick="));
    }

    #[test]
    fn issues_are_listed_without_their_tests() {
        let campaign = Campaign::new(None);
        let list = campaign.json("/api/issues");
        assert_eq!(list.as_array().unwrap().len(), 2);
        assert_eq!(list[0]["test_bytes"], 2);
        assert!(list[0].get("test").is_none());
        assert_eq!(list[1]["identity"]["what"], MARKUP);
        let found = campaign.json("/api/issues?state=open,closed&program=parser&text=sigSEGV");
        assert_eq!(found.as_array().unwrap().len(), 1);
        for none in ["state=closed", "program=other", "text=nowhere"] {
            let found = campaign.json(&format!("/api/issues?{none}"));
            assert!(found.as_array().unwrap().is_empty(), "{none}");
        }
    }

    #[test]
    fn markup_is_data_and_never_a_page() {
        let campaign = Campaign::new(None);
        for path in ["/api/issues", "/api/issue/1", "/api/summary"] {
            let (_, answer) = campaign.get(path);
            assert!(
                answer.contains("Content-Type: application/json\r\n"),
                "{path}"
            );
        }
        let missing = format!("/api/{}", MARKUP.replace(' ', "%20"));
        let (status, answer) = campaign.get(&missing);
        assert_eq!(status, 404);
        assert!(answer.contains("Content-Type: text/plain"));
        assert!(!campaign.get("/").1.contains("onerror"));
    }

    #[test]
    fn an_issue_has_its_texts_and_its_files() {
        let campaign = Campaign::new(None);
        let issue = campaign.json("/api/issue/1");
        assert_eq!(issue["test"]["is_utf8"], false);
        assert_eq!(issue["test"]["bytes"], 3);
        assert_eq!(issue["reduced"], Value::Null);
        assert_eq!(issue["output"]["text"], "\u{1b}[31mred");
        assert_eq!(issue["sightings"][0]["generator"], "random");
        assert_eq!(issue["jobs"][0]["kind"], "validate");
        let (status, answer) = campaign.get("/api/issue/2/test");
        assert_eq!(status, 200);
        assert!(answer.contains("Content-Type: application/octet-stream\r\n"));
        assert!(answer.contains("attachment; filename=\"issue-2.test\""));
        assert!(answer.ends_with("\r\n\r\n(("));
        assert_eq!(campaign.get("/api/issue/2/reduced").0, 404);
    }

    #[test]
    fn the_summary_counts() {
        let campaign = Campaign::new(None);
        let summary = campaign.json("/api/summary");
        assert_eq!(summary["totals"]["tests"], 100);
        assert_eq!(summary["issues"]["open"], 2);
        assert_eq!(summary["is_running"], false);
        assert_eq!(summary["queued"].as_array().unwrap().len(), 2);
        assert_eq!(summary["programs"][0]["versions"][0], "1.0");
        let history = campaign.json("/api/history?since=0");
        assert_eq!(history[0]["tests"], 100);
    }

    #[test]
    fn requests_by_other_names_and_from_other_sites_are_refused() {
        let campaign = Campaign::new(None);
        for host in ["Host: evil.example\r\n", "", "Host: a\r\nHost: b\r\n"] {
            for path in ["/", "/api/summary"] {
                let request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{host}\r\n");
                assert_eq!(campaign.raw(&request).0, 403, "{host}{path}");
            }
        }
        let own = format!("Origin: http://{}\r\n", campaign.host);
        assert_eq!(campaign.request("GET /api/summary", &own, "").0, 200);
        for origin in ["http://evil.example", "null", "https://localhost"] {
            let headers = format!("Origin: {origin}\r\nContent-Type: application/json\r\n");
            let body = r#"{"action": "delete"}"#;
            let (status, _) = campaign.request("POST /api/issue/1", &headers, body);
            assert_eq!(status, 403, "{origin}");
        }
        for kind in ["", "Content-Type: text/plain\r\n"] {
            let body = r#"{"action": "delete"}"#;
            assert_eq!(campaign.request("POST /api/issue/1", kind, body).0, 403);
        }
        assert_eq!(
            campaign.store().issues(&Default::default()).unwrap().len(),
            2
        );
    }

    #[test]
    fn a_token_is_needed_for_all_but_the_page() {
        let campaign = Campaign::new(Some("secret"));
        assert!(campaign.server.url().ends_with("/#token=secret"));
        assert_eq!(campaign.get("/page.js").0, 200);
        for path in ["/api/summary", "/api/issue/1/test", "/api/events", "/other"] {
            let line = format!("GET {path}");
            for wrong in [
                "",
                "Authorization: Bearer secre\r\n",
                "Authorization: secret\r\n",
            ] {
                assert_eq!(campaign.request(&line, wrong, "").0, 401, "{path} {wrong}");
            }
        }
        let right = "Authorization: Bearer secret\r\n";
        assert_eq!(campaign.request("GET /api/summary", right, "").0, 200);
    }

    #[test]
    fn a_server_for_other_machines_makes_a_token() {
        let campaign = Campaign::new(None);
        let server = PageServer::start(
            campaign.folder.path(),
            Hub::default(),
            Live::default(),
            "0.0.0.0:0".parse().unwrap(),
            None,
        );
        let url = server.unwrap().url();
        assert_eq!(url.split_once("/#token=").unwrap().1.len(), 32);
    }

    #[test]
    fn actions_change_the_database_and_are_told() {
        let campaign = Campaign::new(None);
        let events = campaign.hub.subscribe();
        let state = |id| campaign.store().issue(id).unwrap().unwrap().state;
        for (action, expected) in [
            ("ignore", IssueState::Ignored),
            ("close", IssueState::Closed),
            ("open", IssueState::Open),
        ] {
            let body = format!(r#"{{"action": "{action}"}}"#);
            assert_eq!(campaign.act(1, &body), 200);
            assert_eq!(state(1), expected);
        }
        let told = events.recv().unwrap();
        assert_eq!(
            (told.event.issue, told.event.kind),
            (Some(1), EventKind::IssueUpdated)
        );
        let note = r#"{"action": "note", "note": "known: <b>"}"#;
        assert_eq!(campaign.act(1, note), 200);
        assert_eq!(
            campaign.store().issue(1).unwrap().unwrap().note,
            "known: <b>"
        );
        assert_eq!(campaign.act(2, r#"{"action": "reduce"}"#), 200);
        assert_eq!(campaign.act(1, r#"{"action": "validate"}"#), 200);
        let jobs = campaign.store().jobs().unwrap();
        let first: Vec<_> = (jobs.iter().filter(|job| job.priority))
            .map(|job| (job.kind, job.issue))
            .collect();
        assert_eq!(
            first,
            [(JobKind::Validate, Some(1)), (JobKind::Reduce, Some(2))]
        );
        assert_eq!(campaign.act(2, r#"{"action": "delete"}"#), 200);
        assert_eq!(campaign.get("/api/issue/2").0, 404);
        assert_eq!(campaign.act(2, r#"{"action": "delete"}"#), 404);
    }

    #[test]
    fn wrong_requests_say_what_is_wrong() {
        let campaign = Campaign::new(None);
        assert_eq!(campaign.get("/nothing").0, 404);
        assert_eq!(campaign.get("/api/issue/99").0, 404);
        for wrong in [
            "/api/issue/x",
            "/api/issues?state=x",
            "/api/issues?text=%ff",
        ] {
            assert_eq!(campaign.get(wrong).0, 400, "{wrong}");
        }
        assert_eq!(campaign.get("/api/history?since=x").0, 400);
        for wrong in [
            "{",
            "[]",
            r#"{"action": "explode"}"#,
            r#"{"action": "note"}"#,
        ] {
            assert_eq!(campaign.act(1, wrong), 400, "{wrong}");
        }
        let (status, answer) = campaign.request("DELETE /api/issue/1", "", "");
        assert_eq!(status, 405);
        assert!(answer.contains("Allow: GET, POST\r\n"));
        assert_eq!(campaign.get("/api/stop").0, 405);
        let kind = "Content-Type: application/json\r\n";
        assert_eq!(campaign.request("POST /api/stop", kind, "{}").0, 409);
    }

    #[test]
    fn a_large_body_is_refused() {
        let campaign = Campaign::new(None);
        assert_eq!(campaign.act(1, &" ".repeat(64 * 1024 + 1)), 413);
        let (status, _) = campaign.raw(&format!(
            "POST /api/issue/1 HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Transfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n",
            campaign.host
        ));
        assert_eq!(status, 411);
        let line = format!("GET /?{}", "x".repeat(64 * 1024));
        assert_eq!(campaign.request(&line, "", "").0, 431);
    }

    #[test]
    fn a_body_that_claims_to_be_endless_does_no_harm() {
        let campaign = Campaign::new(None);
        let mut stream = TcpStream::connect(&campaign.host).unwrap();
        let (host, length) = (&campaign.host, u64::MAX / 4);
        let head = format!("GET / HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        drop(stream);
        assert_eq!(campaign.get("/").0, 200);
    }

    #[test]
    fn a_client_that_is_silent_in_the_middle_does_not_block_others() {
        let campaign = Campaign::new(None);
        let silent: Vec<TcpStream> = (0..MOST_CONNECTIONS / 2)
            .map(|_| {
                let mut stream = TcpStream::connect(&campaign.host).unwrap();
                let head = format!(
                    "POST /api/issue/1 HTTP/1.1\r\nHost: {}\r\nContent-Length: 2000\r\n\
                     Content-Type: application/json\r\n\r\n{{",
                    campaign.host
                );
                stream.write_all(head.as_bytes()).unwrap();
                stream
            })
            .collect();
        assert_eq!(campaign.get("/api/summary").0, 200);
        drop(silent);
    }

    #[test]
    fn a_database_that_is_gone_is_an_error_of_the_server() {
        let campaign = Campaign::new(None);
        std::fs::remove_file(campaign.folder.path().join("campaign.sqlite")).unwrap();
        let (status, answer) = campaign.get("/api/summary");
        assert_eq!(status, 500);
        assert!(answer.contains("campaign.sqlite"), "{answer}");
        assert_eq!(campaign.get("/api/events").0, 500);
        assert_eq!(campaign.get("/").0, 200);
    }

    #[test]
    fn a_stream_goes_on_after_an_event() {
        let campaign = Campaign::new(None);
        let mut store = campaign.store();
        let first = store.record_event(event("first")).unwrap().id.unwrap();
        let second = store.record_event(event("second")).unwrap().id.unwrap();
        let mut lines = campaign.events(&format!("Last-Event-ID: {first}\r\n"));
        assert_eq!(lines.next().unwrap(), "HTTP/1.1 200 OK");
        assert!(lines.any(|line| line == format!("id: {second}")));
        assert_eq!(lines.next().unwrap(), "event: warning");
        assert!(lines.next().unwrap().contains("\"second\""));
        // Another process, which has no hub in common.
        let third = store.record_event(event("third")).unwrap().id.unwrap();
        let next = lines.find(|line| line.starts_with("id: ")).unwrap();
        assert_eq!(next, format!("id: {third}"));
        // The campaign of this process: an event of the moment, and one that is kept.
        let moment = Event::new(EventKind::Statistics, "moment");
        campaign.hub.receive(&store.record_event(moment).unwrap());
        assert!(lines.any(|line| line.starts_with("data: ") && line.contains("moment")));
        let told = store.record_event(event("fourth")).unwrap();
        campaign.hub.receive(&told);
        let next = lines.find(|line| line.starts_with("id: ")).unwrap();
        assert_eq!(next, format!("id: {}", told.id.unwrap()));
    }

    #[test]
    fn a_new_stream_begins_with_what_comes() {
        let campaign = Campaign::new(None);
        let mut store = campaign.store();
        store.record_event(event("before")).unwrap();
        for headers in ["", "Last-Event-ID: 999999\r\n", "Last-Event-ID: x\r\n"] {
            let mut lines = campaign.events(headers);
            assert!(lines.any(|line| line == "event: hello"));
            let next = store.record_event(event("next")).unwrap().id.unwrap();
            let id = lines.find(|line| line.starts_with("id: ")).unwrap();
            assert_eq!(id, format!("id: {next}"), "{headers}");
        }
    }

    #[test]
    fn the_number_of_streams_is_bounded() {
        let campaign = Campaign::new(None);
        let streams: Vec<_> = (0..MOST_STREAMS)
            .map(|_| {
                let mut lines = campaign.events("");
                assert!(lines.any(|line| line == "event: hello"));
                lines
            })
            .collect();
        assert_eq!(campaign.get("/api/events").0, 503);
        assert_eq!(campaign.get("/api/summary").0, 200);
        drop(streams);
    }

    #[test]
    fn the_end_of_the_server_ends_its_threads_and_streams() {
        let campaign = Campaign::new(None);
        let mut lines = campaign.events("");
        assert!(lines.any(|line| line == "event: hello"));
        let shared = Arc::downgrade(&campaign.server.shared);
        drop(campaign.server);
        while shared.strong_count() > 0 {
            std::thread::yield_now();
        }
        // The stream has an end.
        assert_eq!(lines.filter(|line| line.starts_with("id:")).count(), 0);
    }
}
