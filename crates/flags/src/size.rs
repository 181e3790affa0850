//! A parser for sizes such as `512M`.

/// Parses `512M`, `2G`, `1.5GiB`, `300k`, or plain bytes. Letters stand for powers of 1024.
pub fn parse(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a size: write bytes, or `512M`, `2G`");
    let lower = text.trim().to_ascii_lowercase();
    let digits = lower
        .find(|char: char| char != '.' && !char.is_ascii_digit())
        .unwrap_or(lower.len());
    let (number, unit) = lower.split_at(digits);
    let unit = unit.trim().trim_end_matches('b').trim_end_matches('i');
    let shift = match unit {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err(wrong()),
    };
    let bytes = match number.parse::<u64>() {
        Ok(whole) => whole.checked_mul(1 << shift),
        // A size in bytes has no fraction.
        Err(_) if shift == 0 => return Err(wrong()),
        Err(_) => {
            let bytes = number.parse::<f64>().map_err(|_| wrong())? * (1_u64 << shift) as f64;
            (bytes < 1e18).then_some(bytes as u64)
        }
    };
    match bytes.ok_or_else(wrong)? {
        0 => Err("must be more than 0".into()),
        bytes => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("1", 1),
            ("4096", 4096),
            ("512M", 512 << 20),
            ("2g", 2 << 30),
            ("1.5GiB", 3 << 29),
            ("300kB", 300 << 10),
            ("10 B", 10),
            ("1T", 1 << 40),
        ] {
            assert_eq!(parse(text), Ok(bytes), "{text}");
        }
        for text in [
            "",
            "M",
            "0",
            "-1",
            "much",
            "1X",
            "1e300",
            "1..2",
            "99999999T",
            "0.1",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
