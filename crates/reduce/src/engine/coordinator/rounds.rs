//! Once more from the beginning, in another order: what a greedy search ends in depends on the order
//! in which it tries things, and another order may end lower.

use super::{Coordinator, Ended};
use crate::edit::{Edit, Fingerprint};
use crate::engine::event::Event;
use crate::engine::settled::Settled;
use crate::input::Input;
use crate::span::Span;

/// What is kept for further rounds, and from the rounds before.
#[derive(Default)]
pub(super) struct Rounds {
    /// Where every round begins.
    original: Option<Input>,
    /// Of the rounds after the first.
    begun: u32,
    /// The best of the rounds before, until the present one is below it.
    best: Option<(Input, Fingerprint)>,
}

impl Coordinator<'_, '_, '_> {
    /// Runs the plan, and again from the original as often as is wanted. A test that does not always
    /// say the same is given no further round: what is smaller there is often so by chance.
    pub(super) fn follow_in_rounds(&mut self) -> Result<(), Ended> {
        let most = self.options.restarts;
        if most > 0 && self.rounds.original.is_none() {
            self.rounds.original = Some(self.base.clone());
        }
        self.follow()?;
        while self.rounds.begun < most && self.is_reliable() {
            let Some(original) = self.rounds.original.clone() else {
                break;
            };
            let plan = self.plan.clone();
            self.begin_round(original);
            let followed = self.follow();
            self.end_round();
            self.plan = plan;
            followed?;
        }
        Ok(())
    }

    fn begin_round(&mut self, original: Input) {
        self.rounds.begun += 1;
        self.statistics.restarts += 1;
        let (round, of) = (self.rounds.begun, self.options.restarts);
        self.plan = self.plan.varied(self.options.seed, round);
        self.emit(&Event::Restarted { round, of });
        let print = original.fingerprint();
        let best = std::mem::replace(&mut self.base, original);
        self.rounds.best = Some((best, std::mem::replace(&mut self.base_print, print)));
        self.begin_anew();
    }

    /// Back to the best of the rounds before, unless this one came below it.
    fn end_round(&mut self) {
        if let Some((best, print)) = self.rounds.best.take() {
            self.base = best;
            self.base_print = print;
            self.begin_anew();
        }
    }

    /// The verdicts of all rounds stay. What led here is another matter: that would lead here again.
    fn begin_anew(&mut self) {
        self.prints.clear();
        self.barren.clear();
        self.settled = Settled::default();
    }

    /// Of a base that has just got smaller: whether it is the best there is. Then the size of the one
    /// before and, where it was not made of that, the edit that would have made it.
    pub(super) fn surpasses(&mut self, old_size: usize) -> Option<(usize, Option<Edit>)> {
        let Some((best, _)) = &self.rounds.best else {
            return Some((old_size, None));
        };
        if !self.plan.order.is_below(&self.base, best) {
            return None;
        }
        let all = Span::new(0, best.bytes().len() as u32);
        let whole = Edit::replace(all, self.base.bytes());
        let bytes_before = best.size();
        self.rounds.best = None;
        Some((bytes_before, Some(whole)))
    }

    /// The best of the rounds before was given up.
    pub(super) fn forget_rounds(&mut self) {
        self.rounds.best = None;
    }
}
