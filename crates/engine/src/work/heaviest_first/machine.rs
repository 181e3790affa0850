//! The machine that visits a forest, heaviest lists first.

use super::forest::Forest;
use super::layer::{Elements, Layer, PutOff};
use crate::work::{Lists, Machine};
use nubbin_edit::Edit;
use nubbin_minimize::{Configuration, ListShape, Removal, floor};
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::Arc;

/// A machine that visits a [`Forest`] from the outside in, heaviest lists first.
///
/// The siblings of one parent are a list, and a list minimizer works through it, so neighbors are
/// removed together where that succeeds. The children of a unit become a list when the list that it
/// is in has ended and the unit is still present. The next list is chosen by weight, wherever it is
/// in the forest, so that each test can remove as much as possible.
///
/// Many lists are short, and a list minimizer cannot take large steps in a short list. So all
/// waiting lists that weigh at least half of the heaviest one are joined into one, in the order of
/// the text. No two units of such a list contain each other.
///
/// Where one unit holds nearly everything, its list does not end before its children come. Once a
/// unit has been found to be needed by itself, its children wait. When they weigh more than twice
/// the undecided weight of the list, the list is put off and they come first. A unit that weighs
/// more than all others of its list together is tested by itself before anything else. Where less
/// than three in ten of the last tests removed something, this holds for every unit with more than
/// a sixteenth of the undecided weight of the list, heaviest first: groups then pass because of
/// one of their members, and the children of a unit that passed by itself come next.
///
/// Neighbors that together weigh less than a 512th of the whole forest are one unit until nothing
/// heavier is left. In a forest of less than 32 KiB there are no such neighbors, nor in a
/// [cumulative](Forest::cumulative) one.
///
/// The last unit of a list is tried, too, which list minimizers by themselves never do.
///
/// Cost: the tests of the list minimizer over all units whose ancestors are kept; one test per unit
/// if all units must be kept.
///
/// Source: hierarchical delta debugging (Misherghi, Su: HDD, ICSE 2006) has one list per
/// level. HDDr (Kiss, Hodován, Gyimóthy 2018) has one list per parent. Perses (Sun et al.
/// 2018) takes the heaviest node first, alone. The joining of waiting lists with similar weight is
/// ours.
pub struct HeaviestFirst {
    forest: Forest,
    lists: Lists,
    /// The waiting lists with their weights. Lists of the same weight are ordered by position.
    waiting: Arc<BinaryHeap<(u64, std::cmp::Reverse<u32>)>>,
    layer: Option<Layer>,
    /// Layers that have been put off because their undecided weight is small.
    put_off: BinaryHeap<PutOff>,
    /// The units of needed elements that have several units. They are tested separately at the end.
    light: Arc<Vec<u32>>,
    /// The weight up to which neighbors together are one element.
    floor: u64,
    /// The moving share of tests that removed something.
    success_rate: f32,
}

/// A layer is put off where a waiting list has this many times its undecided weight.
const OUTWEIGHS: u64 = 2;

/// A unit with more than one part in this many of the undecided weight is tested alone before
/// anything else.
const OUTWEIGHING: u64 = 2;

/// The weight limit if few of the last tests removed something. A group of that weight would hardly
/// be removed, so the children of the unit come next.
const HEAVY: u64 = 16;

/// The share of recent tests below which few are said to have removed something.
const LOW_SUCCESS_RATE: f32 = 0.3;

/// The number of tests that the moving share covers: each counts for an eighth less than the next.
const RECENT_TESTS: f32 = 8.0;

impl HeaviestFirst {
    /// Creates the machine, which starts with the roots.
    pub fn new(forest: Forest, lists: &Lists) -> Self {
        let roots = (forest.weight(0), std::cmp::Reverse(0));
        // Removed neighbors in two layers would not know of each other.
        let floor = match forest.cumulative {
            true => 0,
            false => floor(roots.0),
        };
        HeaviestFirst {
            forest,
            lists: lists.clone(),
            waiting: Arc::new(BinaryHeap::from([roots])),
            layer: None,
            put_off: BinaryHeap::new(),
            light: Arc::default(),
            floor,
            success_rate: 0.5,
        }
    }

    /// Opens the next layer: a layer that was put off, or a layer of waiting lists. Returns `None`
    /// if there is neither.
    fn open(&mut self) -> Option<Layer> {
        let most = self.put_off.peek();
        if most.is_some_and(|most| !self.is_outweighed(&most.layer)) {
            let most = self.put_off.pop();
            return most.map(|most| most.layer);
        }
        let waiting = Arc::make_mut(&mut self.waiting);
        let (mut units, floor) = match waiting.pop() {
            Some((heaviest, list)) => {
                let mut units: Vec<u32> = self.forest.list(list.0).to_vec();
                while let Some(&(weight, list)) = waiting.peek()
                    && weight >= heaviest.div_ceil(2)
                {
                    units.extend(self.forest.list(list.0));
                    waiting.pop();
                }
                (units, self.floor)
            }
            None if self.light.is_empty() => return None,
            None => (std::mem::take(Arc::make_mut(&mut self.light)), 0),
        };
        units.sort_unstable();
        let elements = Elements::new(units, &self.forest, floor);
        let of = self.forest.units.as_ref();
        let weights: Vec<u32> = (0..elements.len())
            .map(|element| elements.weight(element, of).min(u64::from(u32::MAX)) as u32)
            .collect();
        let in_doubt = weights.iter().map(|&weight| u64::from(weight)).sum();
        let mut by_weight: Vec<u32> = (0..weights.len() as u32).collect();
        by_weight.sort_by_key(|&at| std::cmp::Reverse(weights[at as usize]));
        let shape = ListShape {
            len: weights.len() as u32,
            weights: Some(weights.into()),
            seed: self.lists.seed,
        };
        Some(Layer {
            left: Configuration::new(shape.len),
            minimizer: self.lists.start(&shape),
            needed: Arc::new(vec![false; by_weight.len()]),
            known: Arc::new(vec![false; by_weight.len()]),
            in_doubt,
            by_weight: by_weight.into(),
            looked_at: 0,
            elements,
            asked: None,
            alone: false,
            ended: false,
        })
    }

    /// Returns whether a waiting list is so much heavier than the undecided weight of a layer that
    /// the list comes first.
    fn is_outweighed(&self, layer: &Layer) -> bool {
        let heaviest = self.waiting.peek();
        layer.in_doubt > 0
            && heaviest
                .is_some_and(|&(weight, _)| weight > OUTWEIGHS.saturating_mul(layer.in_doubt))
    }

    /// Updates the layer after a verdict. The children of a unit that is needed by itself wait from
    /// then on.
    fn decide(&mut self, adopted: bool) {
        let Some(layer) = &mut self.layer else { return };
        let Some(asked) = &layer.asked else { return };
        let is_left = |&at: &u32| layer.left.contains(at);
        let mut positions = asked.remove.iter().cloned().flatten().filter(is_left);
        let weight = |at: u32| layer.elements.weight(at, self.forest.units.as_ref());
        if adopted {
            let in_doubt = positions.filter(|&at| !layer.needed[at as usize]);
            layer.in_doubt -= in_doubt.map(weight).sum::<u64>();
            return;
        }
        let (Some(only), None) = (positions.next(), positions.next()) else {
            return;
        };
        if layer.needed[only as usize] {
            return;
        }
        layer.in_doubt -= weight(only);
        Arc::make_mut(&mut layer.needed)[only as usize] = true;
        let elements = layer.elements.clone();
        self.wait(elements.of(only));
    }

    /// Adds the children of a unit to the waiting lists, or several units to the light ones.
    fn wait(&mut self, units: &[u32]) {
        let &[unit] = units else {
            Arc::make_mut(&mut self.light).extend(units);
            return;
        };
        let list = unit + 1;
        if !self.forest.list(list).is_empty() {
            let weight = self.forest.weight(list);
            Arc::make_mut(&mut self.waiting).push((weight, std::cmp::Reverse(list)));
        }
    }

    /// Adds the children of all remaining units of a layer to the waiting lists.
    fn descend(&mut self, layer: &Layer) {
        let all = self.forest.children_stay;
        for element in 0..layer.elements.len() {
            let stays = all || layer.left.contains(element);
            if stays && !layer.needed[element as usize] {
                self.wait(layer.elements.of(element));
            }
        }
    }

    fn edit(&self, layer: &Layer, probe: &Removal) -> Edit {
        let mut units: Vec<Range<u32>> = Vec::new();
        let mut add = |element: u32| {
            for &unit in layer.elements.of(element) {
                match units.last_mut() {
                    Some(last) if last.end == unit => last.end += 1,
                    _ => units.push(unit..unit + 1),
                }
            }
        };
        if self.forest.cumulative {
            let mut left = layer.left.clone();
            left.adopt(probe);
            let mut next = 0;
            for kept in left.iter().chain([layer.elements.len()]) {
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
                Some(layer) if layer.asked.is_none() && self.is_outweighed(&layer) => {
                    self.put_off.push(PutOff { layer });
                    self.open()?
                }
                Some(layer) => layer,
                None => self.open()?,
            };
            let share = if self.success_rate < LOW_SUCCESS_RATE {
                HEAVY
            } else {
                OUTWEIGHING
            };
            if let Some(probe) = layer.next(self.forest.units.as_ref(), share) {
                let edit = self.edit(&layer, &probe);
                self.layer = Some(layer);
                return Some(edit);
            }
            self.descend(&layer);
        }
    }

    fn record(&mut self, adopted: bool) {
        self.decide(adopted);
        self.success_rate += (f32::from(u8::from(adopted)) - self.success_rate) / RECENT_TESTS;
        if let Some(layer) = &mut self.layer {
            layer.record(adopted);
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(HeaviestFirst {
            forest: self.forest.clone(),
            lists: self.lists.clone(),
            waiting: Arc::clone(&self.waiting),
            layer: self.layer.as_ref().map(Layer::fork),
            put_off: self.put_off.clone(),
            light: Arc::clone(&self.light),
            floor: self.floor,
            success_rate: self.success_rate,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Nested;
    use super::*;
    use nubbin_edit::Span;

    use crate::work::Spans;

    fn forest(spans: &[(u32, u32)]) -> HeaviestFirst {
        let nested = Nested::of(spans.iter().map(|&(start, end)| Span::new(start, end)));
        HeaviestFirst::new(
            Forest::new(Spans::new(nested.spans), &nested.parents),
            &Lists::default(),
        )
    }

    /// Returns all proposals as single spans, where none is adopted.
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
    fn parents_are_tested_before_children_and_heavy_lists_before_light_ones() {
        let asked = asked(forest(&[(0, 70), (1, 3), (70, 150), (80, 140), (90, 100)]));
        let place = |span| asked.iter().position(|&other| other == span).unwrap();
        assert!(place((70, 150)) < place((80, 140)));
        assert!(place((0, 70)) < place((80, 140)));
        assert!(place((80, 140)) < place((90, 100)));
        assert!(place((90, 100)) < place((1, 3)));
    }

    #[test]
    fn children_of_a_needed_heavy_unit_are_tested_before_light_units() {
        let small = (0..20).map(|i| (1000 + i * 10, 1010 + i * 10));
        let inner = (0..10).map(|i| (i * 100, i * 100 + 90));
        let spans: Vec<(u32, u32)> = [(0, 1000)].into_iter().chain(inner).chain(small).collect();
        let asked = asked(forest(&spans));
        let place = |span| asked.iter().position(|&other| other == span).unwrap();
        assert!(place((0, 1000)) < place((0, 90)));
        assert!((0..20).all(|i| place((900, 990)) < place((1000 + i * 10, 1010 + i * 10))));
        assert!(spans.iter().all(|span| asked.contains(span)));
    }

    #[test]
    fn heavy_units_are_tested_alone_where_nothing_is_removed() {
        // All heavy units are at the front, where groups from the back would reach them late.
        let heavy = (0..8).map(|i| (i * 100, i * 100 + 90 - i));
        let light = (0..100).map(|i| (1000 + i * 4, 1003 + i * 4));
        let spans: Vec<(u32, u32)> = heavy.clone().chain(light).collect();
        let asked = asked(forest(&spans));
        let heavy: Vec<(u32, u32)> = heavy.collect();
        let place = |span| asked.iter().position(|&other| other == span).unwrap();
        assert!(heavy.is_sorted_by_key(|&span| place(span)));
        assert!(place(heavy[7]) < 20, "{asked:?}");
        assert!(spans.iter().all(|span| asked.contains(span)));
    }

    #[test]
    fn light_neighbors_in_a_large_forest_are_tested_separately_last() {
        // One unit of 40,000 bytes, and 999 of 10 bytes, of which nine are one element.
        let light = (0..999).map(|i| (40_000 + i * 10, 40_010 + i * 10));
        let spans: Vec<(u32, u32)> = [(0, 40_000), (100, 39_000)]
            .into_iter()
            .chain(light.clone())
            .collect();
        let mut machine = forest(&spans);
        let mut sizes = Vec::new();
        while let Some(edit) = machine.next() {
            sizes.push(edit.splices().iter().map(|s| s.span.len()).sum::<u32>());
            machine.record(false);
        }
        let alone = sizes.iter().filter(|&&size| size == 10).count();
        let together = sizes.iter().filter(|&&size| size == 90).count();
        assert_eq!((alone, together), (999, 111));
        let first_alone = sizes.iter().position(|&size| size == 10).unwrap();
        let last_together = sizes.iter().rposition(|&size| size == 90).unwrap();
        assert!(last_together < first_alone);
    }

    #[test]
    fn edits_of_a_cumulative_forest_contain_all_units_removed_before() {
        let spans = (0..1000).map(|i| Span::new(i * 40, i * 40 + 40));
        let nested = Nested::of(spans);
        let forest = Forest::new(Spans::new(nested.spans), &nested.parents).cumulative();
        let mut machine = HeaviestFirst::new(forest, &Lists::default());
        let mut gone = 0;
        while let Some(edit) = machine.next() {
            let taken: u32 = edit.splices().iter().map(|s| s.span.len()).sum();
            assert!(taken > gone);
            // Every third unit must be kept.
            let stays = |at: u32| {
                edit.splices()
                    .iter()
                    .any(|s| s.span.range().contains(&(at as usize)))
            };
            let adopted = !(0..1000).step_by(3).any(|i| stays(i * 40));
            if adopted {
                gone = taken;
            }
            machine.record(adopted);
        }
        assert_eq!(gone, 666 * 40);
    }

    #[test]
    fn children_of_a_removed_unit_are_not_tested() {
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
    fn children_of_a_removed_unit_are_tested_where_they_are_kept() {
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
        // All outer spans must be kept; all inner ones can be removed.
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
    fn a_fork_is_independent() {
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
    fn a_deep_chain_does_not_overflow_the_stack() {
        let spans: Vec<(u32, u32)> = (0..100_000).map(|i| (i, 300_000 - i)).collect();
        assert!(asked(forest(&spans)).len() >= 100_000);
    }
}
