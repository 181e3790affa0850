//! Which tests are likely to be asked for next.
//!
//! A machine that waits for a verdict has two futures. Forked and told either verdict, it says
//! what it would test next, and so on: a tree of futures, never built, walked along its most
//! probable paths only. The tests met on the way, in that order, are what further workers do.
//!
//! Their verdicts are facts about candidates, so they go to the cache like any other. Nothing is
//! adopted because of them: a success that the logical path does not get to would skip units that
//! the path to it assumed to fail, which costs more tests later than it saves now.
//!
//! Source: the bisection tree of halfempty (Ormandy, 2018), with measured odds in place of the
//! assumption that every test fails.

use super::cache::Cache;
use super::merging::{Merging, State};
use super::scout::Scouts;
use super::settled::{Proposed, Settled};
use crate::edit::{Applied, Edit, Fingerprint};
use crate::input::Input;
use crate::work::Machine;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How often the machine at work succeeds, after a success and after a failure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Odds {
    after_success: f64,
    after_failure: f64,
}

/// Weight of the past in the moving averages.
const DECAY: f64 = 0.9;

impl Default for Odds {
    fn default() -> Self {
        Odds {
            after_success: 0.5,
            after_failure: 0.15,
        }
    }
}

impl Odds {
    pub(super) fn record(&mut self, last: bool, now: bool) {
        let average = if last {
            &mut self.after_success
        } else {
            &mut self.after_failure
        };
        *average = (*average * DECAY + f64::from(u8::from(now)) * (1.0 - DECAY)).clamp(0.03, 0.97);
    }

    fn success(&self, last: bool) -> f64 {
        if last {
            self.after_success
        } else {
            self.after_failure
        }
    }
}

/// A test that may be asked for.
pub(super) struct Likely {
    pub(super) print: Fingerprint,
    /// How likely.
    pub(super) probability: f64,
    /// The proposal, where finds are merged and it is put to the base as it is, not to what it would have
    /// become.
    pub(super) proposal: Option<Edit>,
    /// What is tested, as an edit of the base.
    pub(super) edit: Edit,
    /// The candidate, where it was made on the way.
    pub(super) input: Option<Input>,
}

/// Fingerprints of what edits make of the present base, so that a future that is looked at again
/// and again need not be rendered each time.
pub(super) type Prints = FxHashMap<Edit, Fingerprint>;

/// The present, from which the futures start: a test whose verdict is awaited.
pub(super) struct Present<'a> {
    /// The machine that asked for the test, the verdict not yet recorded.
    pub(super) machine: &'a dyn Machine,
    /// What is tested, as an edit of the base.
    pub(super) edit: &'a Edit,
    pub(super) print: Fingerprint,
    /// The verdict before.
    pub(super) last: bool,
    pub(super) odds: Odds,
    /// Failures in a row after which the pass ends.
    pub(super) patience: u32,
    pub(super) base: &'a Input,
    /// From the input the machine was opened on to the base.
    pub(super) applied: &'a Applied,
    pub(super) cache: &'a Cache,
    pub(super) scouts: &'a Scouts,
    /// What further workers know of proposals, where that is believed.
    pub(super) merging: Option<&'a Merging<Input>>,
    /// What is not tried again,
    pub(super) settled: &'a Settled,
    /// unless everything is.
    pub(super) thorough: bool,
    /// The passes that come next if nothing more is found, opened on the base.
    pub(super) stages: &'a [&'a Stage],
}

/// A pass that comes next if nothing more is found, opened.
pub(super) struct Stage {
    pub(super) machine: Box<dyn Machine>,
    /// Everything is tried in it, whatever failed before.
    pub(super) thorough: bool,
    /// Failures in a row after which it ends.
    pub(super) patience: u32,
}

impl Present<'_> {
    /// A proposal of a future, as an edit of the base.
    fn edit(&self, future: &Future, proposal: &Edit) -> Option<Edit> {
        match future.stage {
            0 => self.applied.rebase(proposal).ok(),
            // It was opened on the base.
            _ => Some(proposal.clone()),
        }
    }

    /// Whether a proposal, as an edit of the base, would not be tried.
    fn is_settled(&self, future: &Future, edit: &Edit) -> bool {
        let thorough = match future.stage {
            0 => self.thorough,
            stage => self.stages[stage - 1].thorough,
        };
        if thorough {
            return false;
        }
        let rebase = |edit: &Edit| self.edit(future, edit);
        let proposed = future.machine.taken().map(|taken| Proposed {
            taken,
            rebase: &rebase,
        });
        self.settled.knows(self.base.bytes(), edit, proposed)
    }

    /// How likely it is that what a future asks now succeeds.
    fn success(&self, future: &Future) -> f64 {
        if future.stage > 0 {
            return Odds::default().success(future.last);
        }
        future
            .machine
            .taken()
            .and_then(|taken| self.scouts.odds(taken.units))
            .unwrap_or_else(|| self.odds.success(future.last))
    }
}

struct Future {
    probability: f64,
    /// Order of discovery, so that equal odds have one order.
    born: u32,
    /// The pass it is in: that at work, or how many after it.
    stage: usize,
    /// Failures in a row after which that ends.
    patience: u32,
    machine: Box<dyn Machine>,
    /// What this future has adopted beyond the base.
    assumed: Edit,
    last: bool,
}

/// Paths less likely than this are not worth a worker.
const TOO_UNLIKELY: f64 = 0.02;

/// What is likely to be asked for.
pub(super) struct Found {
    /// The most likely first.
    pub(super) tests: Vec<Likely>,
    /// There would be more to say if one more of the passes to come were opened.
    pub(super) is_at_end: bool,
}

impl Future {
    /// It goes on in the next pass; `None` where that is not known.
    fn turn_to(mut self, stages: &[&Stage]) -> Option<Future> {
        let next = stages.get(self.stage)?;
        self.stage += 1;
        self.machine = next.machine.fork();
        self.patience = next.patience;
        self.last = false;
        Some(self)
    }

    /// What it asked still failed: `tested` is gone from the base.
    fn succeed(&mut self, tested: Edit) {
        self.machine.record(true);
        self.last = true;
        self.assumed = tested;
    }

    /// What it asked did not.
    fn miss(&mut self) {
        self.machine.record(false);
        self.last = false;
        self.patience = self.patience.saturating_sub(1);
    }
}

/// How likely it is that what could go by itself can go with the rest.
const FOUND: f64 = 0.95;

/// The `count` tests most likely to be asked for after the present one.
/// `refuses` says of a candidate whether it would not be tested.
pub(super) fn likely(
    present: &Present<'_>,
    count: usize,
    prints: &mut Prints,
    refuses: &mut dyn FnMut(&Input, Fingerprint) -> bool,
    mut spare: impl FnMut() -> Vec<u8>,
) -> Found {
    let mut found: Vec<Likely> = Vec::with_capacity(count);
    let mut is_at_end = false;
    let mut futures = Futures::default();
    let root = Future {
        probability: 1.0,
        born: 0,
        stage: 0,
        patience: present.patience,
        machine: present.machine.fork(),
        assumed: Edit::none(),
        last: present.last,
    };
    let success = present.success(&root);
    futures.part(root, present.edit.clone(), success);
    // Known verdicts and void proposals are walked through; the bound is for machines that make
    // nothing else.
    let mut steps = 16 * count;
    while let Some(mut future) = futures.heap.pop() {
        steps = steps.saturating_sub(1);
        if found.len() >= count || steps == 0 || future.probability < TOO_UNLIKELY {
            break;
        }
        let proposal = match future.patience {
            0 => None,
            _ => future.machine.next(),
        };
        let Some(proposal) = proposal else {
            // After a success, the next pass is opened on another text.
            if future.assumed.is_none() {
                match future.turn_to(present.stages) {
                    Some(next) => futures.heap.push(next),
                    None => is_at_end = true,
                }
            }
            continue;
        };
        let known_by = future.machine.known_by();
        let edit = if known_by.is_some() {
            Some(proposal.of_all(present.base.bytes().len()))
        } else {
            let edit = present.edit(&future, &proposal);
            edit.filter(|edit| !present.is_settled(&future, edit))
                .and_then(|edit| future.assumed.combine(&edit).ok())
        };
        // What is known of proposals is known of those of the pass at work.
        let merging = present.merging.filter(|_| future.stage == 0);
        let state = merging.and_then(|merging| merging.state(&proposal));
        let in_vain = merging.is_some_and(|merging| merging.would_be_in_vain(&proposal));
        let Some(edit) = edit.filter(|edit| *edit != future.assumed && !in_vain) else {
            let gone = merging.is_some_and(|merging| !in_vain && merging.would_be_done(&proposal));
            future.machine.record(gone);
            futures.heap.push(future);
            continue;
        };
        let (input, print) = match known_by.or_else(|| prints.get(&edit).copied()) {
            Some(print) => (None, print),
            None => {
                let (input, print) = present.base.apply_in(&edit, spare());
                if refuses(&input, print) {
                    future.machine.record(false);
                    futures.heap.push(future);
                    continue;
                }
                prints.insert(edit.clone(), print);
                (Some(input), print)
            }
        };
        if let Some(kind) = present.cache.peek(print) {
            if kind.is_fail() {
                future.succeed(edit);
            } else {
                future.miss();
            }
            futures.heap.push(future);
            continue;
        }
        let is_bare = merging.is_some() && known_by.is_none() && future.assumed.is_none();
        let is_asked = matches!(state, Some(State::Asked(_) | State::Found));
        if print != present.print && !is_asked && !found.iter().any(|likely| likely.print == print)
        {
            found.push(Likely {
                print,
                probability: future.probability,
                proposal: is_bare.then(|| proposal.clone()),
                edit: edit.clone(),
                input,
            });
        }
        let success = match state {
            Some(State::Found) => FOUND,
            _ => present.success(&future),
        };
        futures.part(future, edit, success);
    }
    Found {
        tests: found,
        is_at_end,
    }
}

/// The futures not looked at yet, the most probable first.
#[derive(Default)]
struct Futures {
    heap: BinaryHeap<Future>,
    born: u32,
}

impl Futures {
    /// A test with an unknown verdict: from here on there are two futures.
    fn part(&mut self, mut fails: Future, tested: Edit, success: f64) {
        let mut succeeds = Future {
            probability: fails.probability * success,
            born: self.born + 1,
            stage: fails.stage,
            patience: fails.patience,
            machine: fails.machine.fork(),
            assumed: Edit::none(),
            last: fails.last,
        };
        succeeds.succeed(tested);
        self.heap.push(succeeds);
        self.born += 2;
        fails.miss();
        fails.probability *= 1.0 - success;
        fails.born = self.born;
        self.heap.push(fails);
    }
}

impl PartialEq for Future {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Future {}

impl PartialOrd for Future {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Future {
    fn cmp(&self, other: &Self) -> Ordering {
        self.probability
            .total_cmp(&other.probability)
            .then(other.born.cmp(&self.born))
    }
}
