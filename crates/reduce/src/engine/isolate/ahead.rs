//! Which configurations [`Dd`] is likely to ask about next.
//!
//! As in [`speculate`](super::super::speculate), with three futures at each test instead of two.

use super::{Compared, answer};
use crate::edit::Fingerprint;
use crate::engine::cache::Cache;
use crate::isolate::{Answer, ChangeSet, Dd};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How often each answer comes, lately.
#[derive(Clone, Copy, Debug)]
pub(super) struct Odds {
    fail: f64,
    pass: f64,
    unresolved: f64,
}

/// Weight of the past in the moving averages.
const DECAY: f64 = 0.8;

impl Default for Odds {
    fn default() -> Self {
        Odds {
            fail: 0.4,
            pass: 0.4,
            unresolved: 0.2,
        }
    }
}

impl Odds {
    pub(super) fn record(&mut self, now: Answer) {
        let step = |odds: &mut f64, answer| {
            let share = f64::from(u8::from(now == answer));
            // No answer is ever ruled out.
            *odds = (*odds * DECAY + share * (1.0 - DECAY)).max(0.02);
        };
        step(&mut self.fail, Answer::Fail);
        step(&mut self.pass, Answer::Pass);
        step(&mut self.unresolved, Answer::Unresolved);
    }
}

/// A configuration that may be asked about.
pub(super) struct Likely {
    pub(super) print: Fingerprint,
    pub(super) set: ChangeSet,
}

struct Future {
    probability: f64,
    /// Order of discovery, so that equal odds have one order.
    born: u32,
    dd: Dd,
}

/// Paths less likely than this are not worth a worker.
const TOO_UNLIKELY: f64 = 0.02;

/// Configurations whose looks are remembered.
const PRINTS: usize = 1 << 12;

/// The `count` configurations most likely to be asked about after the present one, whose verdict
/// is awaited; the most likely first.
pub(super) fn likely(
    present: &Dd,
    asked: Fingerprint,
    odds: Odds,
    compared: &mut Compared,
    cache: &Cache,
    count: usize,
) -> Vec<Likely> {
    if compared.prints.len() > PRINTS {
        compared.prints.clear();
    }
    let mut found: Vec<Likely> = Vec::with_capacity(count);
    let mut futures = Futures::default();
    futures.part(1.0, present, odds);
    // Known verdicts are walked through; the bound is for rounds that hold nothing else.
    let mut steps = 16 * count;
    while let Some(mut future) = futures.heap.pop() {
        steps = steps.saturating_sub(1);
        if found.len() >= count || steps == 0 || future.probability < TOO_UNLIKELY {
            break;
        }
        let Some(set) = future.dd.next() else {
            continue;
        };
        let print = match compared.prints.get(&set) {
            Some(&print) => print,
            None => {
                let print = compared.candidate(&set).1;
                compared.prints.insert(set.clone(), print);
                print
            }
        };
        if let Some(kind) = cache.peek(print) {
            future.dd.record(answer(kind));
            futures.heap.push(future);
            continue;
        }
        if print != asked && !found.iter().any(|likely| likely.print == print) {
            found.push(Likely { print, set });
        }
        futures.part(future.probability, &future.dd, odds);
    }
    found
}

/// The futures not looked at yet, the most probable first.
#[derive(Default)]
struct Futures {
    heap: BinaryHeap<Future>,
    born: u32,
}

impl Futures {
    /// A test with an unknown verdict: from here on there are three futures.
    fn part(&mut self, probability: f64, dd: &Dd, odds: Odds) {
        let sum = odds.fail + odds.pass + odds.unresolved;
        for (answer, share) in [
            (Answer::Fail, odds.fail),
            (Answer::Pass, odds.pass),
            (Answer::Unresolved, odds.unresolved),
        ] {
            self.born += 1;
            let mut future = dd.fork();
            future.record(answer);
            self.heap.push(Future {
                probability: probability * share / sum,
                born: self.born,
                dd: future,
            });
        }
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
