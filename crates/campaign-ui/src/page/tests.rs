//! Requests to a server, and its answers.

use super::server::{MOST_CONNECTIONS, PageServer};
use super::service::MOST_STREAMS;
use super::token::Token;
use crate::{Hub, Live};
use nubbin_campaign::{
    Event, EventKind, Found, Identity, IssueState, JobKind, Listener, Severity, SliceEnd, Store,
    Test,
};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use tempfile::TempDir;

const MARKUP: &str = "<img src=x onerror=alert(1)>";

struct Campaign {
    folder: TempDir,
    hub: Hub,
    server: PageServer,
    host: String,
    token: String,
}

impl Campaign {
    fn new() -> Self {
        Campaign::with(Token::random().unwrap())
    }

    fn with(token: Token) -> Self {
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
                inputs: vec![],
            });
        }
        let follow = JobKind::Validate;
        store
            .record_slice("parser", "random", "1.0", (0..100, &end), follow)
            .unwrap();
        let (hub, address) = (Hub::default(), "127.0.0.1:0".parse().unwrap());
        let text = token.shown().unwrap_or_default().to_owned();
        let server = PageServer::start(folder.path(), hub.clone(), Live::default(), address, token);
        let server = server.unwrap();
        let url = server.url();
        let host = url.strip_prefix("http://").unwrap();
        Campaign {
            host: host.split('/').next().unwrap().to_owned(),
            folder,
            hub,
            server,
            token: text,
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

    /// Sends a request with the token.
    fn request(&self, line: &str, headers: &str, body: &str) -> (u16, String) {
        let headers = format!("Authorization: Bearer {}\r\n{headers}", self.token);
        self.as_stranger(line, &headers, body)
    }

    /// Sends a request without the token.
    fn as_stranger(&self, line: &str, headers: &str, body: &str) -> (u16, String) {
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
        let token = &self.token;
        let request = format!(
            "GET /api/events HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n{headers}\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        BufReader::new(stream).lines().map_while(Result::ok)
    }
}

fn event(text: &str) -> Event {
    Event::new(EventKind::Warning, text)
}

#[test]
fn the_page_is_served_with_headers_that_protect_it() {
    let campaign = Campaign::new();
    for (path, kind) in [
        ("/", "text/html"),
        ("/page.js", "text/javascript"),
        ("/page.css", "text/css"),
    ] {
        let (status, answer) = campaign.get(path);
        assert_eq!(status, 200, "{path}");
        assert!(answer.contains(&format!("Content-Type: {kind}")), "{path}");
        for (name, value) in super::answer::HEADERS {
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
    let campaign = Campaign::new();
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
    let campaign = Campaign::new();
    for path in ["/api/issues", "/api/issue/1", "/api/summary"] {
        let (_, answer) = campaign.get(path);
        assert!(
            answer.contains("Content-Type: application/json\r\n"),
            "{path}"
        );
    }
    let sent = MARKUP.replace(' ', "%20");
    let (status, answer) = campaign.get(&format!("/api/{sent}"));
    assert_eq!(status, 400, "no browser sends angle brackets");
    assert!(!answer.contains("onerror"));
    let missing = sent.replace('<', "%3C").replace('>', "%3E");
    let (status, answer) = campaign.get(&format!("/api/{missing}"));
    assert_eq!(status, 404);
    assert!(answer.contains("Content-Type: text/plain"));
    assert!(!campaign.get("/").1.contains("onerror"));
}

#[test]
fn an_issue_has_its_texts_and_its_files() {
    let campaign = Campaign::new();
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
    let campaign = Campaign::new();
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
    let campaign = Campaign::new();
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
    let campaign = Campaign::with(Token::of(Some("secret"), None).unwrap());
    assert!(campaign.server.url().ends_with("/#token=secret"));
    assert_eq!(campaign.as_stranger("GET /page.js", "", "").0, 200);
    for path in ["/api/summary", "/api/issue/1/test", "/api/events", "/other"] {
        let line = format!("GET {path}");
        for wrong in [
            "",
            "Authorization: Bearer secre\r\n",
            "Authorization: secret\r\n",
            "Cookie: token=secret\r\n",
        ] {
            assert_eq!(
                campaign.as_stranger(&line, wrong, "").0,
                401,
                "{path} {wrong}"
            );
        }
    }
    let right = "Authorization: Bearer secret\r\n";
    assert_eq!(campaign.as_stranger("GET /api/summary", right, "").0, 200);
}

#[test]
fn every_server_has_a_token_also_on_this_machine_alone() {
    let campaign = Campaign::new();
    let url = campaign.server.url();
    assert_eq!(url.split_once("/#token=").unwrap().1.len(), 32);
    let kind = "Content-Type: application/json\r\n";
    let delete = r#"{"action": "delete"}"#;
    assert_eq!(
        campaign.as_stranger("POST /api/issue/1", kind, delete).0,
        401
    );
    assert_eq!(campaign.as_stranger("POST /api/stop", kind, "{}").0, 401);
    assert!(campaign.store().issue(1).unwrap().is_some());
}

/// Returns the cookie and the key that a browser gets for the token.
fn session(campaign: &Campaign) -> (String, String) {
    let kind = "Content-Type: application/json\r\n";
    let (status, answer) = campaign.request("POST /api/session", kind, "{}");
    assert_eq!(status, 200, "{answer}");
    let mut lines = answer.lines();
    let set = lines.find_map(|line| line.strip_prefix("Set-Cookie: "));
    let body: serde_json::Value = serde_json::from_str(answer.lines().last().unwrap()).unwrap();
    let key = body["key"].as_str().unwrap().to_owned();
    (set.unwrap().to_owned(), key)
}

#[test]
fn a_browser_gets_a_cookie_and_a_key_for_the_token() {
    let campaign = Campaign::new();
    let (set, key) = session(&campaign);
    let port = campaign.host.rsplit_once(':').unwrap().1;
    let (pair, rest) = set.split_once("; ").unwrap();
    assert_eq!(rest, "Path=/api; HttpOnly; SameSite=Strict");
    let session = pair.strip_prefix(&format!("nubbin-{port}=")).unwrap();
    assert!(session != campaign.token && key != campaign.token && session != key);
    let with_both = |line: &str, cookie: &str, key: &str| {
        let headers =
            format!("Cookie: {cookie}\r\nNubbin-Key: {key}\r\nContent-Type: application/json\r\n");
        campaign
            .as_stranger(line, &headers, r#"{"action": "delete"}"#)
            .0
    };
    let with = |line: &str, cookie: &str| with_both(line, cookie, &key);
    // A server on another port receives the cookie from a browser, but not the key.
    let replayed = format!("Cookie: {pair}\r\nContent-Type: application/json\r\n");
    let delete = r#"{"action": "delete"}"#;
    assert_eq!(
        campaign
            .as_stranger("GET /api/issue/1/test", &replayed, "")
            .0,
        401
    );
    assert_eq!(
        campaign
            .as_stranger("POST /api/issue/1", &replayed, delete)
            .0,
        401
    );
    for wrong in ["", session, &campaign.token] {
        assert_eq!(
            with_both("GET /api/issue/1/test", pair, wrong),
            401,
            "{wrong}"
        );
    }
    assert_eq!(with_both("GET /api/issue/1/test", "other=1", &key), 401);
    assert_eq!(with("GET /api/issue/1/test", pair), 200);
    assert_eq!(
        with("GET /api/issue/1/test", &format!("other=1; {pair}")),
        200
    );
    assert_eq!(with("POST /api/issue/1", pair), 200);
    for wrong in [
        format!("nubbin-1={session}"),
        format!("nubbin-{port}="),
        format!("nubbin-{port}={}", campaign.token),
        session.to_owned(),
    ] {
        assert_eq!(with("GET /api/issue/2/test", &wrong), 401, "{wrong}");
    }
    // A cookie is given only for the token, and only by `POST`.
    assert_eq!(with("POST /api/session", pair), 401);
    assert_eq!(campaign.get("/api/session").0, 405);
    // A session ends with its server.
    let (other_set, other_key) = self::session(&Campaign::new());
    assert!(other_set != set && other_key != key);
}

#[test]
fn requests_that_a_browser_ascribes_to_other_sites_are_refused() {
    let campaign = Campaign::new();
    for site in ["cross-site", "same-site", "anything"] {
        let headers = format!("Sec-Fetch-Site: {site}\r\nContent-Type: application/json\r\n");
        for line in [
            "GET /api/summary",
            "GET /page.js",
            "GET /",
            "POST /api/issue/1",
            "POST /api/session",
        ] {
            let (status, _) = campaign.request(line, &headers, r#"{"action": "delete"}"#);
            assert_eq!(status, 403, "{site} {line}");
        }
        // A link from any site may open the page.
        let link = format!("{headers}Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n");
        assert_eq!(campaign.request("GET /", &link, "").0, 200, "{site}");
        assert_eq!(campaign.request("GET /api/issue/1/test", &link, "").0, 403);
    }
    for site in ["same-origin", "none"] {
        let headers = format!("Sec-Fetch-Site: {site}\r\n");
        assert_eq!(campaign.request("GET /api/summary", &headers, "").0, 200);
    }
    assert!(campaign.store().issue(1).unwrap().is_some());
}

#[test]
fn head_is_answered_as_get_without_a_body() {
    let campaign = Campaign::new();
    for path in [
        "/",
        "/page.js",
        "/api/summary",
        "/api/issue/1/test",
        "/api/events",
    ] {
        let (status, answer) = campaign.request(&format!("HEAD {path}"), "", "");
        assert_eq!(status, 200, "{path}");
        assert!(answer.ends_with("\r\n\r\n"), "{path}: {answer}");
    }
    let length = |answer: &str| {
        let mut lines = answer.lines();
        lines
            .find(|line| line.starts_with("Content-Length"))
            .map(str::to_owned)
    };
    let (head, get) = (campaign.request("HEAD /", "", ""), campaign.get("/"));
    assert_eq!(length(&head.1), length(&get.1));
    let (status, answer) = campaign.as_stranger("HEAD /api/summary", "", "");
    assert_eq!(status, 401);
    assert!(answer.ends_with("\r\n\r\n"), "{answer}");
}

#[test]
fn halves_of_requests_keep_nobody_waiting() {
    let campaign = Campaign::new();
    let half = |text: &str| {
        let mut stream = TcpStream::connect(&campaign.host).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    };
    // Streams of those who have shown the token are not ended to make room.
    let mut lines = campaign.events("");
    assert!(lines.any(|line| line == "event: hello"));
    let halves: Vec<TcpStream> = (0..2 * MOST_CONNECTIONS)
        .map(|_| half(&format!("GET / HTTP/1.1\r\nHost: {}\r\n", campaign.host)))
        .collect();
    assert_eq!(campaign.get("/api/summary").0, 200);
    // A connection that was refused, and continues to send.
    let refused: Vec<TcpStream> = (0..MOST_CONNECTIONS)
        .map(|_| half("POST /api/stop HTTP/1.1\r\nContent-Length: 1000\r\n\r\nx"))
        .collect();
    assert_eq!(campaign.get("/api/summary").0, 200);
    let id = campaign.store().record_event(event("later")).unwrap().id;
    assert!(lines.any(|line| line == format!("id: {}", id.unwrap())));
    drop((halves, refused));
}

#[test]
fn actions_change_the_database_and_are_told() {
    let campaign = Campaign::new();
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
fn errors_name_the_fault_of_a_request() {
    let campaign = Campaign::new();
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
    assert!(answer.contains("Allow: GET, HEAD, POST\r\n"));
    assert_eq!(campaign.get("/api/stop").0, 405);
    let kind = "Content-Type: application/json\r\n";
    assert_eq!(campaign.request("POST /api/stop", kind, "{}").0, 409);
}

#[test]
fn heads_that_are_ambiguous_are_refused() {
    let campaign = Campaign::new();
    for wrong in [
        "GET",
        "GET /",
        "GET / HTTP/2.0",
        "GET / x HTTP/1.1",
        "GET / HTTP/1.1\r\nno colon",
        "GET / HTTP/1.1\r\nHost : x",
        "GET / HTTP/1.1\r\nHost: x\r\n folded: y",
        "POST /api/stop HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2",
        "POST /api/stop HTTP/1.1\r\nContent-Length: -1",
    ] {
        let (status, answer) = campaign.raw(&format!("{wrong}\r\n\r\n"));
        assert_eq!(status, 400, "{wrong:?}: {answer}");
    }
}

#[test]
fn a_large_body_is_refused() {
    let campaign = Campaign::new();
    assert_eq!(campaign.act(1, &" ".repeat(64 * 1024 + 1)), 413);
    let (status, _) = campaign.raw(&format!(
        "POST /api/issue/1 HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n",
        campaign.host, campaign.token
    ));
    assert_eq!(status, 411);
    let line = format!("GET /?{}", "x".repeat(64 * 1024));
    assert_eq!(campaign.request(&line, "", "").0, 431);
}

#[test]
fn a_body_that_claims_to_be_endless_does_no_harm() {
    let campaign = Campaign::new();
    let mut stream = TcpStream::connect(&campaign.host).unwrap();
    let (host, length) = (&campaign.host, u64::MAX / 4);
    let head = format!("GET / HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    drop(stream);
    assert_eq!(campaign.get("/").0, 200);
}

#[test]
fn a_client_that_is_silent_in_the_middle_does_not_block_others() {
    let campaign = Campaign::new();
    let silent: Vec<TcpStream> = (0..MOST_CONNECTIONS / 2)
        .map(|_| {
            let mut stream = TcpStream::connect(&campaign.host).unwrap();
            let head = format!(
                "POST /api/issue/1 HTTP/1.1\r\nHost: {}\r\nContent-Length: 2000\r\n\
                 Authorization: Bearer {}\r\nContent-Type: application/json\r\n\r\n{{",
                campaign.host, campaign.token
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
    let campaign = Campaign::new();
    std::fs::remove_file(campaign.folder.path().join("campaign.sqlite")).unwrap();
    let (status, answer) = campaign.get("/api/summary");
    assert_eq!(status, 500);
    assert!(answer.contains("campaign.sqlite"), "{answer}");
    assert_eq!(campaign.get("/api/events").0, 500);
    assert_eq!(campaign.get("/").0, 200);
}

#[test]
fn a_stream_goes_on_after_an_event() {
    let campaign = Campaign::new();
    let mut store = campaign.store();
    let first = store.record_event(event("first")).unwrap().id.unwrap();
    let second = store.record_event(event("second")).unwrap().id.unwrap();
    let mut lines = campaign.events(&format!("Last-Event-ID: {first}\r\n"));
    assert_eq!(lines.next().unwrap(), "HTTP/1.1 200 OK");
    assert!(lines.any(|line| line == format!("id: {second}")));
    assert_eq!(lines.next().unwrap(), "event: warning");
    assert!(lines.next().unwrap().contains("\"second\""));
    // This event comes from another process, whose hub is not shared.
    let third = store.record_event(event("third")).unwrap().id.unwrap();
    let next = lines.find(|line| line.starts_with("id: ")).unwrap();
    assert_eq!(next, format!("id: {third}"));
    // The campaign of this process sends a transient event and a stored one.
    let moment = Event::new(EventKind::Statistics, "moment");
    campaign.hub.receive(&store.record_event(moment).unwrap());
    assert!(lines.any(|line| line.starts_with("data: ") && line.contains("moment")));
    let told = store.record_event(event("fourth")).unwrap();
    campaign.hub.receive(&told);
    let next = lines.find(|line| line.starts_with("id: ")).unwrap();
    assert_eq!(next, format!("id: {}", told.id.unwrap()));
}

#[test]
fn a_new_stream_begins_with_new_events() {
    let campaign = Campaign::new();
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
    let campaign = Campaign::new();
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
    let campaign = Campaign::new();
    let mut lines = campaign.events("");
    assert!(lines.any(|line| line == "event: hello"));
    let shared = Arc::downgrade(&campaign.server.shared);
    drop(campaign.server);
    while shared.strong_count() > 0 {
        std::thread::yield_now();
    }
    // The stream has ended.
    assert_eq!(lines.filter(|line| line.starts_with("id:")).count(), 0);
}
