//! Syntax trees.

use crate::error::{self, GrammarError};
use crate::grammar::Grammar;
use crate::syntax;
use nubbin_grammar::tree::{NodeId, NodeKind};
use pyo3::prelude::*;

/// A node: its symbol, kind, span in bytes, and the index of its parent.
type Row = (String, &'static str, usize, usize, Option<usize>);

/// Parses a text, and returns the nodes of its tree, parents before children.
#[pyfunction]
#[pyo3(signature = (text, grammar, language, name))]
pub(crate) fn parse(
    py: Python<'_>,
    text: Vec<u8>,
    grammar: Option<&Grammar>,
    language: Option<&str>,
    name: &str,
) -> PyResult<Vec<Row>> {
    py.detach(|| {
        let syntax = syntax::of(grammar, language, name, &text)?.ok_or_else(|| {
            GrammarError::new_err(
                "the language of the input is not known: name it, or give a grammar",
            )
        })?;
        let tree = syntax.tree(&text).map_err(error::grammar)?;
        let rows = tree.nodes().map(|(id, node)| {
            let symbol = tree.grammar().symbol(node.symbol).name.to_string();
            let span = node.span();
            let parent = tree.parent(id).map(NodeId::index);
            (symbol, kind(node.kind), span.start, span.end, parent)
        });
        Ok(rows.collect())
    })
}

fn kind(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Rule => "rule",
        NodeKind::Token => "token",
        NodeKind::Optional => "optional",
        NodeKind::Repeat => "repeat",
        NodeKind::Iteration => "iteration",
        NodeKind::Separator => "separator",
        NodeKind::Gap => "gap",
        NodeKind::Error => "error",
        NodeKind::Missing => "missing",
    }
}
