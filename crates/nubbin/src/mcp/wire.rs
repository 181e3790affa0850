//! The lines of a client, with an answer for each line that the server cannot read as a request.
//!
//! The library of the protocol ignores a line that is not JSON, and answers other lines with codes
//! for an unknown method or a request of another version of the protocol.

use nubbin_suggest::nearest;
use rmcp::model::{ErrorData, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::Value;
use std::io;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::io::{BufReader, DuplexStream, Stdin, Stdout, duplex, stdin, stdout};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

/// The size in bytes of the buffer between the lines and the library.
const BUFFER: usize = 64 << 10;

/// The length in bytes of the longest line that is checked. The library drops longer ones.
const LONGEST: u64 = 16 << 20;

/// The lines of the client on standard input, and those of the server on standard output.
pub(super) struct Wire {
    inner: AsyncRwTransport<RoleServer, DuplexStream, Stdout>,
    wrong: UnboundedReceiver<Wrong>,
    /// The answers that are being written.
    answers: JoinSet<io::Result<()>>,
}

/// The answer to a line that is not a request.
#[derive(Debug, PartialEq)]
struct Wrong {
    error: ErrorData,
    /// The number of the request, if the line has one.
    id: Option<RequestId>,
}

impl Wire {
    /// Begins to read standard input. `tools` has the names of all tools.
    pub(super) fn open(tools: Vec<String>) -> Self {
        let (to, from) = duplex(BUFFER);
        let (tell, wrong) = unbounded_channel();
        tokio::spawn(forward(BufReader::new(stdin()), to, tell, tools));
        Wire {
            inner: AsyncRwTransport::new_server(from, stdout()),
            wrong,
            answers: JoinSet::new(),
        }
    }
}

impl Transport<RoleServer> for Wire {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let wrong = tokio::select! {
                biased;
                Some(wrong) = self.wrong.recv() => wrong,
                received = self.inner.receive() => {
                    if received.is_none() {
                        // The process ends with the last line of the client.
                        while self.answers.join_next().await.is_some() {}
                    }
                    return received;
                }
            };
            let answer = TxJsonRpcMessage::<RoleServer>::error(wrong.error, wrong.id);
            // This function may be abandoned at each `await`, and the answer must not be.
            self.answers.spawn(self.inner.send(answer));
            while self.answers.try_join_next().is_some() {}
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.inner.close().await
    }
}

/// Gives the lines of the client to the library, except those that are not requests.
async fn forward(
    mut lines: BufReader<Stdin>,
    mut to: DuplexStream,
    tell: UnboundedSender<Wrong>,
    tools: Vec<String>,
) {
    let mut line = Vec::new();
    let mut is_rest = false;
    loop {
        line.clear();
        let read = (&mut lines)
            .take(LONGEST)
            .read_until(b'\n', &mut line)
            .await;
        if !matches!(read, Ok(1..)) {
            return;
        }
        let is_whole = line.ends_with(b"\n");
        let wrong = match is_whole && !is_rest {
            true => check(&line, &tools),
            false => None,
        };
        is_rest = !is_whole;
        let is_sent = match wrong {
            Some(wrong) => tell.send(wrong).is_ok(),
            None => to.write_all(&line).await.is_ok(),
        };
        if !is_sent {
            return;
        }
    }
}

/// Returns the answer to a line that is not JSON, or a request without what it needs.
fn check(line: &[u8], tools: &[String]) -> Option<Wrong> {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    if line.is_empty() {
        return None;
    }
    let message: Value = match serde_json::from_slice(line) {
        Ok(message) => message,
        Err(error) => {
            let error = ErrorData::parse_error(format!("the line is not JSON: {error}"), None);
            return Some(Wrong { error, id: None });
        }
    };
    let id = serde_json::from_value(message["id"].clone()).ok();
    let params = &message["params"];
    let what = match message["method"].as_str()? {
        "initialize" => of_initialize(params)?,
        "tools/call" => of_call(params, tools)?,
        _ => return None,
    };
    let error = ErrorData::invalid_params(what, None);
    Some(Wrong { error, id })
}

/// Returns what the first request of a client lacks.
fn of_initialize(params: &Value) -> Option<String> {
    let info = &params["clientInfo"];
    let needed = [
        (
            "protocolVersion",
            params["protocolVersion"].is_string(),
            "a text",
        ),
        (
            "capabilities",
            params["capabilities"].is_object(),
            "an object",
        ),
        ("clientInfo", info.is_object(), "an object"),
        ("clientInfo.name", info["name"].is_string(), "a text"),
        ("clientInfo.version", info["version"].is_string(), "a text"),
    ];
    let (name, _, kind) = needed.into_iter().find(|(_, is_there, _)| !is_there)?;
    Some(format!(
        "`initialize` needs `params.{name}`, which is {kind}"
    ))
}

/// Returns what is wrong with a call of a tool.
fn of_call(params: &Value, tools: &[String]) -> Option<String> {
    let all = || tools.join(", ");
    let Some(name) = params["name"].as_str() else {
        return Some(format!(
            "`tools/call` needs `params.name`, which is the name of a tool: {}",
            all()
        ));
    };
    if !tools.iter().any(|tool| tool == name) {
        let near = nearest(name, tools.iter().map(String::as_str));
        let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        return Some(format!(
            "unknown tool `{name}`; {near}the tools are {}",
            all()
        ));
    }
    let arguments = &params["arguments"];
    let is_object = arguments.is_null() || arguments.is_object();
    (!is_object).then(|| format!("`params.arguments` of the tool `{name}` is not an object"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> Option<(i32, String, bool)> {
        let tools = ["check".to_owned(), "reduce".to_owned()];
        let wrong = check(line.as_bytes(), &tools)?;
        let message = wrong.error.message.to_string();
        Some((wrong.error.code.0, message, wrong.id.is_some()))
    }

    #[test]
    fn a_line_that_is_no_request_has_an_answer_with_the_code_of_the_protocol() {
        for (line, code, words, has_id) in [
            ("not json", -32700, "the line is not JSON: ", false),
            ("{\"id\":1", -32700, "the line is not JSON: ", false),
            (
                r#"{"id":1,"method":"initialize"}"#,
                -32602,
                "`initialize` needs `params.protocolVersion`",
                true,
            ),
            (
                r#"{"id":1,"method":"initialize","params":{"protocolVersion":"1","capabilities":{},"clientInfo":{"name":"a"}}}"#,
                -32602,
                "`params.clientInfo.version`",
                true,
            ),
            (
                r#"{"id":"a","method":"tools/call"}"#,
                -32602,
                "needs `params.name`, which is the name of a tool: check, reduce",
                true,
            ),
            (
                r#"{"id":1,"method":"tools/call","params":{"name":"redcue"}}"#,
                -32602,
                "unknown tool `redcue`; did you mean `reduce`?",
                true,
            ),
            (
                r#"{"id":1,"method":"tools/call","params":{"name":"check","arguments":[1]}}"#,
                -32602,
                "is not an object",
                true,
            ),
        ] {
            let (found, message, with_id) = told(line).unwrap();
            assert_eq!((found, with_id), (code, has_id), "{line}");
            assert!(message.contains(words), "{message}");
        }
    }

    #[test]
    fn other_lines_are_for_the_library() {
        for line in [
            "",
            "[1]",
            r#"{"id":1,"method":"none"}"#,
            r#"{"id":1,"method":"tools/call","params":{"name":"check","arguments":{}}}"#,
            r#"{"id":1,"method":"tools/call","params":{"name":"check"}}"#,
            r#"{"id":1,"method":"initialize","params":{"protocolVersion":"1","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#,
            r#"{"id":1,"result":{}}"#,
        ] {
            assert_eq!(told(line), None, "{line}");
        }
    }
}
