//! What is done with the finds of further workers where the result need not be the same for any number
//! of them: they are adopted, wherever the path is.

use super::Coordinator;
use super::path::{Awaited, Judged};
use crate::edit::{Applied, Edit, Fingerprint};
use crate::engine::cache::Kind;
use crate::engine::merging::{Merge, State};
use crate::engine::outcome::Ended;
use crate::input::Input;

impl Coordinator<'_, '_, '_> {
    /// Whether a test may go on although the path will not ask for it: it may, as long as that keeps
    /// nobody from what the path does ask for.
    pub(super) fn may_go_on(&self, awaited: &Awaited<'_>) -> bool {
        self.merges && (self.workers.has(awaited.print) || self.workers.has_free())
    }

    /// Whether a proposal is being tested already, or has been.
    pub(super) fn is_asked(&self, proposal: &Edit) -> bool {
        self.merges
            && match self.merging.state(proposal) {
                Some(State::Asked(print)) => self.workers.has(print),
                Some(State::Found) => true,
                Some(State::InVain) | None => false,
            }
    }

    /// A proposal is put to the base as it is. Should the base be another one by the time the verdict is
    /// there, that is worth knowing all the same.
    pub(super) fn note_asked(&mut self, print: Fingerprint, proposal: &Edit) {
        if self.merges && self.workers.has(print) {
            self.merging.ask(print, proposal.clone());
        }
    }

    /// What happens while the path waits, if it changes what the path waits for.
    pub(super) fn meanwhile(
        &mut self,
        pass: &'static str,
        applied: &mut Applied,
        awaited: &Awaited<'_>,
    ) -> Option<Judged> {
        if self.merge(pass, applied) {
            return Some(Judged::Moved);
        }
        if self.merging.is_in_vain(awaited.proposal, awaited.is_little) {
            return Some(Judged::InVain);
        }
        let is_late = match self.merging.state(awaited.proposal) {
            Some(State::Asked(print)) => self.pace.is_late(print, self.now()),
            _ => false,
        };
        is_late.then_some(Judged::Late)
    }

    /// Puts together what has been found and not been adopted when a machine is at its end.
    pub(super) fn merge_rest(
        &mut self,
        pass: &'static str,
        applied: &mut Applied,
    ) -> Result<(), Ended> {
        while self.merges {
            self.merge(pass, applied);
            if self.merging.is_empty() {
                break;
            }
            self.check_time()?;
            if self.must_leave(pass)? {
                break;
            }
            self.collect(Some(pass)).map_err(Ended::Fault)?;
        }
        Ok(())
    }

    /// Takes what is to be put together a step further. Says whether the base is another one now.
    fn merge(&mut self, pass: &'static str, applied: &mut Applied) -> bool {
        let mut moved = false;
        loop {
            if let Some(merge) = self.merging.under_way() {
                let verdict = self.cache.peek(merge.print);
                if verdict.is_none() && self.workers.has(merge.print) {
                    return moved;
                }
                let present = merge.base == self.base_print;
                match (self.merging.end(), verdict) {
                    (Some(merge), Some(kind)) if present => {
                        moved |= self.merged(pass, merge, kind, applied);
                    }
                    (Some(merge), _) => {
                        self.merging.put_back(merge.finds);
                        self.recycle(merge.candidate);
                    }
                    (None, _) => {}
                }
            }
            let Some(finds) = self.merging.next() else {
                return moved;
            };
            let (proposal, finds) = self.all_in_one(finds);
            let edit = applied.rebase(&proposal).ok();
            let Some(edit) = edit.filter(|edit| !edit.is_none()) else {
                self.merging.forget(&finds);
                continue;
            };
            let buffer = self.spare.pop().unwrap_or_default();
            let (candidate, print) = self.base.apply_in(&edit, buffer);
            if print == self.base_print
                || !self.is_below_base(&candidate)
                || self.is_malformed(&candidate, print)
            {
                self.recycle(candidate);
                self.merging.part(finds);
                continue;
            }
            if self.cache.peek(print).is_none() {
                self.start(print, candidate.clone());
                if !self.workers.has(print) {
                    self.recycle(candidate);
                    self.merging.put_back(finds);
                    return moved;
                }
            }
            self.merging.begin(Merge {
                print,
                candidate,
                proposal,
                base: self.base_print,
                finds,
            });
        }
    }

    /// Finds as one proposal, less those that want something else of the same place.
    fn all_in_one(&mut self, finds: Vec<Edit>) -> (Edit, Vec<Edit>) {
        let mut all = Edit::none();
        let mut together = Vec::with_capacity(finds.len());
        for find in finds {
            match all.combine(&find) {
                Ok(more) => {
                    all = more;
                    together.push(find);
                }
                Err(_) => self.merging.part(vec![find]),
            }
        }
        (all, together)
    }

    /// What came of a merge. Says whether it was adopted.
    fn merged(
        &mut self,
        pass: &'static str,
        merge: Merge<Input>,
        kind: Kind,
        applied: &mut Applied,
    ) -> bool {
        let edit = applied.rebase(&merge.proposal);
        let edit = edit.ok().filter(|_| kind.is_fail());
        let Some(edit) = edit.filter(|_| applied.apply(&merge.proposal).is_ok()) else {
            self.recycle(merge.candidate);
            self.merging.part(merge.finds);
            return false;
        };
        self.settled.adopted(self.base.bytes(), &edit);
        self.adopt(pass, &edit, merge.candidate, merge.print);
        self.merging.adopt(&merge.finds);
        self.merged += 1;
        true
    }
}
