use super::rebuild::Rebuild;
use super::{NodeId, Outline};
use nubbin_grammar::tree::NodeKind;

/// Converts a chain of nodes that begin or end with a node of their own rule to a list.
///
/// `<list> ::= <item> | <list> ',' <item>` has a tree as deep as the list is long: the first item
/// is at the bottom, no level has several items, and no item can be removed by itself. After
/// flattening, all are children of one node: first the content of the innermost list, then, for
/// each list around it, the part that it adds (`, item`). The added part becomes a node that [may
/// be removed](Outline::phrase), since the rest is still a list. A list that ends with itself,
/// `<item> ',' <list>`, is treated in the same way from the other side. Where a rule does both
/// (`<e> ::= <e> '+' <e>`), the left side counts.
///
/// Only a child of the rule itself counts. [`flatten_chains`] also finds the recursion through
/// other rules.
///
/// The new nodes are of the kind [`NodeKind::Optional`], without an expression of the grammar. The
/// inner lists are dropped from the tree, so none of them can be replaced as a whole any more.
///
/// Each node is visited a bounded number of times.
///
/// Source: Hodován, Kiss, Gyimóthy: Coarse Hierarchical Delta Debugging, ICSME 2017
/// (*flattenTreeRecursion*, algorithm 5 of Hodován's thesis). Changed: without recursion.
///
/// ```
/// use nubbin_grammar::{parse::Parser, read};
/// use nubbin_reduce::tree::{self, Outline, ROOT};
/// use std::sync::Arc;
///
/// let grammar = read::read("<list> ::= [0-9] | <list> ',' [0-9]", None, "list")?;
/// let outline = Outline::of(&Parser::new(Arc::new(grammar))?, b"1,2,3,4", 0).unwrap();
/// assert_eq!(outline.children(ROOT).count(), 3);
/// let flat = tree::flatten(outline);
/// let children: Vec<&[u8]> = flat.children(ROOT).map(|id| flat.text_of(id)).collect();
/// assert_eq!(children, [b"1".as_slice(), b",2", b",3", b",4"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn flatten(outline: Outline) -> Outline {
    flattened(outline, Reach::Child)
}

/// Converts recursion to lists as [`flatten`] does, including recursion in which a chain of rules
/// leads from a rule to itself.
///
/// Between a rule and its recursion there may be rules with nothing else in them: `<call> ::=
/// <callee> '(' ')'` where the callee is a call. Such a chain is dropped, too. Optional parts and
/// repetitions in between (`<list> ::= <item> (',' <list>)?`) end the search, as does another rule
/// with further content: `<expr> ::= <term> '*' <expr>` with sums in between are two lists.
///
/// This is the step of the default plan. The step is not published.
///
/// ```
/// use nubbin_grammar::{parse::Parser, read};
/// use nubbin_reduce::tree::{self, Outline, ROOT};
/// use std::sync::Arc;
///
/// let grammar = read::read("<expr> ::= <call> | 'f'\n<call> ::= <expr> '()'", None, "calls")?;
/// let outline = Outline::of(&Parser::new(Arc::new(grammar))?, b"f()()", 0).unwrap();
/// // The expression is a call, the callee an expression again.
/// let calls = |outline: &Outline| {
///     let call = outline.children(ROOT).next().unwrap();
///     outline.children(call).map(|id| outline.text_of(id).to_vec()).collect::<Vec<_>>()
/// };
/// assert_eq!(calls(&tree::flatten(outline.clone())), [b"f()".as_slice(), b"()"]);
/// assert_eq!(calls(&tree::flatten_chains(outline)), [b"f".as_slice(), b"()", b"()"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn flatten_chains(outline: Outline) -> Outline {
    flattened(outline, Reach::Chain)
}

/// The depth below a rule that its recursion may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// A child of the node.
    Child,
    /// The end of a chain of rules that are only children.
    Chain,
}

fn flattened(outline: Outline, reach: Reach) -> Outline {
    let mut new = Rebuild::new(outline);
    let mut todo = vec![Todo::Node(0)];
    while let Some(next) = todo.pop() {
        match next {
            Todo::Node(id) => {
                let names = new.from().chains.of(id).to_vec();
                new.open(id, &names);
                todo.extend([Todo::Close, Todo::ChildrenOf(id)]);
            }
            Todo::Close => new.close(),
            Todo::ChildrenOf(id) => {
                let from = todo.len();
                children(new.from(), id, reach, &mut todo);
                todo[from..].reverse();
            }
            Todo::Part(first, last) => {
                new.open_part(first, last);
                todo.push(Todo::Close);
                let from = todo.len();
                let mut id = first;
                while id <= last {
                    todo.push(Todo::Node(id));
                    id = new.from().node(id).end;
                }
                todo[from..].reverse();
            }
        }
    }
    new.finish()
}

enum Todo {
    /// A node with all nodes below it.
    Node(NodeId),
    Close,
    /// The children of a node, flattened.
    ChildrenOf(NodeId),
    /// The children from the first to the last node, which may be removed together.
    Part(NodeId, NodeId),
}

/// Adds the flattened children of a node, in order.
fn children(outline: &Outline, id: NodeId, reach: Reach, todo: &mut Vec<Todo>) {
    let node = outline.node(id);
    let first = id + 1;
    if first >= node.end {
        return;
    }
    let second = outline.node(first).end;
    if node.kind == NodeKind::Rule && second < node.end {
        let mut last = second;
        let mut before = first;
        while outline.node(last).end < node.end {
            before = last;
            last = outline.node(last).end;
        }
        if let Some(left) = same_rule(outline, id, first, reach) {
            todo.extend([Todo::ChildrenOf(left), Todo::Part(second, last)]);
            return;
        }
        if let Some(right) = same_rule(outline, id, last, reach) {
            todo.extend([Todo::Part(first, before), Todo::ChildrenOf(right)]);
            return;
        }
    }
    todo.extend(outline.children(id).map(Todo::Node));
}

/// Returns the node of the same rule that a child is, or that a chain of only children leads to.
fn same_rule(outline: &Outline, id: NodeId, child: NodeId, reach: Reach) -> Option<NodeId> {
    let mut at = child;
    loop {
        let node = outline.node(at);
        if node.kind != NodeKind::Rule {
            return None;
        }
        let is_same = outline
            .names(at)
            .any(|name| outline.names(id).any(|own| own.symbol == name.symbol));
        if is_same {
            return Some(at);
        }
        let only = at + 1;
        if reach == Reach::Child || only >= node.end || outline.node(only).end != node.end {
            return None;
        }
        at = only;
    }
}
