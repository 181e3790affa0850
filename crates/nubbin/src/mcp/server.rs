//! The tools of the server.

use super::arguments::{Capture, Check, Explain, Isolate, Reduce, State, Stop};
use super::asked::Asked;
use super::call::Call;
use super::error::ToolError;
use super::follow::{OnCancel, follow};
use super::jobs::Jobs;
use super::roots::Roots;
use crate::flags::SandboxMode;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, Implementation, ServerCapabilities, ServerConfig};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ServerHandler, tool, tool_handler, tool_router};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The time that a client has to name its roots.
const NAMING: Duration = Duration::from_secs(5);

/// The time that a stopped job has to write its best so far.
const STOPPING: Duration = Duration::from_secs(30);

const INSTRUCTIONS: &str = "nubbin makes a failing input small. Call `check` first, to see that the \
    input fails and that an empty input does not; then `reduce`, and `state` until the job has \
    ended. State the failure as narrowly as you can: conditions that are too loose give another \
    failure. Results are files, whose paths are in the answers.";

/// The server for one client.
#[derive(Clone, Debug)]
pub(super) struct Server {
    /// The roots of the command line.
    given: Vec<PathBuf>,
    /// Whether tests run in a sandbox.
    sandbox: SandboxMode,
    jobs: Arc<Jobs>,
}

impl Server {
    /// Creates a server for paths in the given folders. Without any, the client names the roots.
    pub(super) fn new(given: Vec<PathBuf>, sandbox: SandboxMode, jobs: Arc<Jobs>) -> Self {
        Server {
            given,
            sandbox,
            jobs,
        }
    }

    /// Returns the names of all tools.
    pub(super) fn tools() -> Vec<String> {
        let tools = Self::tool_router().list_all().into_iter();
        tools.map(|tool| tool.name.into_owned()).collect()
    }

    /// Returns the roots: those of the command line, else those of the client, else the current
    /// folder.
    async fn roots(&self, context: &RequestContext<RoleServer>) -> Roots {
        if !self.given.is_empty() {
            return Roots::of(&self.given);
        }
        match named_roots(context).await {
            Some(named) => named,
            None => Roots::here(),
        }
    }

    async fn start(
        &self,
        call: Call,
        wait: f64,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ToolError> {
        let wait = seconds(wait)?;
        let job = self.jobs.start(call.confined(self.sandbox))?;
        Ok(follow(&job, wait, OnCancel::Stop, context).await)
    }
}

/// Returns the roots that the client names, or `None` if it names none. A client that does not
/// answer, or names no folder of this machine, has no root, and all paths are refused.
///
/// Clients name roots before the version 2026-07-28 of the protocol; later versions let no server
/// ask.
#[expect(deprecated, reason = "it remains for clients of earlier versions")]
async fn named_roots(context: &RequestContext<RoleServer>) -> Option<Roots> {
    context.client_capabilities()?.roots?;
    let listed = tokio::time::timeout(NAMING, context.peer.list_roots()).await;
    match listed {
        Ok(Ok(listed)) if listed.roots.is_empty() => None,
        Ok(Ok(listed)) => Some(Roots::named(listed.roots.into_iter().map(|root| root.uri))),
        Ok(Err(_)) | Err(_) => Some(Roots::default()),
    }
}

/// Returns the time of the argument `wait`.
fn seconds(wait: f64) -> Result<Duration, ToolError> {
    let error = |_| ToolError::Seconds {
        name: "wait",
        value: wait,
    };
    Duration::try_from_secs_f64(wait).map_err(error)
}

#[tool_router]
impl Server {
    /// Run the test on the input, on an empty one, and on a few smaller ones. Says whether the
    /// input fails as stated, and the reason if it does not. Writes no result. Call this before
    /// `reduce`.
    #[tool(annotations(destructive_hint = false))]
    async fn check(
        &self,
        Parameters(asked): Parameters<Asked<Check>>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ToolError> {
        let asked = asked.checked()?;
        let call = Call::check(&asked, &self.roots(&context).await)?;
        self.start(call, asked.wait, &context).await
    }

    /// Make a failing file or folder as small as possible while the test still fails. Starts a job,
    /// and returns its result if it ends within `wait` seconds, otherwise its number for `state`
    /// and `stop`. The best so far is always in the file of the result. The same call again
    /// continues a job that was stopped.
    #[tool(annotations(destructive_hint = false))]
    async fn reduce(
        &self,
        Parameters(asked): Parameters<Asked<Reduce>>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ToolError> {
        let asked = asked.checked()?;
        let call = Call::reduce(&asked, &self.roots(&context).await)?;
        self.start(call, asked.wait, &context).await
    }

    /// Look at a job: its tests, the size and the path of the best so far, or its answer if it has
    /// ended. Waits up to `wait` seconds for the end.
    #[tool(annotations(read_only_hint = true))]
    async fn state(
        &self,
        Parameters(asked): Parameters<Asked<State>>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ToolError> {
        let asked = asked.checked()?;
        let (job, wait) = (self.jobs.get(asked.job)?, seconds(asked.wait)?);
        Ok(follow(&job, wait, OnCancel::Leave, &context).await)
    }

    /// Stop a job. Returns its answer with the best so far.
    #[tool(annotations(destructive_hint = false))]
    async fn stop(
        &self,
        Parameters(asked): Parameters<Asked<Stop>>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ToolError> {
        let asked = asked.checked()?;
        let job = self.jobs.get(asked.job)?;
        job.stop();
        Ok(follow(&job, STOPPING, OnCancel::Leave, &context).await)
    }

    /// Find the parts of a reduced input that matter. Returns a pattern in which the other parts
    /// are replaced with `<name>`, `<int>`, or `<expr>`.
    #[tool(annotations(destructive_hint = false))]
    async fn explain(
        &self,
        Parameters(asked): Parameters<Asked<Explain>>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ToolError> {
        let asked = asked.checked()?;
        let call = Call::explain(&asked, &self.roots(&context).await)?;
        self.start(call, asked.wait, &context).await
    }

    /// Find a small difference between an input that passes and one that fails. Writes two files
    /// that differ by no more than that.
    #[tool(annotations(destructive_hint = false))]
    async fn isolate(
        &self,
        Parameters(asked): Parameters<Asked<Isolate>>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ToolError> {
        let asked = asked.checked()?;
        let call = Call::isolate(&asked, &self.roots(&context).await)?;
        self.start(call, asked.wait, &context).await
    }

    /// Run a failing command, such as a build, once and without a sandbox. Copies the files that it
    /// reads to a folder, and drafts a test for `reduce`.
    #[tool]
    async fn capture(
        &self,
        Parameters(asked): Parameters<Asked<Capture>>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ToolError> {
        let asked = asked.checked()?;
        let call = Call::capture(&asked, &self.roots(&context).await)?;
        self.start(call, asked.wait, &context).await
    }
}

#[tool_handler]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let tools = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(tools)
            .with_server_info(Implementation::new("nubbin", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }
}
