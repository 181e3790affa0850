//! Finds of different workers on their way to becoming one.
//!
//! While the logical path waits for a verdict, other workers put further proposals of the same pass to
//! the same base. What they find there can go by itself. Whether all of it can go together is one test:
//! where that still fails, everything in it has gone for one test more than it took to find. Where it
//! does not, halves of it are tried, until what does not go with the rest stands alone. Nobody waits for
//! that: what is found in the meantime is put together next. What was in vain is in vain on the next base
//! as well, until the pass comes back to it.
//!
//! Source: the merging of D. MacIver's Shrink Ray (2023), which waits for nobody either, and of C-Vise
//! (2020), which tries half of what failed together.

use crate::edit::{Edit, Fingerprint};
use rustc_hash::{FxHashMap, FxHashSet};

/// What has become of a proposal, a change to the input that the pass at work was opened on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It is being tested by this, on the present base or on an earlier one.
    Asked(Fingerprint),
    /// It could go, and waits to be put together with others.
    Found,
    /// It had to stay.
    InVain,
}

/// A test of several finds together.
pub(super) struct Merge<C> {
    pub(super) print: Fingerprint,
    /// What is tested.
    pub(super) candidate: C,
    /// All finds as one proposal.
    pub(super) proposal: Edit,
    /// The base it was made from.
    pub(super) base: Fingerprint,
    pub(super) finds: Vec<Edit>,
}

/// What further workers have been asked about the list or the tree at work, and what they found.
pub(super) struct Merging<C> {
    states: FxHashMap<Edit, State>,
    /// What is tested for which proposal.
    tests: FxHashMap<Fingerprint, Edit>,
    found: Vec<Edit>,
    /// What is to be put together next, the first last.
    groups: Vec<Vec<Edit>>,
    under_way: Option<Merge<C>>,
    /// Proposals whose work was done before they were made, and whose machines know it.
    told: FxHashSet<Edit>,
    /// Proposals that were said to be in vain without having been put to the base as it was then.
    believed: FxHashSet<Edit>,
    /// Those of them that nobody has asked about since.
    doubts: FxHashSet<Edit>,
    /// Merges that were adopted.
    adopted: u64,
}

impl<C> Default for Merging<C> {
    fn default() -> Self {
        Merging {
            states: FxHashMap::default(),
            tests: FxHashMap::default(),
            found: vec![],
            groups: vec![],
            under_way: None,
            told: FxHashSet::default(),
            believed: FxHashSet::default(),
            doubts: FxHashSet::default(),
            adopted: 0,
        }
    }
}

impl<C> Merging<C> {
    /// A proposal is being tested, by itself.
    pub(super) fn ask(&mut self, print: Fingerprint, proposal: Edit) {
        self.states.insert(proposal.clone(), State::Asked(print));
        self.tests.insert(print, proposal);
    }

    /// A test has ended, whosever it was; `None` where it was called off.
    pub(super) fn answer(&mut self, print: Fingerprint, can_go: Option<bool>) {
        let Some(proposal) = self.tests.remove(&print) else {
            return;
        };
        match can_go {
            Some(true) => {
                self.found.push(proposal.clone());
                self.states.insert(proposal, State::Found);
            }
            Some(false) => {
                self.states.insert(proposal, State::InVain);
            }
            None => {
                self.states.remove(&proposal);
            }
        }
    }

    /// Whether a test is one of a proposal by itself.
    pub(super) fn tests(&self, print: Fingerprint) -> bool {
        self.tests.contains_key(&print)
    }

    pub(super) fn state(&self, proposal: &Edit) -> Option<State> {
        self.states.get(proposal).copied()
    }

    /// Whether a proposal is in vain, as far as is known. That is said once: who comes back to it is not
    /// told again. Where it is `little` that is proposed, it leaves a doubt.
    pub(super) fn is_in_vain(&mut self, proposal: &Edit, little: bool) -> bool {
        let in_vain =
            self.state(proposal) == Some(State::InVain) && self.believed.insert(proposal.clone());
        if in_vain {
            self.states.remove(proposal);
            if little {
                self.doubts.insert(proposal.clone());
            }
        }
        in_vain
    }

    /// The same, without saying it.
    pub(super) fn would_be_in_vain(&self, proposal: &Edit) -> bool {
        self.state(proposal) == Some(State::InVain) && !self.believed.contains(proposal)
    }

    /// Nobody waits for the verdict on a proposal.
    pub(super) fn leave(&mut self, proposal: &Edit) {
        self.doubts.insert(proposal.clone());
    }

    /// There is a verdict on a proposal put to the base as it is.
    pub(super) fn clear(&mut self, proposal: &Edit) {
        self.doubts.remove(proposal);
    }

    /// Whether something small may be possible that was said to be in vain.
    pub(super) fn has_doubts(&self) -> bool {
        !self.doubts.is_empty()
    }

    /// The path has dealt with a proposal by itself.
    pub(super) fn settle(&mut self, proposal: &Edit) {
        if self.states.remove(proposal) == Some(State::Found) {
            self.found.retain(|find| find != proposal);
            self.groups
                .iter_mut()
                .for_each(|group| group.retain(|find| find != proposal));
            self.groups.retain(|group| !group.is_empty());
        }
    }

    /// Whether a proposal of which nothing is left to do counts as carried out. That is said once, so that
    /// no machine goes on for ever.
    pub(super) fn is_done(&mut self, proposal: &Edit) -> bool {
        self.adopted > 0 && self.told.insert(proposal.clone())
    }

    /// The same, without saying it.
    pub(super) fn would_be_done(&self, proposal: &Edit) -> bool {
        self.adopted > 0 && !self.told.contains(proposal)
    }

    /// The finds to be put together next; none while a test is under way.
    pub(super) fn next(&mut self) -> Option<Vec<Edit>> {
        if self.under_way.is_some() {
            return None;
        }
        self.groups
            .pop()
            .or_else(|| Some(std::mem::take(&mut self.found)).filter(|found| !found.is_empty()))
    }

    /// They are being tested.
    pub(super) fn begin(&mut self, merge: Merge<C>) {
        self.under_way = Some(merge);
    }

    pub(super) fn under_way(&self) -> Option<&Merge<C>> {
        self.under_way.as_ref()
    }

    /// The test has ended, or is not worth going on with.
    pub(super) fn end(&mut self) -> Option<Merge<C>> {
        self.under_way.take()
    }

    /// These could not be tested, or not on what the base has become.
    pub(super) fn put_back(&mut self, finds: Vec<Edit>) {
        self.groups.push(finds);
    }

    /// These have gone.
    pub(super) fn adopt(&mut self, finds: &[Edit]) {
        self.adopted += 1;
        self.forget(finds);
    }

    /// Nothing is left of these to be done.
    pub(super) fn forget(&mut self, finds: &[Edit]) {
        for find in finds {
            self.states.remove(find);
        }
    }

    /// These do not go together: halves of them are next. One by itself has to stay after all.
    pub(super) fn part(&mut self, mut finds: Vec<Edit>) {
        if finds.len() > 1 {
            let second = finds.split_off(finds.len() / 2);
            self.groups.push(second);
            self.groups.push(finds);
        } else if let Some(find) = finds.pop() {
            self.states.insert(find, State::InVain);
        }
    }

    /// Whether there is nothing to put together.
    pub(super) fn is_empty(&self) -> bool {
        self.under_way.is_none() && self.groups.is_empty() && self.found.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    fn unit(at: u32) -> Edit {
        Edit::delete(Span::new(at, at + 1))
    }

    fn found(units: impl IntoIterator<Item = u32>) -> Merging<()> {
        let mut merging = Merging::default();
        for at in units {
            merging.ask(Fingerprint(u128::from(at)), unit(at));
            merging.answer(Fingerprint(u128::from(at)), Some(true));
        }
        merging
    }

    /// Merges until nothing is left; says what has gone, and in how many tests.
    fn merge_all(merging: &mut Merging<()>, bad: &[u32]) -> (Vec<u32>, u32) {
        let (mut gone, mut tests) = (vec![], 0);
        while let Some(finds) = merging.next() {
            tests += 1;
            if bad.iter().any(|&at| finds.contains(&unit(at))) {
                merging.part(finds);
            } else {
                merging.adopt(&finds);
                gone.extend(finds.iter().map(|find| find.splices()[0].span.start));
            }
        }
        gone.sort_unstable();
        (gone, tests)
    }

    #[test]
    fn all_that_goes_together_is_one_test() {
        let mut merging = found(0..20);
        assert_eq!(merge_all(&mut merging, &[]), ((0..20).collect(), 1));
        assert!(merging.is_empty());
    }

    #[test]
    fn what_does_not_go_with_the_rest_is_found_by_halving_and_is_in_vain() {
        let mut merging = found(0..16);
        let rest = (0..16).filter(|at| *at != 5).collect();
        assert_eq!(merge_all(&mut merging, &[5]), (rest, 9));
        assert_eq!(merging.state(&unit(5)), Some(State::InVain));
        assert_eq!(merging.state(&unit(6)), None);
    }

    #[test]
    fn one_test_at_a_time_and_the_rest_waits() {
        let mut merging = found([1]);
        let finds = merging.next().unwrap();
        merging.begin(Merge {
            print: Fingerprint(100),
            candidate: (),
            proposal: unit(1),
            base: Fingerprint(0),
            finds,
        });
        merging.ask(Fingerprint(2), unit(2));
        merging.answer(Fingerprint(2), Some(true));
        assert_eq!(merging.next(), None);
        let merge = merging.end().unwrap();
        merging.put_back(merge.finds);
        assert_eq!(merging.next(), Some(vec![unit(1)]));
        assert_eq!(merging.next(), Some(vec![unit(2)]));
    }

    #[test]
    fn what_was_in_vain_is_said_once_and_what_was_called_off_is_not_known() {
        let mut merging: Merging<()> = Merging::default();
        merging.ask(Fingerprint(1), unit(1));
        assert_eq!(merging.state(&unit(1)), Some(State::Asked(Fingerprint(1))));
        assert!(!merging.is_in_vain(&unit(1), true));
        merging.answer(Fingerprint(1), Some(false));
        assert!(merging.is_in_vain(&unit(1), true));
        merging.ask(Fingerprint(3), unit(1));
        merging.answer(Fingerprint(3), Some(false));
        assert!(!merging.is_in_vain(&unit(1), true));
        assert!(merging.has_doubts());
        merging.clear(&unit(1));
        assert!(!merging.has_doubts());
        merging.ask(Fingerprint(2), unit(2));
        merging.answer(Fingerprint(2), None);
        assert_eq!(merging.state(&unit(2)), None);
    }

    #[test]
    fn what_the_path_has_dealt_with_is_not_merged() {
        let mut merging = found([1, 2]);
        merging.settle(&unit(1));
        assert_eq!(merging.next(), Some(vec![unit(2)]));
    }

    #[test]
    fn a_machine_is_told_once_that_its_work_was_done() {
        let mut merging = found([1]);
        assert!(!merging.is_done(&unit(1)));
        merge_all(&mut merging, &[]);
        assert!(merging.would_be_done(&unit(1)));
        assert!(merging.is_done(&unit(1)));
        assert!(!merging.is_done(&unit(1)));
    }
}
