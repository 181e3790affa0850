use crate::work::{Taken, Units};
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// How much of a list is still in doubt: neither gone nor known to be needed by itself.
///
/// A pass in the first minute that has found out which of its units hold nearly everything has little to
/// say any more: what is within them is the business of others.
#[derive(Default)]
pub(super) struct Doubt {
    list: Option<Known>,
    /// What the present proposal takes out.
    asked: SmallVec<[Range<u32>; 2]>,
}

struct Known {
    units: Arc<dyn Units>,
    decided: Vec<bool>,
    /// Of the units that are not decided.
    weight: u64,
}

/// Of longer lists nothing is known: their units are too small to hold much.
const LONGEST: u32 = 1 << 16;

impl Doubt {
    /// A proposal was made.
    pub(super) fn ask(&mut self, taken: Taken<'_>) {
        self.asked.clear();
        if taken.list.len() > LONGEST {
            return;
        }
        self.asked.extend(taken.units.iter().cloned());
        if self.list.is_none() {
            self.list = Some(Known {
                units: Arc::clone(taken.list),
                decided: vec![false; taken.list.len() as usize],
                weight: (0..taken.list.len())
                    .map(|unit| u64::from(taken.list.weight(unit)))
                    .sum(),
            });
        }
    }

    /// What came of it.
    pub(super) fn record(&mut self, adopted: bool) {
        let asked = std::mem::take(&mut self.asked);
        let Some(known) = &mut self.list else { return };
        let is_left = |unit: &u32| known.decided.get(*unit as usize) == Some(&false);
        let mut units = asked.iter().cloned().flatten().filter(is_left);
        let decided: SmallVec<[u32; 8]> = match adopted {
            true => units.collect(),
            // Of several that are needed together, nobody knows which.
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

    /// Bytes that the list can still save at most, if it is known.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.list.as_ref().map(|known| known.weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::Tiling;

    /// What is in doubt after ranges of units were asked for, each with what came of it.
    fn after(steps: &[(&[(u32, u32)], bool)]) -> Option<u64> {
        let list: Arc<dyn Units> = Arc::new(Tiling::new(vec![0, 100, 110, 130, 135]));
        let mut doubt = Doubt::default();
        for &(units, adopted) in steps {
            let units: Vec<Range<u32>> = units.iter().map(|&(from, to)| from..to).collect();
            doubt.ask(Taken {
                list: &list,
                units: &units,
            });
            doubt.record(adopted);
        }
        doubt.bytes()
    }

    #[test]
    fn single_units_that_stay_are_needed() {
        assert_eq!(after(&[]), None);
        assert_eq!(after(&[(&[(0, 4)], false)]), Some(135));
        assert_eq!(after(&[(&[(0, 2)], false), (&[(0, 1)], false)]), Some(35));
        assert_eq!(after(&[(&[(0, 1)], false), (&[(0, 1)], false)]), Some(35));
    }

    #[test]
    fn what_has_gone_is_decided() {
        let gone = (&[(1, 2), (3, 4)][..], true);
        assert_eq!(after(&[gone]), Some(120));
        // What is left of what is asked for is one unit.
        assert_eq!(after(&[gone, (&[(0, 2)], false)]), Some(20));
    }
}
