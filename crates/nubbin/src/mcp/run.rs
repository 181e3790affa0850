//! The server from its flags to its end.

use super::jobs::Jobs;
use super::server::Server;
use super::wire::Wire;
use crate::exit::Exit;
use crate::flags::McpFlags;
use crate::problem::Problem;
use crate::signals;
use nubbin_reduce::engine::Stop;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The time between two checks for a signal.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Serves one client over standard input and output.
pub(crate) fn run(flags: &McpFlags) -> Result<Exit, Problem> {
    if std::io::stdin().is_terminal() {
        return Err(
            Problem::new(Exit::Usage, "standard input is a terminal").hint(
                "a client of the Model Context Protocol starts `nubbin mcp`: `nubbin mcp --help` \
                 has its configuration",
            ),
        );
    }
    let roots = flags.root.iter().map(|path| root(path));
    let roots = roots.collect::<Result<Vec<_>, _>>()?;
    let stop = Stop::default();
    signals::stop_on_signals(stop.clone())?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Problem::new(Exit::Test, "cannot serve").because(&error))?;
    let ended = runtime.block_on(async {
        let jobs = Arc::new(Jobs::default());
        let server = Server::new(roots, flags.sandbox, Arc::clone(&jobs));
        let ended = serve(server, &stop).await;
        jobs.end().await;
        ended
    });
    // A thread may still be waiting for standard input.
    runtime.shutdown_background();
    ended
}

fn root(path: &Path) -> Result<PathBuf, Problem> {
    let real = path.canonicalize().map_err(|error| {
        let what = format!("cannot read the folder `{}`", path.display());
        Problem::new(Exit::Input, what).because(&error)
    })?;
    match real.is_dir() {
        true => Ok(real),
        false => {
            let what = format!("`{}` is not a folder", path.display());
            Err(Problem::new(Exit::Input, what))
        }
    }
}

/// Answers requests until the client closes standard input, or a signal comes.
async fn serve(server: Server, stop: &Stop) -> Result<Exit, Problem> {
    let until_closed = async {
        let service = match server.serve(Wire::open(Server::tools())).await {
            Ok(service) => service,
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(Exit::Done),
            Err(error) => {
                let what = "the client does not speak the Model Context Protocol";
                return Err(Problem::new(Exit::Input, what).because(&error));
            }
        };
        let ended = service.waiting().await;
        ended.map_err(|error| Problem::new(Exit::Test, "the server broke").because(&error))?;
        Ok(Exit::Done)
    };
    let until_signal = async {
        while !stop.is_requested() {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    };
    tokio::select! {
        ended = until_closed => ended,
        () = until_signal => Ok(Exit::Stopped),
    }
}
