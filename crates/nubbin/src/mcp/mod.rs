//! `nubbin mcp`: a server of the Model Context Protocol, for coding agents.
//!
//! The server reads requests from standard input and writes responses to standard output. Each tool
//! runs this program with `--json` in a folder below a root, so a client gets the output of a
//! command line.

#[cfg(not(all(unix, feature = "mcp")))]
mod absent;
#[cfg(all(unix, feature = "mcp"))]
mod answer;
#[cfg(all(unix, feature = "mcp"))]
mod arguments;
#[cfg(all(unix, feature = "mcp"))]
mod asked;
#[cfg(all(unix, feature = "mcp"))]
mod call;
#[cfg(all(unix, feature = "mcp"))]
mod error;
#[cfg(all(unix, feature = "mcp"))]
mod follow;
#[cfg(all(unix, feature = "mcp"))]
mod guard;
#[cfg(all(unix, feature = "mcp"))]
mod job;
#[cfg(all(unix, feature = "mcp"))]
mod jobs;
#[cfg(all(unix, feature = "mcp"))]
mod roots;
#[cfg(all(unix, feature = "mcp"))]
mod run;
#[cfg(all(unix, feature = "mcp"))]
mod server;
#[cfg(all(unix, feature = "mcp"))]
mod wire;
#[cfg(all(unix, feature = "mcp"))]
mod wording;
#[cfg(all(unix, feature = "mcp"))]
mod wrong_argument;

#[cfg(not(all(unix, feature = "mcp")))]
pub(crate) use absent::run;
#[cfg(all(unix, feature = "mcp"))]
pub(crate) use guard::{PROCESS, guard};
#[cfg(all(unix, feature = "mcp"))]
pub(crate) use run::run;
