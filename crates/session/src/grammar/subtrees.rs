//! The nodes and levels of a tree, and its subtrees of one symbol.

use crate::exit::Exit;
use crate::problem::Problem;
use crate::shown::visible;
use nubbin_grammar::suggest::nearest;
use nubbin_grammar::tree::{NodeKind, Tree};
use std::fmt::Write;

/// The nodes of each subtree, and its levels. A rule without text has an empty leaf, as in the
/// Fuzzing Book.
struct Sizes {
    nodes: Vec<u32>,
    levels: Vec<u32>,
    /// The number of levels above each node.
    depths: Vec<u32>,
}

impl Sizes {
    fn of(tree: &Tree) -> Self {
        let leaf = |kind: NodeKind| 1 + u32::from(kind == NodeKind::Rule);
        let is_last = |id, index: usize| tree.end(id) as usize == index + 1;
        let own = tree
            .nodes()
            .map(|(id, node)| match is_last(id, id.index()) {
                true => leaf(node.kind),
                false => 1,
            });
        let mut nodes: Vec<u32> = own.collect();
        let mut levels = nodes.clone();
        let mut depths = vec![0; nodes.len()];
        for (id, _) in tree.nodes() {
            if let Some(parent) = tree.parent(id) {
                depths[id.index()] = depths[parent.index()] + 1;
            }
        }
        for (id, _) in tree.nodes().rev() {
            if let Some(parent) = tree.parent(id) {
                nodes[parent.index()] += nodes[id.index()];
                levels[parent.index()] = levels[parent.index()].max(levels[id.index()] + 1);
            }
        }
        Sizes {
            nodes,
            levels,
            depths,
        }
    }
}

/// Returns the number of nodes and levels of a tree, in a line.
pub(super) fn count(tree: &Tree) -> String {
    let sizes = Sizes::of(tree);
    let first = |counts: &[u32]| counts.first().copied().unwrap_or(0);
    let (nodes, levels) = (first(&sizes.nodes), first(&sizes.levels));
    format!("{nodes} nodes on {levels} levels\n")
}

/// Returns a table of the subtrees of a symbol below the root, in the order of the text.
pub(super) fn list(tree: &Tree, symbol: &str, depth: Option<u32>) -> Result<String, Problem> {
    let name = symbol.trim_start_matches('<').trim_end_matches('>');
    let grammar = tree.grammar();
    let rule = grammar.rule(name).ok_or_else(|| {
        let names = grammar.rules().map(|(id, _)| &*grammar.symbol(id).name);
        let problem = Problem::new(Exit::Usage, format!("the grammar has no rule <{name}>"));
        match nearest(name, names) {
            Some(like) => problem.hint(format!("did you mean <{like}>?")),
            None => problem,
        }
    })?;
    let sizes = Sizes::of(tree);
    let mut table = "nodes  levels  depth  text\n".to_owned();
    for (id, node) in tree.nodes() {
        let at = id.index();
        let is_wanted = depth.is_none_or(|depth| sizes.depths[at] == depth);
        if at > 0 && node.kind == NodeKind::Rule && node.symbol == rule && is_wanted {
            let text = visible(&String::from_utf8_lossy(tree.text_of(id))).to_string();
            let _ = writeln!(
                table,
                "{:>5}  {:>6}  {:>5}  {text}",
                sizes.nodes[at], sizes.levels[at], sizes.depths[at]
            );
        }
    }
    Ok(table)
}
