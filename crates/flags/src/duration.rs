//! Lengths of time on the command line.

use std::time::Duration;

/// Parses a length of time: a number of seconds, or numbers with units, such as `90s`, `1.5h`, or
/// `1h 30m`. The units are those of [`humantime`], and a single number may have a fraction.
pub fn duration(text: &str) -> Result<Duration, String> {
    fraction(text, 1.0)
}

/// Parses a length of time as [`duration`] does, but a number without a unit is in minutes. Returns
/// the number of minutes.
pub fn minutes(text: &str) -> Result<f64, String> {
    fraction(text, 60.0).map(|duration| duration.as_secs_f64() / 60.0)
}

/// Parses a length of time. A number without a unit is in units of `default` seconds.
fn fraction(text: &str, default: f64) -> Result<Duration, String> {
    let text = text.trim();
    let wrong = || {
        let unit = if default == 1.0 { "seconds" } else { "minutes" };
        format!("`{text}` is not a length of time, such as `20` ({unit}), `90s`, or `1h30m`")
    };
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text.strip_prefix(number).unwrap_or_default();
    let scale = match unit {
        "" => Some(default),
        _ => humantime::parse_duration(&format!("1{unit}"))
            .map(|unit| unit.as_secs_f64())
            .ok(),
    };
    let duration = match (number.trim().parse::<f64>(), scale) {
        (Ok(number), _) if number <= 0.0 => return Err("must be more than 0".into()),
        (Ok(number), Some(scale)) => Duration::try_from_secs_f64(number * scale).ok(),
        _ => humantime::parse_duration(text).ok(),
    };
    let duration = duration.ok_or_else(wrong)?;
    if duration.is_zero() {
        return Err("must be more than 0".into());
    }
    Ok(duration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_without_a_unit_is_in_seconds() {
        assert_eq!(duration("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("1e3"), Ok(Duration::from_secs(1000)));
        assert_eq!(minutes("2"), Ok(2.0));
    }

    #[test]
    fn numbers_may_have_units() {
        for (text, seconds) in [
            ("2s", 2.0),
            ("0.5 s", 0.5),
            ("500ms", 0.5),
            ("60m", 3600.0),
            ("10min", 600.0),
            ("1.5h", 5400.0),
            ("1h30m", 5400.0),
            ("1h 30m", 5400.0),
            ("2d", 172_800.0),
        ] {
            assert_eq!(
                duration(text),
                Ok(Duration::from_secs_f64(seconds)),
                "{text}"
            );
            assert_eq!(minutes(text), Ok(seconds / 60.0), "{text}");
        }
    }

    #[test]
    fn other_texts_are_not_lengths_of_time() {
        for text in [
            "", "soon", "1e300", "5x", "h", "inf", "NaN", "1h30", "1e300d",
        ] {
            assert!(duration(text).is_err(), "{text}");
        }
        assert_eq!(duration("0"), Err("must be more than 0".into()));
        assert_eq!(duration("0m"), Err("must be more than 0".into()));
        assert_eq!(duration("-1"), Err("must be more than 0".into()));
        let soon = "`soon` is not a length of time, such as `20` (minutes), `90s`, or `1h30m`";
        assert_eq!(minutes("soon"), Err(soon.into()));
    }
}
