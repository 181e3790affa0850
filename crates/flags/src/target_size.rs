//! The size at which a reduction may stop.

use super::size;

/// A size at which a result is small enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TargetSize {
    Bytes(usize),
    /// A percentage of the size of the original.
    Percent(f64),
}

impl TargetSize {
    /// Returns the size in bytes, for an original of `original` bytes.
    pub fn bytes(self, original: usize) -> usize {
        match self {
            TargetSize::Bytes(bytes) => bytes,
            TargetSize::Percent(percent) => (original as f64 * percent / 100.0) as usize,
        }
    }

    /// Parses `900`, `10K`, or `5%`.
    pub fn parse(text: &str) -> Result<Self, String> {
        if let Some(number) = text.strip_suffix('%') {
            let percent: f64 = number
                .trim()
                .parse()
                .map_err(|_| format!("`{text}` is not a number of percent"))?;
            if !(0.0..100.0).contains(&percent) {
                return Err("must be from 0% to less than 100%".into());
            }
            return Ok(TargetSize::Percent(percent));
        }
        let bytes = size::parse(text)?;
        Ok(TargetSize::Bytes(
            usize::try_from(bytes).unwrap_or(usize::MAX),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_size_is_bytes_with_a_unit_or_a_share() {
        let bytes = |text| TargetSize::parse(text).map(|size| size.bytes(1000));
        assert_eq!(bytes("900"), Ok(900));
        assert_eq!(bytes("10K"), Ok(10 << 10));
        assert_eq!(bytes("2MiB"), Ok(2 << 20));
        assert_eq!(bytes("5%"), Ok(50));
        assert_eq!(bytes("0.15%"), Ok(1));
        for wrong in [
            "",
            "K",
            "1.5",
            "5 %%",
            "100%",
            "-1%",
            "NaN%",
            "1X",
            "99999999999G",
        ] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
