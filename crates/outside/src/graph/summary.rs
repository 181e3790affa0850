//! The numbers of a graph as text.

use nubbin_graph::{Graph, Statistics};
use std::fmt::Write;

/// Returns a line: the engine, types, and signatures.
pub(super) fn line(graph: &Graph) -> String {
    let count = Statistics::of(graph);
    let mut text = engine(graph).map_or_else(String::new, |engine| format!("{engine}: "));
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "{} types, {} of them functions; {} signatures",
        count.types, count.functions, count.signatures
    );
    if count.learned > 0 {
        let _ = write!(text, ", {} of them learned", count.learned);
    }
    text
}

/// Returns the engine's name and version.
pub(super) fn engine(graph: &Graph) -> Option<String> {
    let engine = graph.engine.as_ref()?;
    Some(match &engine.version {
        Some(version) => format!("{} {version}", engine.name),
        None => engine.name.clone(),
    })
}

/// Returns a line for each number.
pub(super) fn table(graph: &Graph) -> String {
    let count = Statistics::of(graph);
    let mut text = String::new();
    let mut line = |name: &str, value: &dyn std::fmt::Display| {
        let _ = writeln!(text, "{name:16}{value:>8}");
    };
    line("types", &count.types);
    line("  functions", &count.functions);
    line("signatures", &count.signatures);
    line("  learned", &count.learned);
    line("property edges", &count.property);
    line("prototype edges", &count.prototype);
    line("call edges", &count.call);
    line("construct edges", &count.construct);
    line("parameter edges", &count.parameter);
    line("return edges", &count.returns);
    line("values", &count.values);
    if let Some(engine) = &graph.engine {
        let version = engine.version.as_deref().unwrap_or("no version");
        let _ = writeln!(text, "engine          {} ({version})", engine.name);
        let _ = writeln!(text, "                {}", engine.hash);
    }
    text
}
