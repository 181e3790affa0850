use nubbin_edit::{Edit, Span};
use std::cmp::Reverse;

/// Nested changes, divided into lists. No list contains a change within another change of the list.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Nested {
    /// The lists that remove most in few tests, from the outside in.
    pub(super) early: Vec<Vec<Edit>>,
    /// The remaining changes, from the outside in.
    pub(super) late: Vec<Vec<Edit>>,
}

/// The maximum number of lists of each kind: the contents of deeper ones are proposed when the pass
/// is opened again.
const LISTS: usize = 16;

/// A change, and its place among the others.
struct Node {
    span: Span,
    edit: Edit,
    /// The number of changes around the change.
    depth: usize,
    /// The innermost change around the change.
    around: Option<usize>,
    /// The change within it that has at least half of its bytes.
    heavy: Option<usize>,
}

impl Nested {
    /// Divides changes into lists.
    ///
    /// If one statement is needed, every block around it is also needed, and each block costs tests
    /// that remove nothing. A change is therefore skipped at first if it is within another change
    /// that has less than twice its bytes, and itself contains such a change. A list has the
    /// outermost changes of such chains. The next list has all changes next to the inner changes,
    /// and the innermost change. The number of such lists is about log₂ of the size.
    ///
    /// Source of the chains: D. D. Sleator and R. E. Tarjan, "A Data Structure for Dynamic Trees",
    /// 1983 (heavy paths).
    pub(super) fn of(changes: Vec<(Span, Edit)>) -> Self {
        let nodes = nodes(changes);
        let mut nested = Nested::default();
        // For each change, the number of the list of its chain, and of the list of the changes
        // inside it.
        let mut chain = vec![0; nodes.len()];
        let mut inner = vec![0; nodes.len()];
        for (at, node) in nodes.iter().enumerate() {
            let is_on_chain = node.around.is_some_and(|of| nodes[of].heavy == Some(at));
            chain[at] = match node.around {
                Some(of) if is_on_chain => chain[of],
                Some(of) => inner[of],
                None => 0,
            };
            let is_innermost = node.heavy.is_none();
            let list = chain[at] + usize::from(is_on_chain);
            inner[at] = match is_innermost {
                true => list + 1,
                false => chain[at] + 1,
            };
            match is_on_chain && !is_innermost {
                true => add(&mut nested.late, node.depth, &node.edit),
                false => add(&mut nested.early, list, &node.edit),
            }
        }
        nested.late.retain(|list| !list.is_empty());
        nested
    }
}

/// Adds a change to a list, if there may be so many.
fn add(lists: &mut Vec<Vec<Edit>>, at: usize, edit: &Edit) {
    if at >= LISTS {
        return;
    }
    if at >= lists.len() {
        lists.resize(at + 1, vec![]);
    }
    lists[at].push(edit.clone());
}

/// Returns the changes, each after those around it.
fn nodes(mut changes: Vec<(Span, Edit)>) -> Vec<Node> {
    changes.sort_by_key(|(span, _)| (span.start, Reverse(span.end)));
    let mut nodes: Vec<Node> = Vec::with_capacity(changes.len());
    let mut open: Vec<usize> = vec![];
    for (span, edit) in changes {
        while open
            .last()
            .is_some_and(|&of| nodes[of].span.end <= span.start)
        {
            open.pop();
        }
        let around = open.last().copied();
        let at = nodes.len();
        if let Some(of) = around
            && nodes[of].heavy.is_none()
            && span.len() * 2 >= nodes[of].span.len()
        {
            nodes[of].heavy = Some(at);
        }
        nodes.push(Node {
            span,
            edit,
            depth: open.len(),
            around,
            heavy: None,
        });
        open.push(at);
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(spans: &[(u32, u32)]) -> [Vec<Vec<Span>>; 2] {
        let changes = spans.iter().map(|&(start, end)| {
            let span = Span::new(start, end);
            (span, Edit::delete(span))
        });
        let found = Nested::of(changes.collect());
        [found.early, found.late].map(|lists| {
            let spans = |edit: &Edit| edit.splices()[0].span;
            let list = |list: Vec<Edit>| list.iter().map(spans).collect();
            lists.into_iter().map(list).collect()
        })
    }

    fn spans(of: &[(u32, u32)]) -> Vec<Span> {
        of.iter()
            .map(|&(start, end)| Span::new(start, end))
            .collect()
    }

    #[test]
    fn a_change_in_another_one_is_of_the_next_list() {
        let [early, late] = lists(&[(5, 6), (0, 9), (9, 12), (4, 8)]);
        let wanted = [
            spans(&[(0, 9), (9, 12)]),
            spans(&[(4, 8)]),
            spans(&[(5, 6)]),
        ];
        assert_eq!(early, wanted);
        assert!(late.is_empty());
    }

    #[test]
    fn chains_of_blocks_are_skipped_at_first() {
        // Each block has a statement before the next block. The innermost block has two.
        let blocks = [(0, 100), (5, 99), (10, 98), (15, 97)];
        let beside = [(1, 4), (6, 9), (11, 14), (16, 40), (40, 60)];
        let [early, late] = lists(&[&blocks[..], &beside[..]].concat());
        let wanted = [
            spans(&[(0, 100)]),
            spans(&[(1, 4), (6, 9), (11, 14), (15, 97)]),
            spans(&[(16, 40), (40, 60)]),
        ];
        assert_eq!(early, wanted);
        assert_eq!(late, [spans(&[(5, 99)]), spans(&[(10, 98)])]);
    }
}
