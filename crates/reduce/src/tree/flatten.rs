use super::rebuild::Rebuild;
use super::{NodeId, Outline};
use nubbin_grammar::tree::NodeKind;

/// Makes a list of a chain of nodes that begin, or else end, with a node of their own rule.
///
/// `<list> ::= <item> | <list> ',' <item>` has a tree as deep as the list is long: the first item is
/// at the bottom, there is no level with several items, and none of them can go by itself. Flattened,
/// all are children of one node: first what the innermost list is, then, for each list around it,
/// what that one adds (`, item`). What is added becomes a node that [may go](Outline::phrase): a list
/// without it is a list. A list that ends with itself, `<item> ',' <list>`, is treated likewise from
/// the other side. Where a rule does both (`<e> ::= <e> '+' <e>`), the left side counts.
///
/// What stands between a rule and itself may be a chain of rules with nothing else in them:
/// `<call> ::= <callee> '(' ')'` where the callee is a call. That chain goes, too. Options and
/// repetitions in between (`<list> ::= <item> (',' <list>)?`) end the search, as does another rule with
/// more to it: `<expr> ::= <term> '*' <expr>` with sums in between are two lists.
///
/// The new nodes are of the kind [`NodeKind::Optional`], without a place in the grammar. The lists
/// within the list are gone from the tree: none of them can be replaced as a whole any more.
///
/// Each node is looked at a bounded number of times.
///
/// Source: Hodován, Kiss, Gyimóthy: Coarse Hierarchical Delta Debugging, ICSME 2017
/// (*flattenTreeRecursion*, algorithm 5 of Hodován's thesis). Changed: without recursion, and chains of
/// rules in between are seen through.
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
                children(new.from(), id, &mut todo);
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
    /// A node with all below it.
    Node(NodeId),
    Close,
    /// The children of a node, flattened.
    ChildrenOf(NodeId),
    /// Children, from the first to the last, that may go together.
    Part(NodeId, NodeId),
}

/// What becomes of the children of a node, in order.
fn children(outline: &Outline, id: NodeId, todo: &mut Vec<Todo>) {
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
        if let Some(left) = same_rule(outline, id, first) {
            todo.extend([Todo::ChildrenOf(left), Todo::Part(second, last)]);
            return;
        }
        if let Some(right) = same_rule(outline, id, last) {
            todo.extend([Todo::Part(first, before), Todo::ChildrenOf(right)]);
            return;
        }
    }
    todo.extend(outline.children(id).map(Todo::Node));
}

/// The node of the same rule that a child is, or is a chain of only children down to.
fn same_rule(outline: &Outline, id: NodeId, child: NodeId) -> Option<NodeId> {
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
        if only >= node.end || outline.node(only).end != node.end {
            return None;
        }
        at = only;
    }
}
