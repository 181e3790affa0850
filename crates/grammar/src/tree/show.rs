use super::{NodeId, NodeKind, Tree};
use crate::grammar::Visibility;
use crate::text::quoted;
use std::fmt::{self, Write};

/// A tree as indented lines, one for each node.
///
/// Chains of nodes with one child, and nothing else to say, share a line. Gaps of blanks have none:
/// most of the leaves of source code are that. Written line by line, without
/// recursion. Deep lines bear their depth as a number: a hundred thousand nested parentheses must not
/// become gigabytes of blanks.
#[derive(Clone, Copy, Debug)]
pub struct Indented<'t>(pub &'t Tree);

/// Lines are indented so far, in levels.
const DEEP: usize = 60;

impl fmt::Display for Indented<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tree = self.0;
        // For each open line: where its subtree ends.
        let mut open: Vec<u32> = vec![];
        let mut chained = false;
        for (id, node) in tree.nodes() {
            if node.kind == NodeKind::Gap && tree.text_of(id).trim_ascii().is_empty() {
                continue;
            }
            while open.last().is_some_and(|&end| end <= id.0) {
                open.pop();
            }
            if chained {
                f.write_str(" › ")?;
            } else {
                for _ in 0..open.len().min(DEEP) {
                    f.write_str("  ")?;
                }
                if open.len() > DEEP {
                    write!(f, "[{}] ", open.len())?;
                }
            }
            f.write_str(&label(tree, id))?;
            // An only child goes on in the same line.
            chained = node.end > id.0 + 1
                && tree.nodes[id.index() + 1].end == node.end
                && tree.nodes[id.index() + 1].kind != NodeKind::Gap;
            if !chained {
                f.write_char('\n')?;
                open.push(node.end);
            }
        }
        Ok(())
    }
}

/// What a node is called in pictures.
pub(super) fn label(tree: &Tree, id: NodeId) -> String {
    let node = tree.node(id);
    let symbol = || &tree.grammar.symbol(node.symbol).name;
    match node.kind {
        NodeKind::Rule => format!("<{}>", symbol()),
        NodeKind::Token => match tree.grammar.symbol(node.symbol).visibility {
            Visibility::Named => format!("<{}> {}", symbol(), shortened(tree.text_of(id))),
            _ => shortened(tree.text_of(id)),
        },
        NodeKind::Optional => "(…)?".into(),
        NodeKind::Repeat => "(…)*".into(),
        NodeKind::Iteration => "·".into(),
        NodeKind::Separator => ",".into(),
        NodeKind::Gap => format!("gap {}", shortened(tree.text_of(id))),
        NodeKind::Error => "error".into(),
        NodeKind::Missing => format!("missing <{}>", symbol()),
    }
}

/// A text in quotes, its middle left out if it is long.
fn shortened(text: &[u8]) -> String {
    const LONG: usize = 60;
    if text.len() <= LONG {
        return quoted(text);
    }
    let half = LONG / 2;
    format!(
        "{}…{}",
        quoted(&text[..half]),
        quoted(&text[text.len() - half..])
    )
}

/// A tree in the language of Graphviz.
pub fn dot(tree: &Tree) -> String {
    let mut out = String::from(
        "digraph tree {\n  node [shape=plaintext, fontname=\"monospace\"];\n  edge [arrowhead=none];\n  ordering=out;\n",
    );
    for (id, node) in tree.nodes() {
        let label = label(tree, id).replace('\\', "\\\\").replace('"', "\\\"");
        let style = match node.kind {
            NodeKind::Token | NodeKind::Gap => ", shape=box, style=rounded",
            NodeKind::Error | NodeKind::Missing => ", fontcolor=red",
            _ => "",
        };
        let _ = writeln!(out, "  n{} [label=\"{label}\"{style}];", id.index());
        if let Some(parent) = tree.parent(id) {
            let _ = writeln!(out, "  n{} -> n{};", parent.index(), id.index());
        }
    }
    out.push_str("}\n");
    out
}
