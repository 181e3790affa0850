//! binheap: a heap is turned into a list that is not always sorted.

use nubbin_generate::Choices;
use std::fmt;

#[derive(Clone)]
pub(super) struct Heap(Option<Box<(i64, Heap, Heap)>>);

impl fmt::Debug for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            None => f.write_str("None"),
            Some(node) => write!(f, "({}, {:?}, {:?})", node.0, node.1, node.2),
        }
    }
}

pub(super) fn make(choices: &mut Choices) -> Heap {
    let size = choices.integer(0..=20);
    heap(choices, None, size)
}

fn heap(choices: &mut Choices, bound: Option<i64>, size: i64) -> Heap {
    choices.span("heap", |choices| {
        let branch = choices.integer(1..=8);
        if branch == 1 || size <= 0 {
            return Heap(None);
        }
        let head = match bound {
            None => choices.any_integer(),
            Some(bound) => {
                let head = choices.filter(Choices::any_integer, |&head| head >= bound);
                head.unwrap_or(bound)
            }
        };
        let left = heap(choices, Some(head), size / 2);
        let right = heap(choices, Some(head), size / 2);
        Heap(Some(Box::new((head, left, right))))
    })
}

fn listed(heap: &Heap) -> Vec<i64> {
    let mut list = vec![];
    let mut todo = vec![heap];
    while let Some(heap) = todo.pop() {
        if let Some(node) = &heap.0 {
            list.push(node.0);
            todo.extend([&node.1, &node.2]);
        }
    }
    list
}

fn merged(left: Heap, right: Heap) -> Heap {
    match (left.0, right.0) {
        (None, right) => Heap(right),
        (left, None) => Heap(left),
        (Some(left), Some(right)) => {
            let (first, other) = if left.0 <= right.0 {
                (left, right)
            } else {
                (right, left)
            };
            let (head, inner, outer) = *first;
            Heap(Some(Box::new((
                head,
                merged(outer, Heap(Some(other))),
                inner,
            ))))
        }
    }
}

fn wrongly_sorted(heap: &Heap) -> Vec<i64> {
    let Some(node) = heap.0.clone() else {
        return vec![];
    };
    let mut list = vec![node.0];
    list.extend(listed(&merged(node.1, node.2)));
    list
}

pub(super) fn fails(heap: &Heap) -> bool {
    let wrong = wrongly_sorted(heap);
    let mut right = listed(heap);
    right.sort_unstable();
    wrong != right
}

pub(super) fn size(heap: &Heap) -> usize {
    heap.0
        .as_ref()
        .map_or(1, |node| 1 + size(&node.1) + size(&node.2))
}
