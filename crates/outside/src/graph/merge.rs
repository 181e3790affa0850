//! `nubbin graph merge`: merges several graphs into one.

use super::file::{Answer, keep_apart, read};
use super::summary;
use crate::exit::Exit;
use crate::flags::MergeFlags;
use crate::problem::{Problem, say, warn};
use nubbin_graph::Graph;

pub(super) fn run(options: &MergeFlags) -> Result<Exit, Problem> {
    keep_apart(&options.graphs, &options.output)?;
    let answer = Answer::claim(&options.output)?;
    let mut merged: Option<Graph> = None;
    for path in &options.graphs {
        let graph = read(path)?;
        merged = Some(match merged {
            None => graph,
            Some(before) => {
                let (one, other) = (before.engine.clone(), graph.engine.clone());
                if one.is_some() && other.is_some() && one != other {
                    warn(&format!(
                        "`{}` is of another build; the graph keeps the first one's version and hash",
                        path.display()
                    ));
                }
                before.merged(&graph).map_err(|error| {
                    let what = format!("cannot add `{}`", path.display());
                    Problem::new(Exit::Input, what).because(&error)
                })?
            }
        });
    }
    let graph = merged.unwrap_or_default();
    say(&summary::line(&graph));
    answer.give(&graph.to_json())
}
