//! How long tests take, and which take much longer than others.

use crate::edit::Fingerprint;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// A test that takes so many times as long as others do is late.
const LATE: u32 = 4;

/// Weight of the past in the moving average: a half and a half again, three times.
const PAST: u32 = 7;

/// The tests under way, and what a test usually takes.
#[derive(Default)]
pub(super) struct Pace {
    begun: FxHashMap<Fingerprint, Duration>,
    usual: Option<Duration>,
}

impl Pace {
    /// A test begins.
    pub(super) fn begin(&mut self, print: Fingerprint, now: Duration) {
        self.begun.insert(print, now);
    }

    /// A test has ended, with or without a verdict. A late one counts as just late, so that a few of them
    /// do not make late what is usual.
    pub(super) fn end(&mut self, print: Fingerprint, now: Duration, answered: bool) {
        let Some(begun) = self.begun.remove(&print).filter(|_| answered) else {
            return;
        };
        let took = now.saturating_sub(begun);
        self.usual = Some(match self.usual {
            None => took,
            Some(usual) => (usual * PAST + took.min(usual * LATE)) / (PAST + 1),
        });
    }

    /// Whether a test has been under way for much longer than is usual.
    pub(super) fn is_late(&self, print: Fingerprint, now: Duration) -> bool {
        let begun = self.begun.get(&print);
        begun
            .zip(self.usual)
            .is_some_and(|(begun, usual)| now.saturating_sub(*begun) > usual * LATE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn late_is_what_takes_much_longer_than_others() {
        let mut pace = Pace::default();
        let (first, second) = (Fingerprint(1), Fingerprint(2));
        pace.begin(first, ms(0));
        // There is nothing yet to go by.
        assert!(!pace.is_late(first, ms(10_000)));
        pace.end(first, ms(100), true);
        pace.begin(second, ms(1_000));
        assert!(!pace.is_late(second, ms(1_400)));
        assert!(pace.is_late(second, ms(1_401)));
        assert!(!pace.is_late(first, ms(10_000)));
    }

    #[test]
    fn what_was_called_off_says_nothing_and_a_late_test_not_much() {
        let mut pace = Pace::default();
        let mut take = |at: u128, time: u64, answered: bool| {
            pace.begin(Fingerprint(at), ms(0));
            pace.end(Fingerprint(at), ms(time), answered);
            pace.usual
        };
        assert_eq!(take(1, 1, false), None);
        assert_eq!(take(2, 80, true), Some(ms(80)));
        assert_eq!(take(3, 80_000, true), Some(ms(110)));
    }
}
