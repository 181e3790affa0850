//! Formats times for people.

use std::time::Duration;

/// Formats the time of a run: `12.3 s`, `1 min 31 s`, `2 h 5 min`.
pub fn run_time(time: Duration) -> String {
    // The time is rounded before the comparison, so that it is never shown as `60.0 s`.
    let tenths = (time.as_secs_f64() * 10.0).round();
    if tenths < 600.0 {
        return format!("{:.1} s", tenths / 10.0);
    }
    let seconds = time.as_secs_f64().round() as u64;
    match seconds {
        ..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// Formats the time of a test, which is often less than a second.
pub fn test_time(time: Duration) -> String {
    let micros = time.as_micros();
    match micros {
        ..1000 => "under 1 ms".to_owned(),
        1000..999_500 => format!("{:.0} ms", time.as_secs_f64() * 1000.0),
        _ => run_time(time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_neither_rounded_to_minutes_nor_to_nothing() {
        let run = |seconds: f64| run_time(Duration::from_secs_f64(seconds));
        assert_eq!(run(0.0), "0.0 s");
        assert_eq!(run(59.94), "59.9 s");
        assert_eq!(run(59.96), "1 min 0 s");
        assert_eq!(run(91.0), "1 min 31 s");
        assert_eq!(run(3599.4), "59 min 59 s");
        assert_eq!(run(3599.6), "1 h 0 min");
        assert_eq!(run(7500.0), "2 h 5 min");
        let test = |micros| test_time(Duration::from_micros(micros));
        assert_eq!(test(0), "under 1 ms");
        assert_eq!(test(1_499), "1 ms");
        assert_eq!(test(999_499), "999 ms");
        assert_eq!(test(999_500), "1.0 s");
        assert_eq!(test(90_000_000), "1 min 30 s");
    }
}
