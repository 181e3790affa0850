//! What further workers find out about a list before the logical path gets there.
//!
//! A list algorithm that does its work well asks what it cannot guess, so its futures are many
//! and each is unlikely: a second worker helps, a sixteenth hardly. But where units do not depend
//! on each other, what a test of some far part of the list says now, is what it will say when the
//! path gets there. So workers that have nothing likely to do *scout*: they leave out groups of
//! units all over the list, halve those that cannot go, and from then on the future is known in
//! advance: the logical path asks the same tests as ever, but they all run at once.
//!
//! Nothing is ever adopted because of a scout, and no test is left out: a prediction that is wrong
//! costs a worker's time, never a result. Where units depend on each other, predictions soon
//! prove wrong, and scouting ends.

use crate::edit::Fingerprint;
use crate::work::Units;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Groups the list is cut into at first.
const GROUPS: u32 = 80;

/// A list with fewer units is done before scouts are back.
const SHORT: u32 = 16;

/// The weight of the past in the moving averages of how often predictions come true.
const DECAY: f64 = 0.9;

/// Predictions that come true less often than this are worth no scouts.
const TRUSTED: f64 = 0.85;

/// What is known, and being found out, about the list at work.
#[derive(Default)]
pub(super) struct Scouts {
    list: Option<Arc<dyn Units>>,
    /// Units that could go when they were asked for, or that have gone.
    good: Ranges,
    /// Groups of which something had to stay; none within another.
    bad: BTreeMap<u32, u32>,
    /// Groups to leave out: how soon, how far from the end of the list they end, and how many
    /// units they have.
    open: BTreeMap<(u32, u32), u32>,
    /// Groups that are being tested.
    under_way: FxHashMap<Fingerprint, (u32, Range<u32>)>,
    can_go: Trust,
    must_stay: Trust,
}

/// How often one kind of prediction comes true.
#[derive(Clone, Copy)]
struct Trust(f64);

/// Before there is anything to go by.
impl Default for Trust {
    fn default() -> Self {
        Trust(0.9)
    }
}

impl Trust {
    fn record(&mut self, came_true: bool) {
        self.0 =
            (self.0 * DECAY + f64::from(u8::from(came_true)) * (1.0 - DECAY)).clamp(0.03, 0.98);
    }
}

impl Scouts {
    /// Turns to a list, if it is another one than before.
    pub(super) fn turn_to(&mut self, list: Option<&Arc<dyn Units>>) {
        let same = match (&self.list, list) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            (None, None) => true,
            _ => false,
        };
        if same {
            return;
        }
        *self = Scouts {
            list: list.map(Arc::clone),
            ..Scouts::default()
        };
        let len = list.map_or(0, |list| list.len());
        if len >= SHORT {
            let group = len.div_ceil(GROUPS);
            let mut end = len;
            while end > 0 {
                let start = end.saturating_sub(group);
                self.open.insert((0, len - end), end - start);
                end = start;
            }
        }
    }

    /// How likely it is that these units can go.
    pub(super) fn odds(&self, units: &[Range<u32>]) -> Option<f64> {
        if units.iter().any(|range| self.has_bad(range)) {
            Some(1.0 - self.must_stay.0)
        } else if units.iter().all(|range| self.good.covers(range)) {
            Some(self.can_go.0)
        } else {
            None
        }
    }

    /// The verdict on what the logical path asked.
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

    /// What can go by itself is not what a group had to stay for: the rest of the group is.
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
        self.can_go.0 >= TRUSTED && self.must_stay.0 >= TRUSTED
    }

    /// The next group to leave out; to be told to [`Scouts::sent`].
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

    /// A scout is on its way.
    pub(super) fn sent(&mut self, print: Fingerprint, scout: (u32, Range<u32>)) {
        self.under_way.insert(print, scout);
    }

    /// Takes back scouts for which there was no worker.
    pub(super) fn keep(&mut self, mut has_worker: impl FnMut(Fingerprint) -> bool) {
        let Some(len) = self.list.as_ref().map(|list| list.len()) else {
            return;
        };
        let open = &mut self.open;
        self.under_way.retain(|&print, (level, range)| {
            let keep = has_worker(print);
            if !keep {
                open.insert((*level, len - range.end), range.end - range.start);
            }
            keep
        });
    }

    /// How many scouts are being tested.
    pub(super) fn under_way(&self) -> usize {
        self.under_way.len()
    }

    pub(super) fn is_under_way(&self, print: Fingerprint) -> bool {
        self.under_way.contains_key(&print)
    }

    /// A test has ended, whosever it was; `None` where it was called off.
    pub(super) fn returned(&mut self, print: Fingerprint, can_go: Option<bool>) {
        let Some((level, range)) = self.under_way.remove(&print) else {
            return;
        };
        match can_go {
            Some(can_go) => {
                self.learn(std::slice::from_ref(&range), can_go);
                if !can_go {
                    self.halve(level, &range);
                }
            }
            None => self.reopen(level, &range),
        }
    }

    fn reopen(&mut self, level: u32, range: &Range<u32>) {
        if let Some(list) = &self.list {
            self.open
                .insert((level, list.len() - range.end), range.end - range.start);
        }
    }

    /// The half that the logical path comes to first is tested first: where it can go, the other
    /// one is to blame without a test of its own.
    fn halve(&mut self, level: u32, range: &Range<u32>) {
        let (Some(list), len) = (&self.list, range.end - range.start) else {
            return;
        };
        if len > 1 {
            let all = list.len();
            let middle = range.start + len / 2;
            self.open
                .insert((level + 2, all - range.end), range.end - middle);
            self.open
                .insert((level + 3, all - middle), middle - range.start);
        }
    }

    fn has_bad(&self, range: &Range<u32>) -> bool {
        self.bad
            .range(range.start..range.end)
            .any(|(_, &end)| end <= range.end)
    }

    /// Keeps only the smallest groups: one that lies within another says more.
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
    use crate::span::Span;
    use crate::work::EachByte;

    fn one(range: Range<u32>) -> [Range<u32>; 1] {
        [range]
    }

    fn scouts(len: u32) -> Scouts {
        let list: Arc<dyn Units> = Arc::new(EachByte {
            span: Span::new(0, len),
        });
        let mut scouts = Scouts::default();
        scouts.turn_to(Some(&list));
        scouts
    }

    /// Sends scouts until there are no more; units in `needed` have to stay.
    fn explore(scouts: &mut Scouts, needed: &[u32]) -> u32 {
        let mut sent = 0;
        while let Some(scout) = scouts.next() {
            let print = Fingerprint(u128::from(sent));
            let range = scout.1.clone();
            scouts.sent(print, scout);
            scouts.returned(print, Some(!needed.iter().any(|unit| range.contains(unit))));
            sent += 1;
        }
        sent
    }

    #[test]
    fn scouts_find_out_which_units_have_to_stay() {
        let mut scouts = scouts(640);
        let sent = explore(&mut scouts, &[17, 18, 300]);
        // Of eighty groups, two have to be halved to the last unit.
        assert!(sent < 80 + 2 * 2 * 4, "{sent}");
        for unit in 0..640 {
            let likely = scouts.odds(&one(unit..unit + 1)).unwrap() > 0.5;
            assert_eq!(likely, ![17, 18, 300].contains(&unit), "{unit}");
        }
        assert!(scouts.odds(&[19..300, 301..600]).unwrap() > 0.5);
        assert!(scouts.odds(&[19..301, 310..320]).unwrap() < 0.5);
    }

    #[test]
    fn of_a_group_that_cannot_go_the_rest_is_to_blame_when_a_part_can() {
        let mut scouts = scouts(100);
        scouts.record(&one(40..60), false);
        assert_eq!(scouts.odds(&one(50..60)), None);
        scouts.record(&one(50..60), true);
        scouts.record(&one(40..45), true);
        assert!(scouts.odds(&one(45..50)).unwrap() < 0.5);
        assert_eq!(scouts.odds(&one(46..50)), None);
    }

    #[test]
    fn scouting_ends_where_predictions_prove_wrong() {
        let mut scouts = scouts(640);
        for unit in (600..630).rev() {
            scouts.record(&one(unit..unit + 1), false);
        }
        assert!(scouts.next().is_some());
        // All of them can go after all, once what used them is gone.
        scouts.record(&one(629..630), true);
        scouts.record(&one(628..629), true);
        assert!(scouts.next().is_none());
    }

    #[test]
    fn a_scout_that_was_called_off_or_found_no_worker_goes_again() {
        let mut scouts = scouts(64);
        let first = scouts.next().unwrap();
        assert_eq!(first, (0, 63..64));
        scouts.sent(Fingerprint(1), first.clone());
        scouts.returned(Fingerprint(1), None);
        assert_eq!(scouts.next(), Some(first.clone()));
        scouts.sent(Fingerprint(2), first.clone());
        scouts.keep(|_| false);
        assert_eq!(scouts.next(), Some(first));
    }

    #[test]
    fn another_list_is_another_matter_and_a_short_one_is_none() {
        let mut scouts = scouts(640);
        scouts.record(&one(0..10), true);
        let other: Arc<dyn Units> = Arc::new(EachByte {
            span: Span::new(0, 8),
        });
        scouts.turn_to(Some(&other));
        assert_eq!(scouts.odds(&one(0..5)), None);
        assert!(scouts.next().is_none());
        scouts.turn_to(None);
        assert!(scouts.list().is_none());
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
