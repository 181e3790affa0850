use super::{Joined, Machine, Taken, Units};
use nubbin_edit::Edit;
use nubbin_minimize::{Configuration, ListMinimizer, ListShape, MinimizerChoice, Removal};
use smallvec::{SmallVec, smallvec};
use std::ops::Range;
use std::sync::Arc;

/// The settings with which the lists of a plan are minimized.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    /// The list minimizer for all lists. If it is `None`, each list has its default list minimizer,
    /// and a tree reducer has the list minimizer of its publication.
    pub algorithm: Option<MinimizerChoice>,
    /// The seed for list minimizers that use randomness.
    pub seed: u64,
}

impl Lists {
    /// Starts the list minimizer on a list of the given shape.
    pub fn start(&self, shape: &ListShape) -> Box<dyn ListMinimizer> {
        match &self.algorithm {
            Some(algorithm) => algorithm.start(shape),
            None => MinimizerChoice::default().start(shape),
        }
    }
}

/// A list of units. Each unit can be removed from the input. More generally, each unit is a
/// proposal that can be adopted together with others.
#[derive(Clone)]
pub struct List {
    units: Arc<dyn Units>,
    try_all: bool,
    cumulative: bool,
}

impl List {
    /// Creates a list for any list minimizer.
    pub fn new(units: impl Units + 'static) -> Self {
        List {
            units: Arc::new(units),
            try_all: false,
            cumulative: false,
        }
    }

    /// Returns the list with a first proposal that removes all units at once. List minimizers never
    /// make this proposal themselves. Use it if the candidate is likely to fail (all comments) or
    /// cheap to test.
    #[must_use]
    pub fn try_all(mut self) -> Self {
        self.try_all = true;
        self
    }

    /// Returns the list with cumulative edits: every edit also contains the units that were removed
    /// before. This is for units whose edits depend on the presence of their neighbors, as commas
    /// do.
    #[must_use]
    pub fn cumulative(mut self) -> Self {
        self.cumulative = true;
        self
    }

    /// Creates one list from several lists whose units are in different parts of the input, in its
    /// order. The result is cumulative if one of the lists is cumulative. The other settings are
    /// taken from the first list.
    pub(super) fn joined(lists: Vec<List>) -> Option<List> {
        if lists.len() < 2 {
            return lists.into_iter().next();
        }
        let try_all = lists[0].try_all;
        let cumulative = lists.iter().any(|list| list.cumulative);
        let units = Joined::new(lists.into_iter().map(|list| list.units));
        Some(List {
            try_all,
            cumulative,
            ..List::new(units)
        })
    }

    /// Returns the units of the list.
    pub fn units(&self) -> &Arc<dyn Units> {
        &self.units
    }

    pub(super) fn start(self, lists: &Lists) -> Box<dyn Machine> {
        let len = self.units.len();
        let weights: Vec<u32> = (0..len).map(|unit| self.units.weight(unit)).collect();
        let equal = weights.windows(2).all(|pair| pair[0] == pair[1]);
        let weights = (!equal).then(|| weights.into());
        let shape = ListShape {
            len,
            weights,
            seed: lists.seed,
        };
        let minimizer = lists.start(&shape);
        Box::new(ListMachine {
            units: self.units,
            minimizer,
            asked: SmallVec::new(),
            left: self.cumulative.then(|| Configuration::new(len)),
            all: self.try_all && len > 0,
            done: false,
        })
    }
}

struct ListMachine {
    units: Arc<dyn Units>,
    minimizer: Box<dyn ListMinimizer>,
    /// The units that the current proposal removes.
    asked: SmallVec<[Range<u32>; 2]>,
    /// The remaining units, for a cumulative list.
    left: Option<Configuration>,
    /// Whether the proposal to remove all units has not been made yet.
    all: bool,
    done: bool,
}

/// Returns the ranges of the removed units among the first `len`.
fn gaps(left: &Configuration, len: u32) -> Vec<Range<u32>> {
    let mut next = 0;
    let mut gaps = vec![];
    for kept in left.iter().chain([len]) {
        if next < kept {
            gaps.push(next..kept);
        }
        next = kept + 1;
    }
    gaps
}

impl Machine for ListMachine {
    fn next(&mut self) -> Option<Edit> {
        self.asked = if self.all {
            smallvec![0..self.units.len()]
        } else if self.done {
            return None;
        } else {
            let Removal { remove } = self.minimizer.next()?;
            remove
        };
        let Some(left) = &self.left else {
            return Some(self.units.edit(&self.asked));
        };
        let mut left = left.clone();
        left.adopt(&Removal {
            remove: self.asked.clone(),
        });
        Some(self.units.edit(&gaps(&left, self.units.len())))
    }

    fn record(&mut self, adopted: bool) {
        if let Some(left) = self.left.as_mut().filter(|_| adopted) {
            left.adopt(&Removal {
                remove: self.asked.clone(),
            });
        }
        if self.all {
            self.all = false;
            self.done = adopted;
        } else {
            self.minimizer.record(adopted);
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(ListMachine {
            units: Arc::clone(&self.units),
            minimizer: self.minimizer.fork(),
            asked: self.asked.clone(),
            left: self.left.clone(),
            all: self.all,
            done: self.done,
        })
    }

    fn taken(&self) -> Option<Taken<'_>> {
        Some(Taken {
            list: &self.units,
            units: &self.asked,
        })
    }
}
