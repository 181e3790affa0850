//! `nubbin generate graph`: generates expressions from a prototype graph.

use super::output::{Output, nothing};
use crate::choices::{self, Recipe, Recorded};
use crate::exit::Exit;
use crate::flags::GenerateGraphFlags;
use crate::graph;
use crate::problem::Problem;
use nubbin_generate::Choices;
use nubbin_graph::walk::batch;
use nubbin_graph::{Graph, Walker};
use std::path::Path;

pub(super) fn run(options: &GenerateGraphFlags) -> Result<Exit, Problem> {
    let graph = graph::read(&options.graph)?;
    if let Some(recording) = &options.replay {
        return replay(options, &graph, recording);
    }
    let walker = graph::walker(&graph, &options.walk)?;
    let recipe = Some(Recipe::Walk(walker.options()));
    let recorded = |choices: &[u32]| Recorded {
        choices: choices.iter().map(|&choice| choice.into()).collect(),
        recipe,
    };
    let mut output = Output::new(&options.texts, options.record.as_deref())?;
    let mut choices = Choices::seeded(options.texts.seed);
    let mut text = vec![];
    let mut made = 0;
    while made < options.texts.count && !output.is_closed() {
        made += 1;
        text.clear();
        match options.batch {
            Some(count) => {
                let expressions = (0..count).map(|_| {
                    choices.forget();
                    walker.generate(&mut choices)
                });
                text = batch(graph.language, expressions);
                output.put(&text, nothing)?;
            }
            None => {
                choices.forget();
                walker.generate_into(&mut choices, &mut text);
                output.put(&text, || recorded(choices.recorded()))?;
            }
        }
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// Generates the expressions of a recording again, with the recorded options of walks.
fn replay(options: &GenerateGraphFlags, graph: &Graph, recording: &Path) -> Result<Exit, Problem> {
    let mut output = Output::new(&options.texts, None)?;
    let mut walker: Option<Walker> = None;
    for line in choices::read(recording)? {
        let walk = choices::walk_of(&line, recording)?;
        let walker = match &walker {
            Some(known) if known.options() == walk => known,
            _ => walker.insert(Walker::new(graph, walk)),
        };
        let mut choices = Choices::of(choices::values(&line, recording)?);
        output.put(&walker.generate(&mut choices), nothing)?;
    }
    output.finish()?;
    Ok(Exit::Done)
}
