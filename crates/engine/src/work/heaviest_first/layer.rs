//! One list of siblings at work: its elements, its list minimizer, and its undecided weight.

use super::forest::Forest;
use crate::work::Units;
use nubbin_minimize::{Configuration, ListMinimizer, Removal};
use std::sync::Arc;

pub(super) struct Layer {
    pub(super) elements: Elements,
    pub(super) left: Configuration,
    /// The units that are known to be needed. Their children need not wait for the other units.
    pub(super) needed: Arc<Vec<bool>>,
    /// The undecided weight: the weight of all units that are not in `needed`.
    pub(super) in_doubt: u64,
    pub(super) minimizer: Box<dyn ListMinimizer>,
    /// The positions, heaviest first. `looked_at` of them have been considered for a test
    /// alone.
    pub(super) by_weight: Arc<[u32]>,
    pub(super) looked_at: usize,
    /// The units that were tested alone and are needed, which the minimizer does not know.
    pub(super) known: Arc<Vec<bool>>,
    pub(super) asked: Option<Removal>,
    /// Whether the current proposal does not come from the minimizer.
    pub(super) alone: bool,
    /// Whether the minimizer has ended. The current proposal then removes the only remaining unit.
    pub(super) ended: bool,
}

/// The units of a layer. Neighbors of very small weight are one element together, and are tested
/// separately when nothing heavier is left.
#[derive(Clone)]
pub(super) struct Elements {
    pub(super) units: Arc<[u32]>,
    /// Element `n` is `units[starts[n]..starts[n + 1]]`.
    starts: Arc<[u32]>,
}

impl Elements {
    pub(super) fn new(units: Vec<u32>, forest: &Forest, floor: u64) -> Self {
        let mut starts = vec![];
        let mut weight = 0;
        for (nth, &unit) in units.iter().enumerate() {
            let more = u64::from(forest.units.weight(unit));
            if nth == 0 || weight + more > floor {
                starts.push(nth as u32);
                weight = 0;
            }
            weight += more;
        }
        starts.push(units.len() as u32);
        Elements {
            units: units.into(),
            starts: starts.into(),
        }
    }

    pub(super) fn len(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    pub(super) fn of(&self, element: u32) -> &[u32] {
        let element = element as usize;
        let bounds = self.starts.get(element).zip(self.starts.get(element + 1));
        let units = bounds.and_then(|(&from, &to)| self.units.get(from as usize..to as usize));
        units.unwrap_or_default()
    }

    pub(super) fn weight(&self, element: u32, units: &dyn Units) -> u64 {
        let weights = self.of(element).iter().map(|&unit| units.weight(unit));
        weights.map(u64::from).sum()
    }
}

/// A layer, ordered by its undecided weight. Of layers with equal weight, the layer with the first
/// unit comes first.
pub(super) struct PutOff {
    pub(super) layer: Layer,
}

impl PutOff {
    fn key(&self) -> (u64, std::cmp::Reverse<Option<u32>>) {
        let first = self.layer.elements.units.first().copied();
        (self.layer.in_doubt, std::cmp::Reverse(first))
    }
}

impl Clone for PutOff {
    fn clone(&self) -> Self {
        PutOff {
            layer: self.layer.fork(),
        }
    }
}

impl Ord for PutOff {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for PutOff {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for PutOff {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for PutOff {}

impl Layer {
    pub(super) fn fork(&self) -> Self {
        Layer {
            elements: self.elements.clone(),
            left: self.left.clone(),
            needed: Arc::clone(&self.needed),
            in_doubt: self.in_doubt,
            minimizer: self.minimizer.fork(),
            by_weight: Arc::clone(&self.by_weight),
            looked_at: self.looked_at,
            known: Arc::clone(&self.known),
            asked: self.asked.clone(),
            alone: self.alone,
            ended: self.ended,
        }
    }

    /// List minimizers never remove the last unit, since an empty list is rarely useful. Here the
    /// list is only one of many.
    pub(super) fn next(&mut self, units: &dyn Units, share: u64) -> Option<Removal> {
        if let Some(probe) = self.asked.clone().filter(|_| self.ended) {
            return Some(probe);
        }
        if self.ended {
            return None;
        }
        if let Some(heavy) = self.heavy(units, share) {
            self.alone = true;
            self.asked = Some(Removal::of([heavy]));
            return self.asked.clone();
        }
        self.asked = self.proposed().or_else(|| {
            self.ended = true;
            let only = self.left.iter().next().filter(|_| self.left.len() == 1);
            let is_known = |&at: &u32| self.known[at as usize];
            only.filter(|at| !is_known(at)).map(|at| Removal::of([at]))
        });
        self.asked.clone()
    }

    /// Returns the heaviest undecided unit, if it has at least a share of the undecided weight.
    fn heavy(&mut self, units: &dyn Units, share: u64) -> Option<u32> {
        if self.by_weight.len() < 2 {
            return None;
        }
        while let Some(&at) = self.by_weight.get(self.looked_at) {
            let is_decided = self.needed[at as usize] || !self.left.contains(at);
            if !is_decided {
                let weight = self.elements.weight(at, units);
                return (weight * share > self.in_doubt).then_some(at);
            }
            self.looked_at += 1;
        }
        None
    }

    /// Returns the next removal of the minimizer that needs a test. Removals with units that were
    /// tested alone are answered here, since the minimizer does not know these verdicts.
    fn proposed(&mut self) -> Option<Removal> {
        loop {
            let probe = self.minimizer.next()?;
            let elements = || probe.remove.iter().cloned().flatten();
            if elements().any(|at| self.known[at as usize]) {
                self.minimizer.record(false);
            } else if elements().any(|at| self.left.contains(at)) {
                return Some(probe);
            } else {
                self.minimizer.record(true);
            }
        }
    }

    pub(super) fn record(&mut self, adopted: bool) {
        let alone = std::mem::take(&mut self.alone);
        if !self.ended && !alone {
            self.minimizer.record(adopted);
        }
        let Some(probe) = self.asked.take() else {
            return;
        };
        if adopted {
            self.left.adopt(&probe);
        } else if alone {
            let known = Arc::make_mut(&mut self.known);
            for at in probe.remove.iter().cloned().flatten() {
                known[at as usize] = true;
            }
        }
    }
}
