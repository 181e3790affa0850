use crate::edit::Edit;
use crate::pick::{Configuration, ListShape, Picker, Probe};
use crate::span::Span;
use crate::work::{Lists, Machine, Units, Work};
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::Arc;

/// Units that contain each other, to be walked through from the outside in.
///
/// Units are numbered by position, a unit before everything within it.
///
/// ```
/// use nubbin_reduce::pass::{Forest, Nested};
/// use nubbin_reduce::span::Span;
/// use nubbin_reduce::work::{Lists, Spans, Work};
///
/// let nested = Nested::of([Span::new(2, 6), Span::new(0, 8), Span::new(3, 4), Span::new(7, 9)]);
/// assert_eq!(nested.parents, [None, Some(0), Some(1)]);          // 7..9 crosses 0..8
/// let forest = Forest::new(Spans::new(nested.spans), &nested.parents);
/// let work: Option<Work> = forest.walk(&Lists::default());
/// assert!(work.is_some());
/// ```
#[derive(Clone)]
pub struct Forest {
    units: Arc<dyn Units>,
    /// The children of unit `n` are `children[first[n + 1]..first[n + 2]]`; the roots come first.
    first: Arc<[u32]>,
    children: Arc<[u32]>,
    cumulative: bool,
    children_stay: bool,
}

/// Spans that nest, in the order a [`Forest`] wants them.
#[derive(Clone, Debug, Default)]
pub struct Nested {
    /// By position, the outer one first.
    pub spans: Vec<Span>,
    /// The innermost span around each.
    pub parents: Vec<Option<u32>>,
}

impl Nested {
    /// Sorts spans and finds out which is in which. Empty and equal ones are dropped, and where
    /// two cross, the one that starts later.
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
    /// A forest of units; `parents` says which unit each is in, a smaller number than its own.
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

    /// Always asks the units for the edit that takes out what has gone before, too. For units
    /// whose edits depend on which of their neighbours are still there, as commas do.
    #[must_use]
    pub fn cumulative(mut self) -> Self {
        self.cumulative = true;
        self
    }

    /// Goes on to the children of units that were taken out as well: where taking a unit out leaves
    /// them, as removing a pair of brackets does.
    #[must_use]
    pub fn children_stay(mut self) -> Self {
        self.children_stay = true;
        self
    }

    /// The work of walking through it, see [`HeaviestFirst`]; `None` where there is no unit.
    pub fn walk(self, lists: &Lists) -> Option<Work> {
        if self.children.is_empty() {
            return None;
        }
        Some(Work::Machine(Box::new(HeaviestFirst::new(self, lists))))
    }

    /// The children of a unit, or, numbered 0 where units are numbered from 1, the roots.
    fn list(&self, number: u32) -> &[u32] {
        let bound = |at: u32| {
            self.first
                .get(at as usize)
                .map_or(0, |&bound| bound as usize)
        };
        self.children
            .get(bound(number)..bound(number + 1))
            .unwrap_or_default()
    }

    fn weight(&self, list: u32) -> u64 {
        self.list(list)
            .iter()
            .map(|&unit| u64::from(self.units.weight(unit)))
            .sum()
    }
}

/// Walks through a [`Forest`] from the outside in, heavy lists first.
///
/// The siblings of one parent are a list, and lists are worked through by a list algorithm, so
/// neighbours go together while that works. The children of a unit become a list when the list
/// that it is in is done and the unit is still there. Which list is next is decided by weight,
/// wherever it is in the forest: a test should be able to save as much as possible.
///
/// Many lists are short, and a list algorithm cannot take large steps in a short list. So all
/// lists that wait and weigh at least half of what the heaviest one does are joined into one, in
/// the order of the text. No two units of such a list contain each other.
///
/// The last unit of a list is tried, too, which list algorithms by themselves never do.
///
/// Cost: the tests of the list algorithm over all units whose ancestors stay; one per unit where
/// everything must stay.
///
/// Source: hierarchical delta debugging (Misherghi, Su: HDD, ICSE 2006) has one list for each
/// level; HDDr (Kiss, Hodován, Gyimóthy 2018) one for each parent; Perses (Sun et al. 2018) takes
/// the heaviest node first. Joining waiting lists of similar weight is ours.
pub struct HeaviestFirst {
    forest: Forest,
    lists: Lists,
    /// Lists that wait, with their weights. Lists of the same weight come by position.
    waiting: Arc<BinaryHeap<(u64, std::cmp::Reverse<u32>)>>,
    layer: Option<Layer>,
}

struct Layer {
    units: Arc<[u32]>,
    left: Configuration,
    picker: Box<dyn Picker>,
    asked: Option<Probe>,
    /// The picker has ended; what is asked is whether the only unit left can go.
    ended: bool,
}

impl Layer {
    /// List algorithms never take the last unit, since an empty list is rarely what is wanted.
    /// Here it is only one list of many.
    fn next(&mut self) -> Option<Probe> {
        if let Some(probe) = self.asked.clone().filter(|_| self.ended) {
            return Some(probe);
        }
        if self.ended {
            return None;
        }
        self.asked = self.picker.next().or_else(|| {
            self.ended = true;
            (self.left.len() == 1).then(|| Probe::removing(self.left.iter()))
        });
        self.asked.clone()
    }

    fn record(&mut self, adopted: bool) {
        if !self.ended {
            self.picker.record(adopted);
        }
        if let Some(probe) = self.asked.take().filter(|_| adopted) {
            self.left.adopt(&probe);
        }
    }
}

impl HeaviestFirst {
    /// Begins with the roots.
    pub fn new(forest: Forest, lists: &Lists) -> Self {
        let roots = (forest.weight(0), std::cmp::Reverse(0));
        HeaviestFirst {
            forest,
            lists: lists.clone(),
            waiting: Arc::new(BinaryHeap::from([roots])),
            layer: None,
        }
    }

    /// The next layer; `None` where nothing waits.
    fn open(&mut self) -> Option<Layer> {
        let waiting = Arc::make_mut(&mut self.waiting);
        let (heaviest, list) = waiting.pop()?;
        let mut units: Vec<u32> = self.forest.list(list.0).to_vec();
        while let Some(&(weight, list)) = waiting.peek()
            && weight >= heaviest.div_ceil(2)
        {
            units.extend(self.forest.list(list.0));
            waiting.pop();
        }
        units.sort_unstable();
        let weights: Vec<u32> = units
            .iter()
            .map(|&unit| self.forest.units.weight(unit))
            .collect();
        let shape = ListShape {
            len: weights.len() as u32,
            weights: Some(weights.into()),
            seed: self.lists.seed,
        };
        Some(Layer {
            left: Configuration::new(shape.len),
            picker: self.lists.algorithm.start(&shape),
            units: units.into(),
            asked: None,
            ended: false,
        })
    }

    /// Lets the children of all that is left in a layer wait.
    fn descend(&mut self, layer: &Layer) {
        let waiting = Arc::make_mut(&mut self.waiting);
        let all = self.forest.children_stay;
        for (position, &unit) in layer.units.iter().enumerate() {
            if !all && !layer.left.contains(position as u32) {
                continue;
            }
            let list = unit + 1;
            if !self.forest.list(list).is_empty() {
                waiting.push((self.forest.weight(list), std::cmp::Reverse(list)));
            }
        }
    }

    fn edit(&self, layer: &Layer, probe: &Probe) -> Edit {
        let mut units: Vec<Range<u32>> = Vec::new();
        let mut add = |position: u32| {
            let Some(&unit) = layer.units.get(position as usize) else {
                return;
            };
            match units.last_mut() {
                Some(last) if last.end == unit => last.end += 1,
                _ => units.push(unit..unit + 1),
            }
        };
        if self.forest.cumulative {
            let mut left = layer.left.clone();
            left.adopt(probe);
            let mut next = 0;
            for kept in left.iter().chain([layer.units.len() as u32]) {
                (next..kept).for_each(&mut add);
                next = kept + 1;
            }
        } else {
            probe.remove.iter().cloned().flatten().for_each(add);
        }
        self.forest.units.edit(&units)
    }
}

impl Machine for HeaviestFirst {
    fn next(&mut self) -> Option<Edit> {
        loop {
            let mut layer = match self.layer.take() {
                Some(layer) => layer,
                None => self.open()?,
            };
            if let Some(probe) = layer.next() {
                let edit = self.edit(&layer, &probe);
                self.layer = Some(layer);
                return Some(edit);
            }
            self.descend(&layer);
        }
    }

    fn record(&mut self, adopted: bool) {
        if let Some(layer) = &mut self.layer {
            layer.record(adopted);
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        let layer = self.layer.as_ref().map(|layer| Layer {
            units: Arc::clone(&layer.units),
            left: layer.left.clone(),
            picker: layer.picker.fork(),
            asked: layer.asked.clone(),
            ended: layer.ended,
        });
        Box::new(HeaviestFirst {
            forest: self.forest.clone(),
            lists: self.lists.clone(),
            waiting: Arc::clone(&self.waiting),
            layer,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::Spans;

    fn forest(spans: &[(u32, u32)]) -> HeaviestFirst {
        let nested = Nested::of(spans.iter().map(|&(start, end)| Span::new(start, end)));
        HeaviestFirst::new(
            Forest::new(Spans::new(nested.spans), &nested.parents),
            &Lists::default(),
        )
    }

    /// What is asked as long as nothing is adopted, as single spans.
    fn asked(mut machine: HeaviestFirst) -> Vec<(u32, u32)> {
        let mut all = Vec::new();
        while let Some(edit) = machine.next() {
            if let [splice] = edit.splices() {
                all.push((splice.span.start, splice.span.end));
            }
            machine.record(false);
        }
        all
    }

    #[test]
    fn parents_are_asked_before_children_and_heavy_lists_before_light_ones() {
        let asked = asked(forest(&[(0, 10), (1, 3), (20, 100), (30, 90), (40, 50)]));
        let place = |span| asked.iter().position(|&other| other == span).unwrap();
        assert!(place((20, 100)) < place((30, 90)));
        assert!(place((0, 10)) < place((30, 90)));
        assert!(place((30, 90)) < place((40, 50)));
        assert!(place((40, 50)) < place((1, 3)));
    }

    #[test]
    fn what_is_in_a_unit_that_went_is_not_asked() {
        let mut machine = forest(&[(0, 50), (1, 20), (50, 60)]);
        let mut asked = Vec::new();
        while let Some(edit) = machine.next() {
            asked.push(edit.clone());
            machine.record(edit == Edit::delete(Span::new(0, 50)));
        }
        assert!(asked.contains(&Edit::delete(Span::new(0, 50))));
        assert!(!asked.contains(&Edit::delete(Span::new(1, 20))));
    }

    #[test]
    fn what_is_in_a_unit_that_went_is_asked_where_it_stays() {
        let nested = Nested::of([Span::new(0, 50), Span::new(1, 20)]);
        let forest = Forest::new(Spans::new(nested.spans), &nested.parents).children_stay();
        let mut machine = HeaviestFirst::new(forest, &Lists::default());
        machine.next();
        machine.record(true);
        assert_eq!(machine.next(), Some(Edit::delete(Span::new(1, 20))));
    }

    #[test]
    fn lists_of_similar_weight_are_joined() {
        let spans: Vec<(u32, u32)> = (0..64)
            .flat_map(|i| [(i * 100, i * 100 + 100), (i * 100 + 10, i * 100 + 90)])
            .collect();
        let mut machine = forest(&spans);
        let mut tests = 0;
        // All of the outer spans must stay, all of the inner ones can go.
        while let Some(edit) = machine.next() {
            let inner = edit
                .splices()
                .iter()
                .all(|s| s.span.start % 100 == 10 && s.span.len() == 80);
            tests += usize::from(inner);
            machine.record(inner);
        }
        assert!((1..=12).contains(&tests), "{tests}");
    }

    #[test]
    fn a_fork_goes_its_own_way() {
        let mut machine = forest(&[(0, 10), (10, 30), (12, 20)]);
        let first = machine.next();
        let mut fork = machine.fork();
        machine.record(true);
        fork.record(false);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        while let Some(edit) = machine.next() {
            ours.push(edit);
            machine.record(false);
        }
        while let Some(edit) = fork.next() {
            theirs.push(edit);
            fork.record(false);
        }
        assert!(first.is_some());
        assert!(theirs.len() > ours.len());
    }

    #[test]
    fn a_deep_chain_takes_no_stack() {
        let spans: Vec<(u32, u32)> = (0..100_000).map(|i| (i, 300_000 - i)).collect();
        assert!(asked(forest(&spans)).len() >= 100_000);
    }
}
