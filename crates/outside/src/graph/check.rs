//! `nubbin graph check`: checks a graph, and whether it belongs to the engine on this machine.

use super::file::read;
use super::summary;
use crate::engine::{Profile, Shell, identity, warn_of_other};
use crate::exit::Exit;
use crate::flags::CheckGraphFlags;
use crate::print::print_text;
use crate::problem::{Problem, say};
use crate::signals;
use nubbin_graph::{WalkOptions, Walker};

pub(super) fn run(options: &CheckGraphFlags) -> Result<Exit, Problem> {
    signals::end_on_signals()?;
    // Reading checks the edges.
    let graph = read(&options.graph)?;
    print_text(&summary::table(&graph))?;
    let walker = Walker::new(&graph, WalkOptions::default());
    let out_of_reach = walker.out_of_reach();
    if out_of_reach > 0 {
        say(&format!(
            "no walk reaches {out_of_reach} types; types with values are still used as arguments"
        ));
    }
    let engine = graph.engine.as_ref();
    if engine.is_none() && options.engine.engine.is_none() {
        say("the graph names no engine, so it was not compared with one");
        return Ok(Exit::Done);
    }
    let profile = Profile::of(&options.engine, engine.map(|engine| engine.name.as_str()))?;
    let shell = Shell::of_probe(&profile, &options.engine.shell)?;
    let here = identity(&profile, &shell)?;
    match engine == Some(&here) {
        true => say("the engine on this machine is the engine of the graph"),
        false => warn_of_other(engine, &here),
    }
    Ok(Exit::Done)
}
