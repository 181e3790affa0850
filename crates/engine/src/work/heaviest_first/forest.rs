//! Units and their parents.

use crate::work::{Joined, Units};
use nubbin_edit::Span;
use std::sync::Arc;

/// Units that contain each other. They are visited from the outside in.
///
/// Units are numbered by position, a unit before everything within it.
///
/// ```
/// use nubbin_reduce::pass::{Forest, Nested};
/// use nubbin_reduce::span::Span;
/// use nubbin_reduce::work::{Spans, Work};
///
/// let nested = Nested::of([Span::new(2, 6), Span::new(0, 8), Span::new(3, 4), Span::new(7, 9)]);
/// assert_eq!(nested.parents, [None, Some(0), Some(1)]);          // 7..9 crosses 0..8
/// let forest = Forest::new(Spans::new(nested.spans), &nested.parents);
/// let work: Option<Work> = forest.walk();
/// assert!(work.is_some());
/// ```
#[derive(Clone)]
pub struct Forest {
    pub(super) units: Arc<dyn Units>,
    /// The children of all units. The children of unit `n` are `children[first[n + 1]..first[n +
    /// 2]]`, and the roots come first.
    first: Arc<[u32]>,
    children: Arc<[u32]>,
    pub(super) cumulative: bool,
    pub(super) children_stay: bool,
}

/// Nested spans, in the order that a [`Forest`] needs.
#[derive(Clone, Debug, Default)]
pub struct Nested {
    /// The spans by position. Of two nested spans, the outer span is the first.
    pub spans: Vec<Span>,
    /// For each span, the innermost span around it.
    pub parents: Vec<Option<u32>>,
}

impl Nested {
    /// Sorts spans and determines the span around each of them. Empty and duplicate spans are
    /// dropped. If two spans cross, the span that starts later is dropped.
    pub fn of(spans: impl IntoIterator<Item = Span>) -> Self {
        let mut spans: Vec<Span> = spans.into_iter().filter(|span| !span.is_empty()).collect();
        spans.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        spans.dedup();
        let mut nested = Nested::default();
        let mut around: Vec<(u32, u32)> = Vec::new();
        for span in spans {
            while around.last().is_some_and(|&(_, end)| end <= span.start) {
                around.pop();
            }
            if around.last().is_some_and(|&(_, end)| end < span.end) {
                continue;
            }
            nested.parents.push(around.last().map(|&(index, _)| index));
            around.push((nested.spans.len() as u32, span.end));
            nested.spans.push(span);
        }
        nested
    }
}

impl Forest {
    /// Creates a forest of units. `parents` holds the unit that contains each unit. A parent has a
    /// smaller number than its children.
    pub fn new(units: impl Units + 'static, parents: &[Option<u32>]) -> Self {
        let count = parents.len().min(units.len() as usize);
        let slot = |parent: Option<u32>| parent.map_or(0, |parent| parent as usize + 1);
        let mut first = vec![0u32; count + 2];
        for &parent in &parents[..count] {
            first[slot(parent) + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        let mut filled = first.clone();
        let mut children = vec![0u32; count];
        for (unit, &parent) in parents[..count].iter().enumerate() {
            let at = &mut filled[slot(parent)];
            children[*at as usize] = unit as u32;
            *at += 1;
        }
        Forest {
            units: Arc::new(units),
            first: first.into(),
            children: children.into(),
            cumulative: false,
            children_stay: false,
        }
    }

    /// Returns the forest with cumulative edits: every edit also contains the units that were
    /// removed before. This is for units whose edits depend on the presence of their neighbors, as
    /// commas do.
    #[must_use]
    pub fn cumulative(mut self) -> Self {
        self.cumulative = true;
        self
    }

    /// Returns the forest with children that survive: the visit continues with the children of
    /// removed units. This is for units whose removal keeps the children, such as pairs of
    /// brackets.
    #[must_use]
    pub fn children_stay(mut self) -> Self {
        self.children_stay = true;
        self
    }

    /// Returns whether the forest is empty.
    pub(in crate::work) fn is_empty(&self) -> bool {
        self.children.is_empty()
    }

    /// Creates one forest from several forests whose units are in different parts of the input, in
    /// its order. The settings are taken from the first forest.
    pub(in crate::work) fn joined(forests: Vec<Forest>) -> Option<Forest> {
        if forests.len() < 2 {
            return forests.into_iter().next();
        }
        let (cumulative, children_stay) = (forests[0].cumulative, forests[0].children_stay);
        let mut parents: Vec<Option<u32>> = vec![];
        for forest in &forests {
            let before = parents.len() as u32;
            parents.resize(parents.len() + forest.children.len(), None);
            for unit in 0..forest.children.len() as u32 {
                for &child in forest.list(unit + 1) {
                    parents[(before + child) as usize] = Some(before + unit);
                }
            }
        }
        let units = Joined::new(forests.into_iter().map(|forest| forest.units));
        Some(Forest {
            cumulative,
            children_stay,
            ..Forest::new(units, &parents)
        })
    }

    /// Returns the children of a unit, where units are numbered from 1. For 0, it returns the
    /// roots.
    pub(super) fn list(&self, number: u32) -> &[u32] {
        let bound = |at: u32| {
            self.first
                .get(at as usize)
                .map_or(0, |&bound| bound as usize)
        };
        self.children
            .get(bound(number)..bound(number + 1))
            .unwrap_or_default()
    }

    pub(super) fn weight(&self, list: u32) -> u64 {
        self.list(list)
            .iter()
            .map(|&unit| u64::from(self.units.weight(unit)))
            .sum()
    }
}
