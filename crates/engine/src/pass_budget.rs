//! The pass budget: the number of tests or failures after which another pass gets its turn.

use crate::work::{Taken, Units};
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// The limits at which a pass ends early, as the [schedule](super::schedule) chooses them.
///
/// A pass that reduces a large text in small steps is interrupted, since another pass may reduce
/// the text in large steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PassBudget {
    /// The number of failures in a row after which the pass ends.
    pub(super) failures: u32,
    /// The number of tests in a window. The pass ends when it removes too little in a window.
    pub(super) tests: u64,
    /// The divisor of the input's size that gives the number of bytes to remove in each window.
    pub(super) share: u64,
    /// The divisor of the input's size that gives the minimum of undecided bytes. The pass ends as
    /// soon as fewer bytes are undecided; 0 disables this rule.
    pub(super) undecided: u64,
    /// Whether a pass ends even if it removed enough, so that other passes run in between.
    pub(super) is_turn: bool,
}

impl PassBudget {
    /// The budget that lets a pass run to its own end.
    pub(super) const UNLIMITED: PassBudget = PassBudget {
        failures: u32::MAX,
        tests: u64::MAX,
        share: 0,
        undecided: 0,
        is_turn: false,
    };
}

/// The reason why a pass ends while it still has proposals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spent {
    /// The pass removed too little.
    Budget,
    /// The turn of the pass is over, although the pass removed enough.
    Turn,
}

/// The `share` of a pass that is not interrupted: it saves an eighth of the text in a window.
const RICH_SHARE: u64 = 8;

/// The meter of one turn of a pass, over one file or several files in a row.
pub(super) struct BudgetMeter {
    budget: PassBudget,
    /// The number of failures in a row.
    failures: u32,
    /// The number of tests in this window.
    tests: u64,
    /// The size of the input at the start of this window.
    bytes: usize,
    undecided: Undecided,
}

impl BudgetMeter {
    /// Starts a turn with an input of `bytes` bytes.
    pub(super) fn new(budget: PassBudget, bytes: usize) -> Self {
        BudgetMeter {
            budget,
            failures: 0,
            tests: 0,
            bytes,
            undecided: Undecided::default(),
        }
    }

    /// Starts a file of the turn, for which the pass has the given undecided units.
    pub(super) fn begin_file(&mut self, undecided: Undecided) {
        self.undecided = undecided;
    }

    /// Ends a file of the turn, and returns its undecided units.
    pub(super) fn end_file(&mut self) -> Undecided {
        std::mem::take(&mut self.undecided)
    }

    /// Records a proposal of the pass.
    pub(super) fn propose(&mut self, taken: Option<Taken<'_>>) {
        if let Some(taken) = taken {
            self.undecided.ask(taken);
        }
    }

    /// Records that the proposal was dropped without a test.
    pub(super) fn dropped(&mut self) {
        self.undecided.record(false);
    }

    /// Records a test of the proposal and the size of the base. Returns whether the pass ends.
    pub(super) fn tested(&mut self, success: bool, bytes: usize) -> Option<Spent> {
        self.undecided.record(success);
        self.failures = if success { 0 } else { self.failures + 1 };
        let has_failed = self.failures >= self.budget.failures;
        let least = self.budget.undecided;
        let is_little = |undecided: u64| undecided * least < bytes as u64;
        let is_decided = least > 0 && self.undecided.bytes().is_some_and(is_little);
        self.tests += 1;
        // After a success, the next proposal is likely to save more.
        let is_full = self.tests >= self.budget.tests && !success;
        let (is_poor, is_rich) = (
            !self.has_saved(self.budget.share, bytes),
            self.has_saved(RICH_SHARE, bytes),
        );
        if is_full {
            (self.tests, self.bytes) = (0, bytes);
        }
        if is_full && is_poor && !is_rich || is_decided || has_failed {
            return Some(Spent::Budget);
        }
        (is_full && !is_rich && self.budget.is_turn).then_some(Spent::Turn)
    }

    /// Returns whether one part in `share` of the input was removed since this window began.
    fn has_saved(&self, share: u64, bytes: usize) -> bool {
        let saved = self.bytes.saturating_sub(bytes) as u64;
        saved.saturating_mul(share) >= self.bytes as u64
    }

    /// Returns the number of further failures in a row after which the pass ends, if it still has
    /// proposals then. `bytes` is the size of the base.
    pub(super) fn failures_left(&self, bytes: usize) -> u32 {
        let in_a_row = self.budget.failures.saturating_sub(self.failures);
        if !self.budget.is_turn && self.has_saved(self.budget.share, bytes) {
            return in_a_row;
        }
        let in_window = self.budget.tests.saturating_sub(self.tests);
        in_a_row.min(u32::try_from(in_window).unwrap_or(u32::MAX))
    }
}

/// The units of a list that are neither removed nor known to be needed.
///
/// A pass has little left to save after its needed units are known and hold nearly the whole text.
/// Other passes then reduce these units.
#[derive(Default)]
pub(super) struct Undecided {
    list: Option<UndecidedUnits>,
    /// The units that the current proposal removes.
    asked: SmallVec<[Range<u32>; 2]>,
}

struct UndecidedUnits {
    units: Arc<dyn Units>,
    decided: Vec<bool>,
    /// The number of bytes in undecided units.
    weight: u64,
}

/// The maximum length of a list to track. The units of a longer list are too small to matter.
const LONGEST: u32 = 1 << 16;

impl Undecided {
    fn ask(&mut self, taken: Taken<'_>) {
        self.asked.clear();
        if taken.list.len() > LONGEST {
            return;
        }
        self.asked.extend(taken.units.iter().cloned());
        if self.list.is_none() {
            self.list = Some(UndecidedUnits {
                units: Arc::clone(taken.list),
                decided: vec![false; taken.list.len() as usize],
                weight: (0..taken.list.len())
                    .map(|unit| u64::from(taken.list.weight(unit)))
                    .sum(),
            });
        }
    }

    fn record(&mut self, adopted: bool) {
        let asked = std::mem::take(&mut self.asked);
        let Some(known) = &mut self.list else { return };
        let is_left = |unit: &u32| known.decided.get(*unit as usize) == Some(&false);
        let mut units = asked.iter().cloned().flatten().filter(is_left);
        let decided: SmallVec<[u32; 8]> = match adopted {
            true => units.collect(),
            // Of several units, it is unknown which one is needed.
            false => {
                let first = units.next();
                first
                    .into_iter()
                    .filter(|_| units.next().is_none())
                    .collect()
            }
        };
        for unit in decided {
            known.decided[unit as usize] = true;
            known.weight -= u64::from(known.units.weight(unit));
        }
    }

    /// Returns the largest number of bytes that the list can still save, if the list is known.
    fn bytes(&self) -> Option<u64> {
        self.list.as_ref().map(|known| known.weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::Tiling;

    /// Returns the undecided bytes after proposals of ranges of units, each with its outcome.
    fn after(steps: &[(&[(u32, u32)], bool)]) -> Option<u64> {
        let list: Arc<dyn Units> = Arc::new(Tiling::new(vec![0, 100, 110, 130, 135]));
        let mut undecided = Undecided::default();
        for &(units, adopted) in steps {
            let units: Vec<Range<u32>> = units.iter().map(|&(from, to)| from..to).collect();
            undecided.ask(Taken {
                list: &list,
                units: &units,
            });
            undecided.record(adopted);
        }
        undecided.bytes()
    }

    #[test]
    fn single_units_that_stay_are_needed() {
        assert_eq!(after(&[]), None);
        assert_eq!(after(&[(&[(0, 4)], false)]), Some(135));
        assert_eq!(after(&[(&[(0, 2)], false), (&[(0, 1)], false)]), Some(35));
        assert_eq!(after(&[(&[(0, 1)], false), (&[(0, 1)], false)]), Some(35));
    }

    #[test]
    fn units_that_have_gone_are_decided() {
        let gone = (&[(1, 2), (3, 4)][..], true);
        assert_eq!(after(&[gone]), Some(120));
        // Only one unit of this proposal was not removed before.
        assert_eq!(after(&[gone, (&[(0, 2)], false)]), Some(20));
    }
}
