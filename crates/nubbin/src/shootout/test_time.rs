//! Simulated run times of tests.

use nubbin_reduce::edit::Fingerprint;
use std::time::Duration;

/// The simulated time of most tests, in seconds.
const USUAL: f64 = 0.2;

/// With `--uneven`, one test in this many is slow.
const RARE: u64 = 20;

/// The factor by which a slow test takes longer.
const SLOW: f64 = 15.0;

/// Returns the simulated time of a test. The time depends only on the content of the candidate.
pub(super) fn test_time(print: Fingerprint, uneven: bool) -> Duration {
    let word = print.0 as u64;
    let times = if uneven && word.is_multiple_of(RARE) {
        SLOW
    } else {
        let share = (word >> 11) as f64 / (1u64 << 53) as f64;
        0.7 + 0.6 * share
    };
    Duration::from_secs_f64(USUAL * times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_test_in_twenty_is_slow_where_tests_are_uneven() {
        let slow = |uneven| {
            let times = (0..1000).map(|n| test_time(Fingerprint(n << 20 | n), uneven));
            times.filter(|time| time.as_secs_f64() > 1.0).count()
        };
        assert_eq!(slow(false), 0);
        assert!((40..=60).contains(&slow(true)), "{}", slow(true));
    }
}
