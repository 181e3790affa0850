use super::{NodeId, NodeKind, Tree};
use crate::grammar::Visibility;
use crate::text::quoted;
use std::fmt::{self, Write};

/// Displays a tree as indented lines, one per node.
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

/// Returns a tree in the DOT language of Graphviz.
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
/// Displays a tree as nested parentheses, with one rule or token per line. Quantifier nodes and
/// gaps are omitted.
///
/// The format is ANTLR's, except for the line breaks.
///
/// ```
/// use nubbin_grammar::{parse::Parser, read, tree::Nested};
/// use std::sync::Arc;
///
/// let grammar = read::read("<sum> ::= <n> ('+' <n>)*\n<n> ::= '1' | '2'", None, "sum")?;
/// let tree = Parser::new(Arc::new(grammar))?.parse(b"1+2")?;
/// assert_eq!(Nested(&tree).to_string(), "(sum\n(n\n1\n)\n+\n(n\n2\n)\n)\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Nested<'t>(pub &'t Tree);

impl fmt::Display for Nested<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tree = self.0;
        let mut open = vec![];
        for (id, node) in tree.nodes() {
            while open.pop_if(|open| !tree.covers(*open, id)).is_some() {
                writeln!(f, ")")?;
            }
            let name = &tree.grammar().symbol(node.symbol).name;
            match node.kind {
                NodeKind::Rule => {
                    writeln!(f, "({name}")?;
                    open.push(id);
                }
                NodeKind::Token if node.span().is_empty() => writeln!(f, "<{name}>")?,
                NodeKind::Token => {
                    let text = String::from_utf8_lossy(&tree.text()[node.span()]).into_owned();
                    let text = text.replace('\n', "\\n").replace('\r', "\\r");
                    writeln!(f, "{}", text.replace('\t', "\\t"))?;
                }
                _ => {}
            }
        }
        open.iter().try_for_each(|_| writeln!(f, ")"))
    }
}
