//! Tests of parts of the current list, before the sequential path asks for them.
//!
//! A good list minimizer proposes tests whose verdicts are hard to predict, so it has many futures
//! and each is unlikely. A second worker helps, a sixteenth hardly does. But if units do not depend
//! on each other, a test of a far part of the list gives the same verdict now as later on the path.
//! So workers without a likelier test run *list probes*: tests without a group of units anywhere in
//! the list. Groups that have to stay are halved. The probes predict the verdicts of the path. It
//! asks for the same tests as before, but many of them run at the same time.
//!
//! A probe never decides about an adoption, and it saves no test of the path. A wrong prediction
//! costs the time of a worker and never changes the result. If units depend on each other,
//! predictions soon prove wrong, and probing ends.

use super::super::success_rate::SuccessRate;
use crate::work::Units;
use nubbin_edit::Fingerprint;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The number of groups that the list is divided into at first.
const GROUPS: u32 = 80;

/// The minimum length of a list to probe. The path finishes a shorter list before its probes end.
const SHORT: u32 = 16;

/// The least share of correct predictions for which probes are worth their time.
const TRUSTED: f64 = 0.85;

/// The initial rate of correct predictions of one kind.
const TRUST: SuccessRate = SuccessRate::new(0.9, 0.9, 0.03..=0.98);

/// The state of the current list: the results of probes and of the tests of the sequential path.
pub(super) struct ListProbes {
    list: Option<Arc<dyn Units>>,
    /// Units that were removable when they were tested.
    good: Ranges,
    /// Groups with a unit that had to stay. No group contains another group.
    bad: BTreeMap<u32, u32>,
    /// The groups to test: their level (the lowest level is tested first), the distance of their
    /// end from the end of the list, and their number of units.
    open: BTreeMap<(u32, u32), u32>,
    /// Groups that are being tested.
    under_way: FxHashMap<Fingerprint, (u32, Range<u32>)>,
    can_go: SuccessRate,
    must_stay: SuccessRate,
}

impl Default for ListProbes {
    fn default() -> Self {
        ListProbes {
            list: None,
            good: Ranges::default(),
            bad: BTreeMap::new(),
            open: BTreeMap::new(),
            under_way: FxHashMap::default(),
            can_go: TRUST,
            must_stay: TRUST,
        }
    }
}

impl ListProbes {
    /// Starts the probes of a list, unless it is already the current list.
    pub(super) fn turn_to(&mut self, list: Option<&Arc<dyn Units>>) {
        let same = match (&self.list, list) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            (None, None) => true,
            _ => false,
        };
        if same {
            return;
        }
        *self = ListProbes {
            list: list.map(Arc::clone),
            ..ListProbes::default()
        };
        let len = list.map_or(0, |list| list.len());
        if len >= SHORT {
            let group = len.div_ceil(GROUPS);
            let mut end = len;
            while end > 0 {
                let start = end.saturating_sub(group);
                self.queue(0, start..end);
                end = start;
            }
        }
    }

    /// Returns the predicted probability that the given units can be removed, if there is a
    /// prediction.
    pub(super) fn odds(&self, units: &[Range<u32>]) -> Option<f64> {
        if units.iter().any(|range| self.has_bad(range)) {
            Some(1.0 - self.must_stay.rate())
        } else if units.iter().all(|range| self.good.covers(range)) {
            Some(self.can_go.rate())
        } else {
            None
        }
    }

    /// Records a verdict on units for which the sequential path asked.
    pub(super) fn record(&mut self, units: &[Range<u32>], can_go: bool) {
        if units.iter().any(|range| self.has_bad(range)) {
            self.must_stay.record(!can_go);
        } else if units.iter().all(|range| self.good.covers(range)) {
            self.can_go.record(can_go);
        }
        self.learn(units, can_go);
    }

    fn learn(&mut self, units: &[Range<u32>], can_go: bool) {
        if can_go {
            for range in units {
                self.good.add(range);
                self.shrink(range);
            }
        } else if let [range] = units {
            self.add_bad(range);
        }
    }

    /// Takes units that can be removed out of the groups that had to stay.
    fn shrink(&mut self, good: &Range<u32>) {
        let overlapping: SmallVec<[(u32, u32); 4]> = self
            .bad
            .range(..good.end)
            .rev()
            .map(|(&start, &end)| (start, end))
            .take_while(|&(_, end)| end > good.start)
            .collect();
        for (start, end) in overlapping {
            let rest = match (good.start <= start, end <= good.end) {
                (true, true) => start..start,
                (true, false) => good.end..end,
                (false, true) => start..good.start,
                (false, false) => continue,
            };
            self.bad.remove(&start);
            if !rest.is_empty() {
                self.add_bad(&rest);
            }
        }
    }

    fn is_trusted(&self) -> bool {
        self.can_go.rate() >= TRUSTED && self.must_stay.rate() >= TRUSTED
    }

    /// Returns the next group to test, with its level, for [`ListProbes::sent`].
    pub(super) fn next(&mut self) -> Option<(u32, Range<u32>)> {
        let len = self.list.as_ref()?.len();
        if !self.is_trusted() {
            return None;
        }
        while let Some(((level, from_end), size)) = self.open.pop_first() {
            let end = len - from_end;
            let range = end - size..end;
            if self.good.covers(&range) {
                continue;
            }
            if self.has_bad(&range) {
                self.halve(level, &range);
                continue;
            }
            return Some((level, range));
        }
        None
    }

    pub(super) fn list(&self) -> Option<&Arc<dyn Units>> {
        self.list.as_ref()
    }

    /// Records that a probe has started or is about to start.
    pub(super) fn sent(&mut self, print: Fingerprint, probe: (u32, Range<u32>)) {
        self.under_way.insert(print, probe);
    }

    /// Queues the probes that no worker has received again.
    pub(super) fn keep(&mut self, mut has_worker: impl FnMut(Fingerprint) -> bool) {
        let gone: Vec<_> = self
            .under_way
            .extract_if(|&print, _| !has_worker(print))
            .collect();
        for (_, (level, range)) in gone {
            self.queue(level, range);
        }
    }

    /// Returns the number of running probes.
    pub(super) fn under_way(&self) -> usize {
        self.under_way.len()
    }

    pub(super) fn is_under_way(&self, print: Fingerprint) -> bool {
        self.under_way.contains_key(&print)
    }

    /// Records the end of a test. `can_go` is `None` if the test was canceled.
    pub(super) fn returned(&mut self, print: Fingerprint, can_go: Option<bool>) {
        let Some((level, range)) = self.under_way.remove(&print) else {
            return;
        };
        match can_go {
            Some(can_go) => self.answered(&(level, range), can_go),
            None => self.queue(level, range),
        }
    }

    /// Records whether a group can be removed. If it cannot be removed, it is halved.
    pub(super) fn answered(&mut self, (level, range): &(u32, Range<u32>), can_go: bool) {
        self.learn(std::slice::from_ref(range), can_go);
        if !can_go {
            self.halve(*level, range);
        }
    }

    fn queue(&mut self, level: u32, group: Range<u32>) {
        if let Some(list) = &self.list {
            let from_end = list.len() - group.end;
            self.open.insert((level, from_end), group.end - group.start);
        }
    }

    /// Queues both halves of a group. The half that the sequential path reaches first is tested
    /// first. If it can be removed, the other half has to stay, which needs no test.
    fn halve(&mut self, level: u32, range: &Range<u32>) {
        let middle = range.start + (range.end - range.start) / 2;
        if middle > range.start {
            self.queue(level + 2, middle..range.end);
            self.queue(level + 3, range.start..middle);
        }
    }

    fn has_bad(&self, range: &Range<u32>) -> bool {
        self.bad
            .range(range.start..range.end)
            .any(|(_, &end)| end <= range.end)
    }

    /// Adds a group that had to stay. If one group is within another, only the smaller is kept.
    fn add_bad(&mut self, range: &Range<u32>) {
        if self.has_bad(range) {
            return;
        }
        self.bad
            .retain(|&start, &mut end| !(start <= range.start && range.end <= end));
        self.bad.insert(range.start, range.end);
    }
}

/// A set of numbers as disjoint ranges that do not touch.
#[derive(Default)]
struct Ranges(BTreeMap<u32, u32>);

impl Ranges {
    fn covers(&self, range: &Range<u32>) -> bool {
        self.0
            .range(..=range.start)
            .next_back()
            .is_some_and(|(_, &end)| end >= range.end)
    }

    fn add(&mut self, range: &Range<u32>) {
        let (mut start, mut end) = (range.start, range.end);
        while let Some((&at, &to)) = self.0.range(..=end).next_back()
            && to >= start
        {
            self.0.remove(&at);
            (start, end) = (start.min(at), end.max(to));
        }
        self.0.insert(start, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::EachByte;
    use nubbin_edit::Span;

    fn one(range: Range<u32>) -> [Range<u32>; 1] {
        [range]
    }

    fn probes(len: u32) -> ListProbes {
        let list: Arc<dyn Units> = Arc::new(EachByte {
            span: Span::new(0, len),
        });
        let mut probes = ListProbes::default();
        probes.turn_to(Some(&list));
        probes
    }

    /// Runs all probes, with the verdicts of a list whose units in `needed` have to stay.
    fn explore(probes: &mut ListProbes, needed: &[u32]) -> u32 {
        let mut sent = 0;
        while let Some(probe) = probes.next() {
            let print = Fingerprint(u128::from(sent));
            let range = probe.1.clone();
            probes.sent(print, probe);
            probes.returned(print, Some(!needed.iter().any(|unit| range.contains(unit))));
            sent += 1;
        }
        sent
    }

    #[test]
    fn probes_find_the_units_that_have_to_stay() {
        let mut probes = probes(640);
        let sent = explore(&mut probes, &[17, 18, 300]);
        // Two of the eighty groups have to be halved to the last unit.
        assert!(sent < 80 + 2 * 2 * 4, "{sent}");
        for unit in 0..640 {
            let likely = probes.odds(&one(unit..unit + 1)).unwrap() > 0.5;
            assert_eq!(likely, ![17, 18, 300].contains(&unit), "{unit}");
        }
        assert!(probes.odds(&[19..300, 301..600]).unwrap() > 0.5);
        assert!(probes.odds(&[19..301, 310..320]).unwrap() < 0.5);
    }

    #[test]
    fn when_a_part_of_a_group_can_go_the_rest_has_to_stay() {
        let mut probes = probes(100);
        probes.record(&one(40..60), false);
        assert_eq!(probes.odds(&one(50..60)), None);
        probes.record(&one(50..60), true);
        probes.record(&one(40..45), true);
        assert!(probes.odds(&one(45..50)).unwrap() < 0.5);
        assert_eq!(probes.odds(&one(46..50)), None);
    }

    #[test]
    fn probing_ends_where_predictions_are_wrong() {
        let mut probes = probes(640);
        for unit in (600..630).rev() {
            probes.record(&one(unit..unit + 1), false);
        }
        assert!(probes.next().is_some());
        // The units that had to stay can be removed after the units that used them.
        probes.record(&one(629..630), true);
        probes.record(&one(628..629), true);
        assert!(probes.next().is_none());
    }

    #[test]
    fn a_probe_that_was_canceled_or_found_no_worker_is_made_again() {
        let mut probes = probes(64);
        let first = probes.next().unwrap();
        assert_eq!(first, (0, 63..64));
        probes.sent(Fingerprint(1), first.clone());
        probes.returned(Fingerprint(1), None);
        assert_eq!(probes.next(), Some(first.clone()));
        probes.sent(Fingerprint(2), first.clone());
        probes.keep(|_| false);
        assert_eq!(probes.next(), Some(first));
    }

    #[test]
    fn another_list_is_probed_anew_and_a_short_one_is_not_probed() {
        let mut probes = probes(640);
        probes.record(&one(0..10), true);
        let other: Arc<dyn Units> = Arc::new(EachByte {
            span: Span::new(0, 8),
        });
        probes.turn_to(Some(&other));
        assert_eq!(probes.odds(&one(0..5)), None);
        assert!(probes.next().is_none());
        probes.turn_to(None);
        assert!(probes.list().is_none());
    }

    #[test]
    fn ranges_that_touch_are_one() {
        let mut ranges = Ranges::default();
        ranges.add(&(5..10));
        ranges.add(&(20..30));
        assert!(!ranges.covers(&(5..30)));
        ranges.add(&(10..20));
        assert!(ranges.covers(&(5..30)));
        ranges.add(&(0..100));
        assert_eq!(ranges.0.len(), 1);
        assert!(!ranges.covers(&(99..101)));
    }
}
