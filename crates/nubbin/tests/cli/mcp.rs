//! `nubbin mcp`, with the client of the library of the protocol.

use crate::running::wait_until;
use crate::stage::{Stage, haystack};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, Implementation,
    ProgressNotificationParam, ProtocolVersion,
};
#[expect(deprecated, reason = "the server asks clients of earlier versions")]
use rmcp::model::{ListRootsResult, Root};
use rmcp::service::{NotificationContext, RequestContext, RoleClient, RunningService};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt as _, ErrorData};
use serde_json::{Value, json};
use std::process::Stdio;
use std::sync::{Arc, Mutex};

/// A client that may name roots, and that keeps progress notifications.
#[derive(Clone, Debug, Default)]
struct Client {
    roots: Option<Vec<String>>,
    told: Arc<Mutex<Vec<ProgressNotificationParam>>>,
}

#[expect(deprecated, reason = "the server asks clients of earlier versions")]
impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let capabilities = match self.roots {
            Some(_) => ClientCapabilities::builder().enable_roots().build(),
            None => ClientCapabilities::default(),
        };
        ClientConfig::new(capabilities, Implementation::new("tests", "1"))
    }

    async fn list_roots(
        &self,
        _: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        let roots = self.roots.iter().flatten().map(Root::new);
        Ok(ListRootsResult::new(roots.collect()))
    }

    async fn on_progress(
        &self,
        told: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.told.lock().unwrap().push(told);
    }
}

/// A server and its client.
struct Session {
    server: tokio::process::Child,
    client: RunningService<RoleClient, Client>,
    told: Arc<Mutex<Vec<ProgressNotificationParam>>>,
}

/// The ways in which a client begins a session.
const LIFECYCLES: [fn() -> ClientLifecycleMode; 2] = [
    || ClientLifecycleMode::Initialize,
    || ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    },
];

impl Session {
    async fn start(stage: &Stage, args: &[&str], client: Client) -> Self {
        Session::begin(stage, args, client, ClientLifecycleMode::Initialize).await
    }

    async fn begin(
        stage: &Stage,
        args: &[&str],
        client: Client,
        lifecycle: ClientLifecycleMode,
    ) -> Self {
        let mut command = stage.nubbin(["mcp"].iter().chain(args));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = tokio::process::Command::from(command)
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let pipes = (server.stdout.take().unwrap(), server.stdin.take().unwrap());
        let told = Arc::clone(&client.told);
        let client = client.serve_with_lifecycle(pipes, lifecycle).await.unwrap();
        Session {
            server,
            client,
            told,
        }
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        let arguments = arguments.as_object().unwrap().clone();
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        self.client.call_tool(request).await.unwrap()
    }

    /// Closes the standard input of the server, and waits for its end.
    async fn close(mut self) {
        self.client.cancel().await.unwrap();
        let status = self.server.wait().await.unwrap();
        assert_eq!(status.code(), Some(0));
    }
}

fn text(result: &CallToolResult) -> &str {
    &result.content[0].as_text().unwrap().text
}

fn data(result: &CallToolResult) -> &Value {
    result.structured_content.as_ref().unwrap()
}

#[track_caller]
fn assert_is(result: &CallToolResult, is_error: bool, words: &[&str]) {
    assert_eq!(result.is_error.unwrap_or(false), is_error, "{result:?}");
    for word in words {
        assert!(
            text(result).contains(word),
            "no {word:?} in {}",
            text(result)
        );
    }
}

/// The arguments for the input of [`Stage::with_crash`].
fn crash(stage: &Stage, more: Value) -> Value {
    let folder = stage.folder().canonicalize().unwrap();
    let mut all = json!({ "folder": folder, "input": "input.txt", "wait": 300 });
    all["test"] = json!({ "script": "test.sh" });
    all.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    all
}

/// A stage whose test never ends for candidates of less than twenty lines.
fn endless() -> Stage {
    let stage = Stage::with_crash(&haystack(40, "crash"));
    stage.script(
        "test.sh",
        "[ $(wc -l <input.txt) -ge 20 ] || sleep 1000; grep -q crash input.txt",
    );
    stage
}

/// Starts a reduction on [`endless`], and returns its number when it has a success.
async fn start_endless(session: &Session, stage: &Stage) -> Value {
    let asked = crash(stage, json!({ "wait": 0 }));
    let job = data(&session.call("reduce", asked).await)["job"].clone();
    loop {
        let asked = json!({ "job": job, "wait": 0.05 });
        let state = session.call("state", asked).await;
        assert_eq!(data(&state)["state"], "running", "{}", text(&state));
        if data(&state)["bytes"].as_u64() < data(&state)["bytes_before"].as_u64() {
            return job;
        }
    }
}

#[tokio::test]
async fn an_agent_gets_from_a_failing_file_to_a_small_one() {
    for lifecycle in LIFECYCLES {
        let stage = Stage::with_crash(&haystack(30, "crash"));
        let session = Session::begin(&stage, &[], Client::default(), lifecycle()).await;
        let tools = session.client.list_all_tools().await.unwrap();
        let mut names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        names.sort_unstable();
        let expected = [
            "capture", "check", "explain", "isolate", "reduce", "state", "stop",
        ];
        assert_eq!(names, expected);
        let checked = session.call("check", crash(&stage, json!({}))).await;
        assert_is(&checked, false, &["the input fails (exit code 0)"]);
        assert_eq!(stage.names(), ["input.txt", "test.sh"]);
        let reduced = session.call("reduce", crash(&stage, json!({}))).await;
        assert_is(&reduced, false, &["(complete)", "input.min.txt\n\ncrash"]);
        let answer = &data(&reduced)["answer"];
        assert_eq!(answer["bytes_after"], 5);
        assert_eq!(answer.get("passes"), None);
        assert_eq!(stage.text("input.min.txt"), "crash");
        assert_eq!(stage.text("input.txt"), haystack(30, "crash"));
        session.close().await;
        stage.assert_clean();
    }
}

#[tokio::test]
async fn a_check_says_why_a_test_is_of_no_use() {
    let stage = Stage::with_crash("calm");
    stage.file("crash.txt", "a crash");
    let session = Session::start(&stage, &[], Client::default()).await;
    let calm = session.call("check", crash(&stage, json!({}))).await;
    assert_is(&calm, true, &["does not fail", "hint: "]);
    assert_eq!(data(&calm)["answer"]["exit"], 3);
    let any = json!({ "input": "crash.txt", "test": { "command": ["true"] } });
    let any = session.call("check", crash(&stage, any)).await;
    assert_is(&any, true, &["also fails on an empty input"]);
    assert_eq!(data(&any)["exit"], 9);
    session.close().await;
}

#[tokio::test]
async fn differences_and_parts_are_found() {
    let stage = Stage::with_crash("crash 17");
    stage.file("calm.txt", "calm 17");
    let session = Session::start(&stage, &[], Client::default()).await;
    let command = json!({ "command": ["grep", "-q", "crash", "{}"] });
    let explained = session
        .call("explain", crash(&stage, json!({ "test": command })))
        .await;
    assert_is(&explained, false, &["crash <"]);
    let mut pair = crash(
        &stage,
        json!({ "passing": "calm.txt", "failing": "input.txt" }),
    );
    pair["test"] = command;
    pair.as_object_mut().unwrap().remove("input");
    let isolated = session.call("isolate", pair).await;
    assert_is(&isolated, false, &["input.pass.txt", "input.fail.txt"]);
    let passing = json!({
        "folder": stage.folder().canonicalize().unwrap(), "command": ["true"], "wait": 300,
    });
    let captured = session.call("capture", passing).await;
    assert_is(&captured, true, &["hint: "]);
    session.close().await;
}

#[tokio::test]
async fn an_answer_speaks_in_the_arguments_of_the_tool() {
    let stage = Stage::new();
    stage.script(
        "tool",
        "test -s $1 || exit 0; . ./part; echo 'error: no such table'; exit 1",
    );
    stage.file("part", "");
    stage.file("a.sql", "select 1;\n");
    let session = Session::start(&stage, &[], Client::default()).await;
    let asked = |tool: &[&str], more: Value| {
        let mut all = json!({ "input": "a.sql", "test": { "command": tool } });
        let more = more.as_object().unwrap().clone();
        all.as_object_mut().unwrap().extend(more);
        crash(&stage, all)
    };
    let lacking = session
        .call("check", asked(&["sh", "./tool", "{}"], json!({})))
        .await;
    assert_is(&lacking, true, &["hint: "]);
    for flag in ["--json", "--max-tests", "nubbin reduce"] {
        assert!(!text(&lacking).contains(flag), "{}", text(&lacking));
    }
    let piped = asked(&["cat", "{}", "|", "grep", "x"], json!({}));
    let piped = session.call("reduce", piped).await;
    assert_is(
        &piped,
        true,
        &["`|` in `command`", "[\"sh\", \"-c\", \"cat {} | grep x\"]"],
    );
    let none = asked(&["true"], json!({ "budget": { "max_tests": 0 } }));
    let none = session.call("reduce", none).await;
    assert_is(&none, true, &["`budget.max_tests` is 0", "1 or more"]);
    let misspelled = session
        .call("check", asked(&["grepp", "x", "{}"], json!({})))
        .await;
    assert_is(
        &misspelled,
        true,
        &["no command `grepp` in PATH: did you mean `grep`?"],
    );
    session.close().await;
}

#[tokio::test]
async fn files_of_the_program_are_kept() {
    let stage = Stage::new();
    stage.script("test.sh", "sh project/check.sh project/in.txt");
    stage.file("project/check.sh", "# A comment\ngrep -q crash \"$1\"\n");
    stage.file("project/in.txt", "one\na crash\n");
    let session = Session::start(&stage, &[], Client::default()).await;
    let asked = crash(&stage, json!({ "input": "project", "fixed": ["check.sh"] }));
    let reduced = session.call("reduce", asked).await;
    assert_is(&reduced, false, &["(complete)"]);
    assert_eq!(stage.text("project.min/in.txt"), "crash");
    let whole = stage.text("project/check.sh");
    assert_eq!(stage.text("project.min/check.sh"), whole);
    session.close().await;
}

#[tokio::test]
async fn an_explanation_at_a_limit_is_partial() {
    let stage = Stage::with_crash("crash 17 and 18 and 19");
    let session = Session::start(&stage, &[], Client::default()).await;
    let asked = json!({
        "test": { "command": ["grep", "-q", "crash", "{}"] }, "budget": { "max_tests": 3 },
    });
    let explained = session.call("explain", crash(&stage, asked)).await;
    assert_is(&explained, false, &["(max-tests)", "this is partial: "]);
    session.close().await;
}

#[test]
fn a_line_that_is_no_request_is_answered_and_the_server_goes_on() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let stage = Stage::new();
    let mut command = stage.nubbin(["mcp"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = command.spawn().unwrap();
    let mut to = server.stdin.take().unwrap();
    let mut from = BufReader::new(server.stdout.take().unwrap());
    let mut answer = |line: &str| {
        writeln!(to, "{line}").unwrap();
        let mut answer = String::new();
        from.read_line(&mut answer).unwrap();
        serde_json::from_str::<Value>(&answer).unwrap()
    };
    let initialize = |params: Value| {
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }).to_string()
    };
    let code = |answer: Value| answer["error"]["code"].as_i64();
    assert_eq!(code(answer("not json")), Some(-32700));
    assert_eq!(code(answer(&initialize(json!({})))), Some(-32602));
    let begun = answer(&initialize(json!({
        "protocolVersion": "2025-03-26", "capabilities": {},
        "clientInfo": { "name": "tests", "version": "1" },
    })));
    assert!(begun["result"].is_object(), "{begun}");
    let call = |params: Value| {
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params }).to_string()
    };
    assert_eq!(code(answer("{ \"id\": 3")), Some(-32700));
    assert_eq!(code(answer(&call(json!({ "name": "none" })))), Some(-32602));
    assert_eq!(code(answer(&call(json!([])))), Some(-32602));
    let other = "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"none\"}";
    assert_eq!(code(answer(other)), Some(-32601));
    let state = answer(&call(json!({ "name": "state", "arguments": { "job": 7 } })));
    assert_eq!(state["result"]["isError"], true, "{state}");
    drop(to);
    assert_eq!(server.wait().unwrap().code(), Some(0));
}

#[tokio::test]
async fn a_job_is_followed_and_stopped() {
    let stage = endless();
    let session = Session::start(&stage, &[], Client::default()).await;
    let job = start_endless(&session, &stage).await;
    let state = session.call("state", json!({ "job": job })).await;
    let best = stage.folder().canonicalize().unwrap().join("input.min.txt");
    assert_is(&state, false, &["is running", "best so far: "]);
    assert_eq!(data(&state)["best"], json!(best));
    {
        let told = session.told.lock().unwrap();
        let last = told.last().unwrap();
        assert_eq!(last.total, Some(600.0));
        assert!(
            last.message.as_ref().unwrap().contains(" tests, "),
            "{last:?}"
        );
    }
    let stopped = session.call("stop", json!({ "job": job })).await;
    assert_is(&stopped, false, &["(stopped)", "input.min.txt"]);
    assert_eq!(data(&stopped)["exit"], 130);
    assert!(stage.text("input.min.txt").contains("crash"));
    let again = session.call("state", json!({ "job": job })).await;
    assert_eq!(text(&again), text(&stopped));
    let other = session.call("state", json!({ "job": 99 })).await;
    assert_is(&other, true, &["job 99 does not exist"]);
    session.close().await;
    stage.assert_clean();
}

#[tokio::test]
async fn paths_are_in_the_roots_of_the_client_or_of_the_command_line() {
    let stage = Stage::with_crash("a crash");
    let elsewhere = Stage::with_crash("a crash b");
    let root = elsewhere.folder().canonicalize().unwrap();
    let named = Client {
        roots: Some(vec![format!("file://{}", root.display())]),
        ..Client::default()
    };
    let both = |session: Session| async {
        let inside = session.call("check", crash(&elsewhere, json!({}))).await;
        assert_is(&inside, false, &["the input fails"]);
        let outside = session.call("check", crash(&stage, json!({}))).await;
        assert_is(&outside, true, &["not in a root", "--root DIR"]);
        session.close().await;
    };
    both(Session::start(&stage, &[], named.clone()).await).await;
    let args = ["--root", root.to_str().unwrap()];
    both(Session::start(&stage, &args, Client::default()).await).await;
    // A client does not widen the roots that the user has set.
    let wide = Client {
        roots: Some(vec!["file:///".to_owned()]),
        ..Client::default()
    };
    both(Session::start(&stage, &args, wide).await).await;
}

#[tokio::test]
async fn arguments_of_unknown_names_are_refused() {
    let stage = Stage::with_crash("a crash");
    let session = Session::start(&stage, &[], Client::default()).await;
    let asked = crash(&stage, json!({ "max_tests": 5 }));
    let refused = session.call("reduce", asked).await;
    let words = [
        "no argument `max_tests`",
        "did you mean `budget.max_tests`?",
    ];
    assert_is(&refused, true, &words);
    session.close().await;
}

#[tokio::test]
async fn an_argument_of_another_kind_is_refused_with_an_example() {
    let stage = Stage::with_crash("a crash");
    let session = Session::start(&stage, &[], Client::default()).await;
    for (more, words) in [
        (
            json!({ "wait": "long" }),
            ["`wait` is the text \"long\"", "a number, such as 30"],
        ),
        (
            json!({ "budget": { "max_tests": -1 } }),
            [
                "`budget.max_tests` is the number -1",
                "a whole number of 0 or more",
            ],
        ),
        (
            json!({ "test": { "command": "./test.sh {}" } }),
            [
                "`test.command` is the text",
                "a list of texts, such as [\"gcc\"",
            ],
        ),
        (
            json!({ "input": null }),
            ["`input` is null", "a text, such as"],
        ),
    ] {
        let refused = session.call("reduce", crash(&stage, more)).await;
        assert_is(&refused, true, &words);
        let text = text(&refused);
        for word in ["expected", "u64", "f64", "deserialize", "invalid type"] {
            assert!(!text.contains(word), "{text}");
        }
        assert!(data(&refused)["hint"].is_string());
    }
    let refused = session.call("state", json!({})).await;
    assert_is(&refused, true, &["the argument `job` is missing"]);
    let refused = session.call("state", json!({ "job": 77 })).await;
    assert_is(&refused, true, &["job 77 does not exist", "hint: "]);
    session.close().await;
}

#[tokio::test]
async fn an_error_names_arguments_and_not_flags() {
    let stage = Stage::with_crash("a crash");
    stage.file("lib/list.txt", "x");
    stage.script("test.sh", "cat lib/list.txt && grep -q crash input.txt");
    let session = Session::start(&stage, &[], Client::default()).await;
    let lacks = session.call("check", crash(&stage, json!({}))).await;
    assert_is(&lacks, true, &["test.with"]);
    assert!(!text(&lacks).contains("`--with"), "{}", text(&lacks));
    session.close().await;
}

#[tokio::test]
async fn a_check_names_no_file_of_a_result() {
    let stage = Stage::with_crash("a crash b");
    let session = Session::start(&stage, &[], Client::default()).await;
    let checked = session.call("check", crash(&stage, json!({}))).await;
    assert_is(&checked, false, &["the input fails"]);
    let answer = &data(&checked)["answer"];
    assert!(answer["tests"].is_u64());
    assert!(answer["result"].is_null(), "{answer}");
    let temp = stage.temp().display().to_string();
    assert!(!data(&checked).to_string().contains(&temp), "{answer}");
    session.close().await;
}

/// Returns the number of processes that a server on this stage has started, and of itself.
#[cfg(target_os = "linux")]
fn processes(stage: &Stage) -> usize {
    let mark = format!("TMPDIR={}", stage.temp().display());
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let environments = entries.map(|entry| std::fs::read(entry.path().join("environ")));
    environments
        .filter(|environment| {
            let environment = environment.as_deref().unwrap_or_default();
            environment
                .split(|byte| *byte == 0)
                .any(|it| it == mark.as_bytes())
        })
        .count()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn no_process_is_left_behind_when_the_client_leaves_or_the_server_is_killed() {
    for is_killed in [false, true] {
        let stage = endless();
        let mut session = Session::start(&stage, &[], Client::default()).await;
        start_endless(&session, &stage).await;
        // The server, a guard, and a run at least.
        assert!(processes(&stage) >= 3);
        if is_killed {
            session.server.kill().await.unwrap();
        } else {
            session.close().await;
        }
        wait_until("all processes have ended", || processes(&stage) == 0);
        assert!(stage.text("input.min.txt").contains("crash"));
        stage.assert_clean();
    }
}
