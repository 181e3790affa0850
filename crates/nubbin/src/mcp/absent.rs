//! `nubbin mcp` in a program that is built without the server.

use crate::exit::Exit;
use crate::flags::McpFlags;
use crate::problem::Problem;

/// Returns an error that names the builds with this command.
pub(crate) fn run(_: &McpFlags) -> Result<Exit, Problem> {
    let what = "this nubbin is built without the server of the Model Context Protocol";
    Err(Problem::new(Exit::Usage, what)
        .hint("the packages of nubbin have it, and `cargo install` with `--features mcp`, on Unix"))
}
