use super::pass_budget::PassBudget;
use crate::plan::Repeat;

/// The budget of a pass that runs once, at the beginning. The pass ends when it saves less than a
/// hundredth in 32 tests, or when most of the text is in units that are known to be needed.
const OPENING: PassBudget = PassBudget {
    tests: 32,
    share: 100,
    undecided: 4,
    ..PassBudget::UNLIMITED
};

/// The budgets of a pass that takes turns with others: of its first turn, and of its turns after
/// one and two unproductive ones. A turn is unproductive if it saves less than this share of the
/// text in this number of tests. The first turns are short, since it is not known in advance which
/// pass pays.
const TURNS: [PassBudget; 3] = [turn(12, 30), turn(32, 30), turn(64, 30)];

const fn turn(tests: u64, share: u64) -> PassBudget {
    PassBudget {
        tests,
        share,
        is_turn: true,
        ..OPENING
    }
}

/// Returns the budget of a pass whose last turns paid. Its turns become longer, since it starts
/// over in each of them.
const fn paid_turn(times: u32) -> PassBudget {
    match times {
        0 | 1 => turn(32, 30),
        _ => turn(64, 30),
    }
}

/// The budget of a pass that runs again since finer passes have found something.
const AGAIN: PassBudget = PassBudget {
    failures: 3,
    ..turn(8, 60)
};

/// The largest number of turns of finer passes before a pass runs again whose last repetition was
/// unproductive.
const LONGEST_REST: u32 = 16;

/// The budget of a pass in a tier that repeats.
const USUAL: PassBudget = PassBudget {
    tests: 64,
    share: 400,
    ..PassBudget::UNLIMITED
};

/// The budget of a pass whose last complete run found nothing.
const PROBATION: PassBudget = PassBudget {
    failures: 25,
    ..PassBudget::UNLIMITED
};

/// The choice of the next pass: a state machine that knows neither passes nor inputs, only the
/// reports of runs.
///
/// The rules come from the schedulers of Shrink Ray and Hypothesis. A tier that repeats runs all
/// its passes. It then runs only the passes that had a success. When none of them has another
/// success, it runs all passes once more. A pass that removes too little is parked, after fewer
/// tests if its last complete run had no success. A parked pass runs to its end when no other pass
/// has a success.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    tiers: Vec<TierState>,
    at: usize,
    /// The passes that have not run yet in this round.
    queue: Vec<usize>,
    round: Round,
    running: Option<usize>,
    /// The tier to return to after a lower tier has had a success.
    home: usize,
    /// Whether a known failure was dropped and not tried again since.
    residue: bool,
    /// Whether this is the last round over the tiers so far, which tries known failures again.
    thorough: bool,
}

#[derive(Clone, Debug)]
struct TierState {
    repeat: Repeat,
    passes: Vec<PassState>,
    /// Whether a pass of this tier has changed the size of the input in this round.
    resized: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct PassState {
    /// Whether the last complete run had no success.
    fruitless: bool,
    /// Whether the last run ended while the pass still had proposals.
    parked: bool,
    /// Whether the pass has had a success in this round.
    worked: bool,
    /// Whether the pass runs again since finer passes had a success, in a tier of turns.
    again: bool,
    /// The number of turns of finer passes before the pass runs again.
    rest: u32,
    /// The last value to which `rest` was set.
    rested: u32,
    /// The number of unproductive turns since the last productive turn, in a tier of turns.
    unproductive_turns: usize,
    /// The number of productive turns in a row.
    paid: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    /// All passes. Passes whose last complete run had no success are on probation.
    All,
    /// The passes that had a success in the previous round.
    Useful,
    /// The parked passes, which run to their end.
    Parked,
}

/// A pass to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) tier: usize,
    pub(super) pass: usize,
    pub(super) budget: PassBudget,
    /// Whether the pass continues where its last turn ended.
    pub(super) resumes: bool,
    /// Whether known failures are tried again although the text near them has not changed.
    pub(super) thorough: bool,
    /// Whether the pass only runs to try known failures again.
    pub(super) last: bool,
    /// Whether all passes run once more before the tier is left. A pass that had no success on a
    /// file can then omit the file if only other files have changed.
    pub(super) again: bool,
}

/// The outcome of a turn. The default value is the outcome of a turn without proposals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    /// Whether a candidate was adopted.
    pub(super) progress: bool,
    /// Whether the size of the input has changed, or the order does not compare by size.
    pub(super) resized: bool,
    /// Whether the pass ended while it still had proposals.
    pub(super) parked: bool,
    /// Whether the turn ended although the pass removed enough.
    pub(super) paid: bool,
    /// Whether a known failure was not tried again.
    pub(super) skipped: bool,
}

impl Report {
    /// Adds the outcome of the pass on another file.
    pub(super) fn add(&mut self, file: Report) {
        self.progress |= file.progress;
        self.resized |= file.resized;
        self.parked |= file.parked;
        self.paid |= file.paid;
        self.skipped |= file.skipped;
    }
}

impl Schedule {
    /// Creates the schedule of a plan from its tiers, each with its number of passes.
    pub(super) fn new(tiers: impl IntoIterator<Item = (Repeat, usize)>) -> Self {
        let mut polishes = false;
        let tiers: Vec<TierState> = tiers
            .into_iter()
            .map(|(repeat, passes)| {
                polishes |= repeat == Repeat::Polish;
                TierState {
                    // A fixpoint would return the run again and again: each time, tiers drop known
                    // failures.
                    repeat: match repeat {
                        Repeat::Fixpoint if polishes => Repeat::Polish,
                        repeat => repeat,
                    },
                    passes: vec![PassState::default(); passes],
                    resized: false,
                }
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

    /// Returns the next turn, or `None` at the end of the plan.
    pub(super) fn next(&mut self) -> Option<Turn> {
        loop {
            let tier = self.tiers.get(self.at)?;
            if let Some(pass) = self.queue.pop() {
                let state = tier.passes[pass];
                let budget = match (tier.repeat, self.round) {
                    (Repeat::Opening, _) => OPENING,
                    (Repeat::Turns, _) if state.again => AGAIN,
                    (Repeat::Turns, _) if state.paid > 0 => paid_turn(state.paid),
                    (Repeat::Turns, _) => TURNS[state.unproductive_turns.min(TURNS.len() - 1)],
                    (Repeat::Once, _) | (_, Round::Parked) => PassBudget::UNLIMITED,
                    (_, Round::All) if state.fruitless => PROBATION,
                    _ => USUAL,
                };
                self.running = Some(pass);
                return Some(Turn {
                    tier: self.at,
                    pass,
                    budget,
                    resumes: tier.repeat == Repeat::Turns && !state.again,
                    thorough: self.thorough || tier.repeat == Repeat::Once,
                    last: self.thorough,
                    again: self.round == Round::Useful,
                });
            }
            self.end_of_round();
        }
    }

    /// Records the outcome of the last turn.
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
        tier.resized |= report.resized;
        // The last round tries known failures again, so it leaves none for another round.
        self.residue |= report.skipped && !self.thorough;
        if report.progress {
            // The memo allows edits near the adopted edit, and edits with its names, once more.
            self.thorough = false;
        }
        if tier.repeat == Repeat::Turns {
            take_turns(&mut tier.passes, &mut self.queue, pass, report);
        }
    }

    fn enter(&mut self, tier: usize) {
        self.at = tier;
        if tier < self.tiers.len() {
            self.begin(Round::All);
        }
    }

    fn begin(&mut self, round: Round) {
        self.round = round;
        let tier = &mut self.tiers[self.at];
        tier.resized = false;
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
            (Repeat::Opening | Repeat::Turns | Repeat::Once, _) => self.leave(),
            // Where a name was only replaced by another as long, coarser passes find nothing new.
            _ if tier.resized && below_home => self.enter(self.home),
            _ if worked => self.begin(Round::Useful),
            (_, Round::Useful) => self.begin(Round::All),
            (_, Round::All) if parked => self.begin(Round::Parked),
            _ => self.leave(),
        }
    }

    /// Enters the next tier. But before the tiers that polish, and before the end, dropped known
    /// failures are tried again.
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

/// Updates the queue of a tier of turns. A pass that paid comes before those with an
/// unproductive turn. After a turn that found something, the coarser passes run again before the
/// next turn, since less text is left, and less of it uses the units that they remove. A pass whose
/// repetition is unproductive rests for twice as many turns as the last time.
fn take_turns(passes: &mut [PassState], queue: &mut Vec<usize>, pass: usize, report: Report) {
    let state = &mut passes[pass];
    if report.progress {
        (state.rest, state.rested) = (0, 0);
    } else if state.again {
        state.rested = (2 * state.rested + 1).min(LONGEST_REST);
        state.rest = state.rested;
    }
    let was_again = state.again;
    state.again = was_again && !report.progress;
    if report.paid {
        (state.unproductive_turns, state.paid) = (0, state.paid + 1);
    } else if !was_again {
        (state.unproductive_turns, state.paid) = (state.unproductive_turns + 1, 0);
    }
    let (is_paid, unproductive_turns) = (report.paid, state.unproductive_turns);
    // The queue is taken from its end: first the passes that have had no turn, then those that
    // paid, then those with an unproductive turn.
    if is_paid {
        let behind = queue
            .iter()
            .take_while(|&&pass| passes[pass].unproductive_turns > 0);
        queue.insert(behind.count(), pass);
    } else if report.parked && !was_again && unproductive_turns < TURNS.len() {
        queue.insert(0, pass);
    }
    if !report.progress {
        return;
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
        resized: false,
        parked: false,
        paid: false,
        skipped: false,
    };
    const FOUND: Report = Report {
        progress: true,
        resized: true,
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
        resized: true,
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
    fn a_find_that_saves_nothing_does_not_send_the_run_back_up() {
        let tiers = [(Repeat::Fixpoint, 1), (Repeat::Fixpoint, 1)];
        let renamed = Report {
            resized: false,
            ..FOUND
        };
        let turns = trace(Schedule::new(tiers), &[NOTHING, renamed]);
        let order: Vec<usize> = turns.iter().map(|turn| turn.0).collect();
        assert_eq!(order, [0, 1, 1, 1]);
    }

    #[test]
    fn an_unproductive_pass_gets_longer_turns_after_all_others() {
        let turns = trace(Schedule::new([(Repeat::Turns, 2)]), &[PARKED; 9]);
        let order: Vec<_> = turns.iter().map(|turn| (turn.1, turn.2)).collect();
        let expected: Vec<_> = TURNS
            .iter()
            .flat_map(|&budget| [(0, budget), (1, budget)])
            .collect();
        assert_eq!(order, expected);
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
                (0, TURNS[0]),
                (1, TURNS[0]),
                (0, AGAIN),
                (2, TURNS[0]),
                (1, paid_turn(1)),
                // The repetition of the first pass was unproductive, so the pass rests for one
                // turn.
            ]
        );
    }

    #[test]
    fn an_unproductive_pass_rests_longer_each_time() {
        let mut schedule = Schedule::new([(Repeat::Turns, 2)]);
        // The number of turns of the finer pass before each turn of the coarser one.
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
    fn a_tier_behind_one_that_polishes_does_not_send_the_run_back() {
        let mut schedule =
            Schedule::new([Repeat::Fixpoint, Repeat::Polish, Repeat::Fixpoint].map(|it| (it, 1)));
        let mut turns = vec![];
        // Known failures are dropped in every turn in which the schedule allows this.
        while let Some(turn) = schedule.next() {
            turns.push((turn.tier, turn.thorough));
            schedule.record(if turn.thorough { NOTHING } else { SKIPPED });
            assert!(turns.len() < 1000, "no end");
        }
        let both = |tier| [(tier, false), (tier, true)];
        let expected = [
            both(0).to_vec(),
            vec![(1, false), (2, false), (1, true), (2, true)],
        ];
        assert_eq!(turns, expected.concat());
    }

    #[test]
    fn an_empty_plan_has_no_turns() {
        assert_eq!(trace(Schedule::new([]), &[]), []);
        assert_eq!(trace(Schedule::new([(Repeat::Fixpoint, 0)]), &[]), []);
    }

    #[test]
    fn untried_proposals_are_tried_before_polishing_and_before_the_end() {
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
            // The dropped proposals are tried again, until one of them is adopted.
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
