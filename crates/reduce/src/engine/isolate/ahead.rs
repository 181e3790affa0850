//! Which configurations [`Dd`] is likely to ask about next.
//!
//! As in [speculation](crate::engine::prefetch), with three futures at each test instead of two.

use super::search::{Compared, answer};
use crate::edit::Fingerprint;
use crate::engine::cache::Cache;
use crate::engine::success_rate::SuccessRate;
use crate::input::Input;
use crate::isolate::{Answer, Dd};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How often each answer comes, lately.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnswerRates([(Answer, SuccessRate); 3]);

impl Default for AnswerRates {
    fn default() -> Self {
        let rate = |rate| SuccessRate::new(rate, 0.8, 0.02..=1.0);
        AnswerRates([
            (Answer::Fail, rate(0.4)),
            (Answer::Pass, rate(0.4)),
            (Answer::Unresolved, rate(0.2)),
        ])
    }
}

impl AnswerRates {
    pub(super) fn record(&mut self, now: Answer) {
        for (answer, rate) in &mut self.0 {
            rate.record(now == *answer);
        }
    }

    /// Answers with their probability.
    fn shares(self) -> impl Iterator<Item = (Answer, f64)> {
        let [fail, pass, unresolved] = self.0.map(|(_, rate)| rate.rate());
        let sum = fail + pass + unresolved;
        self.0
            .into_iter()
            .map(move |(answer, rate)| (answer, rate.rate() / sum))
    }
}

struct Future {
    probability: f64,
    /// Order of discovery, so that equal odds have one order.
    born: u32,
    dd: Dd,
}

/// Paths less likely than this are not worth a worker.
const TOO_UNLIKELY: f64 = 0.02;

/// Configurations whose fingerprints are remembered.
const PRINTS: usize = 1 << 12;

/// The `count` configurations most likely to be asked about after the present one, whose verdict
/// is awaited; the most likely first.
pub(super) fn likely(
    present: &Dd,
    asked: Fingerprint,
    rates: AnswerRates,
    compared: &mut Compared,
    cache: &Cache,
    count: usize,
) -> Vec<(Fingerprint, Input)> {
    if compared.prints.len() > PRINTS {
        compared.prints.clear();
    }
    let mut found: Vec<(Fingerprint, Input)> = Vec::with_capacity(count);
    let mut futures = Futures::default();
    futures.part(1.0, present, rates);
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
        if print != asked && !found.iter().any(|likely| likely.0 == print) {
            found.push((print, compared.candidate(&set).0));
        }
        futures.part(future.probability, &future.dd, rates);
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
    /// Splits a future at a test whose verdict is unknown.
    fn part(&mut self, probability: f64, dd: &Dd, rates: AnswerRates) {
        for (answer, share) in rates.shares() {
            self.born += 1;
            let mut future = dd.fork();
            future.record(answer);
            self.heap.push(Future {
                probability: probability * share,
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
