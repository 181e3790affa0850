//! The search for configurations that [`Dd`] is likely to test next.
//!
//! The search works as in a reduction, but each test has three futures instead of two.

use super::compared::Compared;
use super::{Answer, Dd};
use crate::{Cache, Futures, SuccessRate};
use nubbin_edit::Input;

/// The recent rate of each answer.
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

    /// Returns the answers with their probabilities.
    fn shares(self) -> impl Iterator<Item = (Answer, f64)> {
        let [fail, pass, unresolved] = self.0.map(|(_, rate)| rate.rate());
        let sum = fail + pass + unresolved;
        self.0
            .into_iter()
            .map(move |(answer, rate)| (answer, rate.rate() / sum))
    }
}

/// Returns the `count` most likely configurations after the current one, whose verdict has not
/// arrived. The most likely configuration is the first.
pub(super) fn likely(
    present: &Dd,
    asked: &Input,
    rates: AnswerRates,
    compared: &mut Compared,
    cache: &Cache,
    count: usize,
) -> Vec<Input> {
    compared.trim();
    let mut found: Vec<Input> = Vec::with_capacity(count);
    let mut futures = Futures::new(16 * count);
    part(&mut futures, 1.0, present, rates);
    while found.len() < count
        && let Some(mut future) = futures.next()
    {
        let Some(set) = future.state.next() else {
            continue;
        };
        let print = compared.fingerprint(&set);
        if let Some(kind) = cache.peek(print) {
            future.state.record(Answer::from(kind));
            futures.put_back(future);
            continue;
        }
        if print != asked.fingerprint() && !found.iter().any(|next| next.fingerprint() == print) {
            found.push(compared.candidate(&set));
        }
        part(&mut futures, future.probability, &future.state, rates);
    }
    found
}

/// Splits a future at a test whose verdict is unknown.
fn part(futures: &mut Futures<Dd>, probability: f64, dd: &Dd, rates: AnswerRates) {
    for (answer, share) in rates.shares() {
        let mut future = dd.fork();
        future.record(answer);
        futures.add(probability * share, future);
    }
}
