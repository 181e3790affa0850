//! The identity of a build of an engine, to which a graph belongs.

use super::{Profile, Shell};
use crate::problem::{Problem, warn};
use nubbin_graph::Engine;
use nubbin_reduce::edit::fingerprint;

/// Returns the name, version, and hash of an engine.
///
/// The hash is of the executable file. A change of a library that the file loads does not change
/// the hash.
pub fn identity(profile: &Profile, shell: &Shell) -> Result<Engine, Problem> {
    let hash = match std::fs::read(shell.program()) {
        Ok(bytes) => format!("xxh3:{:032x}", fingerprint(&bytes).0),
        Err(_) => "unknown".to_owned(),
    };
    Ok(Engine {
        name: profile.name.clone(),
        version: shell.version()?,
        hash,
    })
}

/// Prints a warning if a graph belongs to another build than the engine that is run.
pub fn warn_of_other(graph: Option<&Engine>, engine: &Engine) {
    let Some(graph) = graph.filter(|graph| *graph != engine) else {
        return;
    };
    let shown = |engine: &Engine| match &engine.version {
        Some(version) => format!("{} {version} ({})", engine.name, engine.hash),
        None => format!("{} ({})", engine.name, engine.hash),
    };
    warn(&format!(
        "the graph is of another build: it is of {}, and the engine is {}; \
         `nubbin graph explore` makes a new one",
        shown(graph),
        shown(engine)
    ));
}
