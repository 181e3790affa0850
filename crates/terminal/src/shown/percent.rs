//! Formats percentages for people.

/// Formats a share in percent. A share that is rounded to zero has no sign.
pub(super) fn percent(share: f64) -> String {
    let rounded = (share * 10.0).round() / 10.0 + 0.0;
    format!("{rounded:.1} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_growth_is_no_negative_zero() {
        assert_eq!(percent(-0.04), "0.0 %");
        assert_eq!(percent(-0.06), "-0.1 %");
        assert_eq!(percent(99.96), "100.0 %");
    }
}
