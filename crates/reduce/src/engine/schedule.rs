use super::pass_budget::PassBudget;
use crate::plan::Repeat;

/// For a pass that runs once, at the beginning: it ends when it saves less than a hundredth in 32
/// tests, and when most of the text is in units that it knows to be needed.
const OPENING: PassBudget = PassBudget {
    tests: 32,
    share: 100,
    undecided: 4,
    ..PassBudget::UNLIMITED
};

/// For a pass that takes turns with others: it comes again if it has saved a thirtieth in 32 tests.
const TURN: PassBudget = PassBudget {
    share: 30,
    is_turn: true,
    ..OPENING
};

/// For a pass that runs again since finer ones have found something: as [`TURN`], but it also ends
/// after eight failures in a row.
const AGAIN: PassBudget = PassBudget {
    failures: 8,
    ..TURN
};

/// Turns of finer passes, at most, before a pass that ran again in vain runs once more.
const LONGEST_REST: u32 = 16;

/// For a pass that only looks whether it is worth its tests: it ends when it saves less than a
/// thirtieth in 16 tests.
const GLANCE: PassBudget = PassBudget {
    tests: 16,
    share: 30,
    ..PassBudget::UNLIMITED
};

/// For a pass in a tier that repeats.
const USUAL: PassBudget = PassBudget {
    tests: 64,
    share: 400,
    ..PassBudget::UNLIMITED
};

/// For a pass that found nothing the last time it ran to its end.
const PROBATION: PassBudget = PassBudget {
    failures: 25,
    ..PassBudget::UNLIMITED
};

/// Which pass runs next. A state machine that knows neither passes nor inputs, only whether each
/// run got somewhere.
///
/// The rules, from the schedulers of Shrink Ray and Hypothesis:
/// a tier that repeats runs all its passes, then only those that worked, and when none does, all
/// once more. A pass that saves too little is parked, soon where its last complete run was
/// fruitless, and is made to finish only when nothing else gets anywhere.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    tiers: Vec<TierState>,
    at: usize,
    /// Passes still to run in this round.
    queue: Vec<usize>,
    round: Round,
    running: Option<usize>,
    /// Where the run goes back to when a lower tier gets somewhere.
    home: usize,
    /// A known failure was left untried since the last find.
    residue: bool,
    /// Whether this is the last round over the tiers so far, which tries everything.
    thorough: bool,
}

#[derive(Clone, Debug)]
struct TierState {
    repeat: Repeat,
    passes: Vec<PassState>,
    /// Whether a pass of this tier got somewhere since it was entered.
    progress: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct PassState {
    /// Its last complete run found nothing.
    fruitless: bool,
    /// It was ended before it was through.
    parked: bool,
    /// It got somewhere in this round.
    worked: bool,
    /// Where passes take turns: it is looked at again.
    again: bool,
    /// Turns of finer passes that it sits out before it is looked at again,
    rest: u32,
    /// and how many it sat out the last time.
    rested: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    /// Every pass, with probation.
    All,
    /// Those that worked in the round before.
    Useful,
    /// Those that were parked, to their end.
    Parked,
}

/// A pass to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) tier: usize,
    pub(super) pass: usize,
    pub(super) budget: PassBudget,
    /// Whether known failures are tried again although nothing near them has changed.
    pub(super) thorough: bool,
    /// Whether the pass only runs to try known failures again.
    pub(super) last: bool,
    /// Whether all passes run once more before the tier is left. A pass that has found nothing in a
    /// file need not look at the file again if only other files have changed.
    pub(super) again: bool,
}

/// The outcome of a turn; by default, nothing was there to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    /// Something was adopted.
    pub(super) progress: bool,
    /// The pass was ended before it was through.
    pub(super) parked: bool,
    /// Its turn was over although it saved enough.
    pub(super) paid: bool,
    /// A known failure was not tried again.
    pub(super) skipped: bool,
}

impl Report {
    /// Takes in what the pass did on one more file.
    pub(super) fn add(&mut self, file: Report) {
        self.progress |= file.progress;
        self.parked |= file.parked;
        self.paid |= file.paid;
        self.skipped |= file.skipped;
    }
}

impl Schedule {
    /// The tiers, each with its number of passes.
    pub(super) fn new(tiers: impl IntoIterator<Item = (Repeat, usize)>) -> Self {
        let tiers: Vec<TierState> = tiers
            .into_iter()
            .map(|(repeat, passes)| TierState {
                repeat,
                passes: vec![PassState::default(); passes],
                progress: false,
            })
            .collect();
        let home = tiers
            .iter()
            .position(|tier| matches!(tier.repeat, Repeat::Fixpoint | Repeat::Polish))
            .unwrap_or(tiers.len());
        let mut schedule = Schedule {
            tiers,
            at: 0,
            queue: vec![],
            round: Round::All,
            running: None,
            home,
            residue: false,
            thorough: false,
        };
        schedule.enter(0);
        schedule
    }

    /// The next turn, or `None` when the plan is through.
    pub(super) fn next(&mut self) -> Option<Turn> {
        loop {
            let tier = self.tiers.get(self.at)?;
            if let Some(pass) = self.queue.pop() {
                let state = tier.passes[pass];
                let budget = match (tier.repeat, self.round) {
                    (Repeat::Opening, _) => OPENING,
                    (Repeat::Turns, _) if state.again => AGAIN,
                    (Repeat::Turns, _) => TURN,
                    (Repeat::Glance, _) => GLANCE,
                    (Repeat::Once, _) | (_, Round::Parked) => PassBudget::UNLIMITED,
                    (_, Round::All) if state.fruitless => PROBATION,
                    _ => USUAL,
                };
                self.running = Some(pass);
                return Some(Turn {
                    tier: self.at,
                    pass,
                    budget,
                    thorough: self.thorough || tier.repeat == Repeat::Once,
                    last: self.thorough,
                    again: self.round == Round::Useful,
                });
            }
            self.end_of_round();
        }
    }

    /// Takes in the outcome of the last turn.
    pub(super) fn record(&mut self, report: Report) {
        let (Some(tier), Some(pass)) = (self.tiers.get_mut(self.at), self.running.take()) else {
            return;
        };
        let state = &mut tier.passes[pass];
        state.worked = report.progress;
        state.parked = report.parked;
        if !report.parked || report.progress {
            state.fruitless = !report.progress;
        }
        tier.progress |= report.progress;
        // In the last round nothing is left for another.
        self.residue |= report.skipped && !self.thorough;
        if report.progress {
            // The memo lets edits near this find, and edits with its names, be tried again.
            self.thorough = false;
        }
        if tier.repeat == Repeat::Turns {
            take_turns(&mut tier.passes, &mut self.queue, pass, report);
        }
    }

    fn enter(&mut self, tier: usize) {
        self.at = tier;
        if let Some(state) = self.tiers.get_mut(tier) {
            state.progress = false;
            self.begin(Round::All);
        }
    }

    fn begin(&mut self, round: Round) {
        self.round = round;
        let tier = &mut self.tiers[self.at];
        self.queue = (0..tier.passes.len())
            .rev()
            .filter(|&pass| match round {
                Round::All => true,
                Round::Useful => tier.passes[pass].worked,
                Round::Parked => tier.passes[pass].parked,
            })
            .collect();
        for state in &mut tier.passes {
            state.worked = false;
        }
    }

    fn end_of_round(&mut self) {
        let tier = &self.tiers[self.at];
        let worked = tier.passes.iter().any(|pass| pass.worked);
        let parked = tier.passes.iter().any(|pass| pass.parked);
        let below_home = self.at > self.home && tier.repeat == Repeat::Fixpoint;
        match (tier.repeat, self.round) {
            (Repeat::Opening | Repeat::Glance | Repeat::Turns | Repeat::Once, _) => self.leave(),
            _ if worked && below_home => self.enter(self.home),
            _ if worked => self.begin(Round::Useful),
            (_, Round::Useful) => self.begin(Round::All),
            (_, Round::All) if parked => self.begin(Round::Parked),
            _ => self.leave(),
        }
    }

    /// On to the next tier. But before the text is made prettier, and before the end, what was left
    /// untried is tried.
    fn leave(&mut self) {
        let is_polish = |tier: &TierState| tier.repeat == Repeat::Polish;
        let now = self.tiers.get(self.at).is_some_and(is_polish);
        let next = self.tiers.get(self.at + 1);
        let is_border = next.is_none_or(|next| is_polish(next) != now);
        if is_border && std::mem::take(&mut self.residue) {
            self.thorough = true;
            let first = self.tiers.iter().position(is_polish).filter(|_| now);
            self.enter(first.unwrap_or(self.home));
            return;
        }
        self.thorough &= !is_border;
        self.enter(self.at + 1);
    }
}

/// After a turn that found something, the coarser passes are looked at again before it is this
/// one's turn again or that of finer ones: less text, and less that uses what they are after. One
/// that is looked at in vain rests twice as long as the last time.
fn take_turns(passes: &mut [PassState], queue: &mut Vec<usize>, pass: usize, report: Report) {
    let state = &mut passes[pass];
    if report.progress {
        (state.rest, state.rested) = (0, 0);
    } else if state.again {
        state.rested = (2 * state.rested + 1).min(LONGEST_REST);
        state.rest = state.rested;
    }
    state.again = state.again && !report.progress;
    if !report.progress {
        return;
    }
    if report.paid {
        // Behind those that have not had a turn yet.
        queue.insert(0, pass);
    }
    for coarser in (0..pass).rev() {
        let state = &mut passes[coarser];
        if queue.contains(&coarser) {
            continue;
        }
        if state.rest > 0 {
            state.rest -= 1;
            continue;
        }
        state.again = true;
        queue.push(coarser);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Report = Report {
        progress: false,
        parked: false,
        paid: false,
        skipped: false,
    };
    const FOUND: Report = Report {
        progress: true,
        ..NOTHING
    };
    const SKIPPED: Report = Report {
        skipped: true,
        ..NOTHING
    };
    const PARKED: Report = Report {
        parked: true,
        ..NOTHING
    };
    const PAID: Report = Report {
        progress: true,
        parked: true,
        paid: true,
        ..NOTHING
    };

    /// Runs a schedule, taking the reports in order and `NOTHING` when they are used up.
    fn trace(mut schedule: Schedule, reports: &[Report]) -> Vec<(usize, usize, PassBudget)> {
        let mut reports = reports.iter();
        let mut turns = vec![];
        while let Some(turn) = schedule.next() {
            turns.push((turn.tier, turn.pass, turn.budget));
            schedule.record(reports.next().copied().unwrap_or(NOTHING));
            assert!(turns.len() < 1000, "no end");
        }
        turns
    }

    #[test]
    fn a_tier_that_runs_once_runs_once() {
        let schedule = Schedule::new([(Repeat::Opening, 2)]);
        assert_eq!(
            trace(schedule, &[FOUND, FOUND]),
            [(0, 0, OPENING), (0, 1, OPENING)]
        );
    }

    #[test]
    fn an_algorithm_by_itself_runs_to_its_end() {
        let schedule = Schedule::new([(Repeat::Once, 1)]);
        assert_eq!(trace(schedule, &[PARKED]), [(0, 0, PassBudget::UNLIMITED)]);
    }

    #[test]
    fn passes_that_worked_run_again_and_then_all_once_more() {
        let schedule = Schedule::new([(Repeat::Fixpoint, 2)]);
        let turns = trace(schedule, &[NOTHING, FOUND]);
        let order: Vec<_> = turns.iter().map(|turn| (turn.1, turn.2)).collect();
        assert_eq!(
            order,
            [
                (0, USUAL),
                (1, USUAL),
                (1, USUAL),
                (0, PROBATION),
                (1, PROBATION)
            ]
        );
    }

    #[test]
    fn a_parked_pass_is_made_to_finish_before_the_end() {
        let schedule = Schedule::new([(Repeat::Fixpoint, 1)]);
        let turns = trace(schedule, &[FOUND, NOTHING, PARKED]);
        let budgets: Vec<PassBudget> = turns.iter().map(|turn| turn.2).collect();
        assert_eq!(budgets, [USUAL, USUAL, PROBATION, PassBudget::UNLIMITED]);
    }

    #[test]
    fn a_find_in_a_lower_tier_sends_the_run_back_up() {
        let tiers = [
            (Repeat::Once, 1),
            (Repeat::Fixpoint, 1),
            (Repeat::Fixpoint, 1),
        ];
        let turns = trace(Schedule::new(tiers), &[NOTHING, NOTHING, FOUND]);
        let order: Vec<usize> = turns.iter().map(|turn| turn.0).collect();
        assert_eq!(order, [0, 1, 2, 1, 2]);
    }

    #[test]
    fn polishing_never_sends_the_run_back_up() {
        let tiers = [(Repeat::Fixpoint, 1), (Repeat::Polish, 1)];
        let turns = trace(Schedule::new(tiers), &[NOTHING, FOUND]);
        let order: Vec<usize> = turns.iter().map(|turn| turn.0).collect();
        assert_eq!(order, [0, 1, 1, 1]);
    }

    #[test]
    fn coarser_passes_are_looked_at_again_and_finer_ones_come_before_the_next_turn() {
        let schedule = Schedule::new([(Repeat::Turns, 3)]);
        let turns = trace(schedule, &[NOTHING, PAID, NOTHING, NOTHING, FOUND]);
        let order: Vec<_> = turns.iter().map(|turn| (turn.1, turn.2)).collect();
        assert_eq!(
            order,
            [
                (0, TURN),
                (1, TURN),
                (0, AGAIN),
                (2, TURN),
                (1, TURN),
                // The first was looked at in vain and sits this one out.
            ]
        );
    }

    #[test]
    fn a_pass_that_is_looked_at_in_vain_rests_longer_each_time() {
        let mut schedule = Schedule::new([(Repeat::Turns, 2)]);
        // How many turns of the finer pass came before each of the coarser one.
        let mut coarse = vec![];
        for turn in 0..40 {
            let Some(next) = schedule.next() else { break };
            if next.pass == 0 {
                coarse.push(turn - coarse.len());
            }
            schedule.record(match next.pass {
                0 => NOTHING,
                _ => PAID,
            });
        }
        assert_eq!(coarse[..4], [0, 1, 3, 7]);
    }

    #[test]
    fn an_empty_plan_has_no_turns() {
        assert_eq!(trace(Schedule::new([]), &[]), []);
        assert_eq!(trace(Schedule::new([(Repeat::Fixpoint, 0)]), &[]), []);
    }

    #[test]
    fn what_was_left_untried_is_tried_before_polishing_and_before_the_end() {
        let tiers = [
            (Repeat::Opening, 1),
            (Repeat::Fixpoint, 1),
            (Repeat::Polish, 1),
        ];
        let mut schedule = Schedule::new(tiers);
        let mut reports = [NOTHING, SKIPPED, FOUND, SKIPPED, NOTHING, NOTHING, SKIPPED].iter();
        let mut turns = vec![];
        while let Some(turn) = schedule.next() {
            turns.push((turn.tier, turn.thorough));
            schedule.record(*reports.next().unwrap_or(&NOTHING));
        }
        let expected = [
            (0, false),
            (1, false),
            // All that was skipped, once more; a find means that the rest need not be.
            (1, true),
            (1, false),
            (1, false),
            (1, true),
            (2, false),
            (2, true),
        ];
        assert_eq!(turns, expected);
    }
}
