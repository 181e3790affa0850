//! `nubbin graph show`: shows a graph, or one of its types.

use super::file::{Answer, keep_apart, read};
use super::summary;
use crate::exit::Exit;
use crate::flags::{GraphFormat, ShowFlags};
use crate::problem::Problem;
use nubbin_graph::{Drawing, Graph, SignatureId, Statistics, TypeId, dot, page, svg};
use std::fmt::Write;

/// The maximum number of names that are listed for an ambiguous name.
const SHOWN: usize = 10;

pub(super) fn run(options: &ShowFlags) -> Result<Exit, Problem> {
    keep_apart(std::slice::from_ref(&options.graph), &options.output)?;
    let answer = Answer::claim(&options.output)?;
    let graph = read(&options.graph)?;
    let drawing = Drawing { signatures: true };
    if let Some(name) = &options.of {
        let id = find(&graph, name)?;
        return answer.show(&of_type(&graph, id));
    }
    match options.format {
        GraphFormat::Text => answer.show(&summary::table(&graph)),
        GraphFormat::Json => {
            let count = Statistics::of(&graph);
            answer.give(&(serde_json::to_string_pretty(&count).unwrap_or_default() + "\n"))
        }
        GraphFormat::Dot => answer.give(&dot(&graph, drawing)),
        GraphFormat::Svg => answer.give(&svg(&graph, drawing)),
        GraphFormat::Html => {
            let engine = summary::engine(&graph).unwrap_or_else(|| "no engine".to_owned());
            answer.give(&page(&graph, &format!("Prototype graph of {engine}")))
        }
    }
}

/// Finds a type by its name, or by a part of it.
fn find(graph: &Graph, name: &str) -> Result<TypeId, Problem> {
    let exact = graph
        .find(name)
        .or_else(|| graph.find(&format!("this.{name}")));
    if let Some(id) = exact {
        return Ok(id);
    }
    let has = |id: &TypeId| graph.type_of(*id).name.contains(name);
    let found: Vec<TypeId> = graph.ids().filter(has).collect();
    match &found[..] {
        [id] => Ok(*id),
        [] => Err(Problem::new(
            Exit::Usage,
            format!("no type of the graph has the name `{name}`"),
        )),
        many => {
            let names = many.iter().take(SHOWN);
            let names: Vec<&str> = names.map(|id| graph.type_of(*id).name.as_str()).collect();
            let what = format!("{} types have `{name}` in their names", many.len());
            Err(Problem::new(Exit::Usage, what).hint(format!("give one of:\n{}", names.join("\n"))))
        }
    }
}

fn of_type(graph: &Graph, id: TypeId) -> String {
    let node = graph.type_of(id);
    let name = |id: TypeId| graph.type_of(id).name.as_str();
    let mut text = format!("{} ({})\n", node.name, node.kind.name());
    // Writing to a string does not fail.
    let chain = std::iter::successors(node.prototype, |id| graph.type_of(*id).prototype);
    for above in chain {
        let _ = writeln!(text, "  prototype {}", name(above));
    }
    for (calls, what) in [(&node.call, "call"), (&node.construct, "new")] {
        for call in calls {
            let _ = writeln!(text, "  {what} {}", signature(graph, *call));
        }
    }
    for value in &node.values {
        let _ = writeln!(text, "  value {value}");
    }
    for (key, value) in &node.properties {
        let _ = writeln!(text, "  {}: {}", key.as_str(), name(*value));
    }
    text
}

fn signature(graph: &Graph, id: SignatureId) -> String {
    let signature = graph.signature(id);
    let names = |ids: &[TypeId]| match ids {
        [] => "?".to_owned(),
        ids => {
            let names = ids.iter().map(|id| graph.type_of(*id).name.as_str());
            names.collect::<Vec<_>>().join(" | ")
        }
    };
    let mut parts = vec![];
    if !signature.receiver.is_empty() {
        parts.push(format!("this: {}", names(&signature.receiver)));
    }
    let parameters = signature.parameters.iter();
    parts.extend(parameters.map(|parameter| names(&parameter.types)));
    let learned = if signature.learned {
        ""
    } else {
        "  (explored)"
    };
    format!(
        "({}) -> {}{learned}",
        parts.join(", "),
        names(&signature.returns)
    )
}
