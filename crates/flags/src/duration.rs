//! Parsers for durations such as `2s`.

use std::time::Duration;

/// Parses a number of seconds, with or without an `s`.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a number of seconds");
    let seconds: f64 = text
        .strip_suffix('s')
        .unwrap_or(text)
        .parse()
        .map_err(|_| wrong())?;
    if seconds <= 0.0 {
        return Err("must be more than 0".into());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

/// Parses a number of minutes.
pub fn minutes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(minutes) if minutes > 0.0 && minutes.is_finite() => Ok(minutes),
        Ok(_) => Err("must be more than 0".into()),
        Err(_) => Err(format!("`{text}` is not a number of minutes")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_may_have_a_fraction_and_a_unit() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("2s"), Ok(Duration::from_secs(2)));
        assert!(seconds("0").is_err());
        assert!(seconds("soon").is_err());
        assert!(seconds("1e300").is_err());
    }
}
