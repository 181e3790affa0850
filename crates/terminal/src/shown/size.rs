//! Formats sizes and rates for people.

use super::percent::percent;
use indicatif::HumanCount;

/// The factor from which a size is a number of times smaller, where a share in percent would be
/// near 100 %.
const FACTOR: u64 = 100;

/// Compares a size with an earlier one: `63.1 % smaller`, `2,762 times smaller`.
pub fn shrinkage(before: u64, now: u64) -> String {
    match (before, now) {
        _ if before == now => "no smaller".to_owned(),
        (0, _) => "larger".to_owned(),
        (_, 0) => "empty".to_owned(),
        _ if before / now >= FACTOR => format!("{} times smaller", HumanCount(before / now)),
        _ => {
            let share = 100.0 * (now as f64 / before as f64 - 1.0);
            let word = if share < 0.0 { "smaller" } else { "larger" };
            format!("{} {word}", percent(share.abs()))
        }
    }
}

/// Formats a rate: `26/s`, or `2.4 s each` for rates below one per second.
pub fn rate(per_second: f64) -> String {
    match per_second {
        rate if rate >= 0.95 => format!("{rate:.0}/s"),
        rate if rate > 0.0 => format!("{:.1} s each", 1.0 / rate),
        _ => "0/s".to_owned(),
    }
}

/// Formats a number of items:
pub fn count(number: u64, thing: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {thing}{ending}", HumanCount(number))
}

/// Formats a number of tests: `1 test`, `1,234 tests`.
pub fn tests(number: u64) -> String {
    count(number, "test")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_size_is_a_hundred_percent_smaller() {
        for (before, now, text) in [
            (241, 241, "no smaller"),
            (241, 5, "97.9 % smaller"),
            (241, 250, "3.7 % larger"),
            (124_309, 45, "2,762 times smaller"),
            (200, 2, "100 times smaller"),
            (199, 2, "99.0 % smaller"),
            (17, 0, "empty"),
            (0, 3, "larger"),
        ] {
            assert_eq!(shrinkage(before, now), text, "{before} to {now}");
        }
    }

    #[test]
    fn a_slow_test_has_a_time_and_no_rate() {
        assert_eq!(rate(26.2), "26/s");
        assert_eq!(rate(0.96), "1/s");
        assert_eq!(rate(1.0 / 2.4), "2.4 s each");
        assert_eq!(rate(0.0), "0/s");
    }
}
