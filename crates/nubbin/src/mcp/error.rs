//! The errors of tools, in the form that clients get.

use super::wrong_argument::WrongArgument;
use crate::exit::Exit;
use nubbin_oracle::FolderError;
use rmcp::ErrorData;
use rmcp::handler::server::tool::IntoCallToolResult;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock};
use serde_json::json;
use std::borrow::Cow;
use std::error::Error;
use std::io;
use std::path::PathBuf;

/// A call of a tool that starts nothing, or that names no job.
#[derive(Debug, thiserror::Error)]
pub(super) enum ToolError {
    #[error("cannot read `{path}`")]
    Unreadable {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("`{path}` is not in a root or below one")]
    Outside { path: PathBuf },
    #[error("`folder` is `{path}`, which is not absolute")]
    Relative { path: PathBuf },
    #[error(transparent)]
    Argument(WrongArgument),
    #[error("`test` has neither `script` nor `command`")]
    NoTest,
    #[error("`test` has both `script` and `command`")]
    TwoTests,
    #[error("`command` is empty")]
    NoCommand,
    #[error("`{word}` in `command` is a word of a shell, and the command runs without a shell")]
    OfShell { word: String, line: String },
    #[error("`budget.max_tests` is 0, and a search without a test finds nothing")]
    NoTests,
    #[error("`{name}` is {value}, which is not a number of seconds")]
    Seconds { name: &'static str, value: f64 },
    #[error("`{name}` is {value:e}, which is not a time in seconds")]
    Time { name: &'static str, value: f64 },
    #[error("job {0} does not exist")]
    NoJob(u64),
    #[error("{0} jobs are running, which is the maximum")]
    TooManyJobs(usize),
    #[error("cannot start a job")]
    Start(#[source] io::Error),
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl ToolError {
    /// Returns the next step for the client.
    pub(super) fn hint(&self) -> Option<Cow<'_, str>> {
        let hint = match self {
            ToolError::OfShell { line, .. } => {
                let line = format!("give the line to a shell: `[\"sh\", \"-c\", {line:?}]`");
                return Some(line.into());
            }
            ToolError::NoTests => "give a number of 1 or more, or leave it out",
            ToolError::Start(_) | ToolError::Folder(_) => return None,
            ToolError::Unreadable { .. } => {
                "give a path that exists; relative paths start in `folder`"
            }
            ToolError::NoJob(_) => {
                "give the number that the call which started the job has returned as `job`"
            }
            ToolError::Argument(wrong) => wrong.hint(),
            ToolError::Outside { .. } => {
                "use a path in a root; the user sets the roots by the client, or by `nubbin mcp \
                 --root DIR`"
            }
            ToolError::Relative { .. } => {
                "give the whole path of the folder, such as `/home/me/project`"
            }
            ToolError::NoTest | ToolError::TwoTests => {
                "give `script`, which exits with 0 while the failure is there, or `command`, a list \
                 of words with `{}` for the path of the candidate, such as `[\"gcc\", \"-c\", \"{}\"]`"
            }
            ToolError::NoCommand => {
                "give the command and its arguments as a list of words, such as `[\"gcc\", \"-c\", \
                 \"{}\"]`"
            }
            ToolError::Seconds { .. } => "give a number of 0 or more, such as 30",
            ToolError::Time { .. } => {
                "give a number of more than 0, and at most a year, such as 60"
            }
            ToolError::TooManyJobs(_) => "wait for one by `state`, or end one by `stop`",
        };
        Some(hint.into())
    }
}

impl IntoCallToolResult for ToolError {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        let exit = Exit::Usage as u8;
        let document = json!({ "error": text, "hint": self.hint(), "exit": exit });
        if let Some(hint) = self.hint() {
            text = format!("{text}\nhint: {hint}");
        }
        let mut result = CallToolResult::structured_error(document);
        result.content = vec![ContentBlock::text(text)];
        Ok(result.into())
    }
}
