use super::{NodeId, NodeKind, Tree};
use crate::grammar::Visibility;
use crate::text::quoted;
use std::fmt::{self, Write};

/// Displays a tree as indented lines, one for each node.
///
/// A chain of nodes with one child each shares a line. Gaps of white space, which are most leaves
/// of source code, have no line. The display needs no recursion. Deep lines start with their depth
/// as a number, so that a hundred thousand nested parentheses do not become gigabytes of spaces.
#[derive(Clone, Copy, Debug)]
pub struct Indented<'t>(pub &'t Tree);

/// The maximum indentation in levels.
const DEEP: usize = 60;

impl fmt::Display for Indented<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tree = self.0;
        // For each open line, the end of its subtree.
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
            // An only child continues the line.
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

/// Returns the label of a node in pictures.
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

/// Returns a text in quotes, without its middle if it is long.
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

/// Returns a tree in the language of Graphviz.
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
