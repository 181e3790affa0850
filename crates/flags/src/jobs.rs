//! The number of simultaneous tests, on this machine and on a farm.

use std::str::FromStr;

/// The maximum number of simultaneous tests in one place.
const MAX_JOBS: u16 = 1024;

/// A number of simultaneous tests: `8`, or `local:4,remote:200`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jobs {
    /// One number, for the machine that runs the tests.
    Number(u16),
    /// A number for this machine and a number for a farm.
    Places { here: u16, there: u16 },
}

impl FromStr for Jobs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str, least: u16| {
            let number = text
                .parse()
                .ok()
                .filter(|number| (least..=MAX_JOBS).contains(number));
            number.ok_or_else(|| format!("`{text}` is not a number from {least} to {MAX_JOBS}"))
        };
        if !text.contains(':') {
            return number(text, 1).map(Jobs::Number);
        }
        let (mut here, mut there) = (None, None);
        for part in text.split(',') {
            let wrong = || format!("`{part}` is not `local:N` or `remote:N`");
            let (name, count) = part.trim().split_once(':').ok_or_else(wrong)?;
            let place = match name {
                "local" => &mut here,
                "remote" => &mut there,
                _ => return Err(wrong()),
            };
            if place.replace(number(count, 0)?).is_some() {
                return Err(format!("`{name}` is given twice"));
            }
        }
        let (here, there) = (here.unwrap_or(0), there.unwrap_or(0));
        match here + there {
            0 => Err("there must be one test at a time".to_owned()),
            _ => Ok(Jobs::Places { here, there }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_of_one_place_or_two() {
        let parse = |text: &str| text.parse::<Jobs>();
        assert_eq!(parse("8"), Ok(Jobs::Number(8)));
        let places = |here, there| Ok(Jobs::Places { here, there });
        assert_eq!(parse("local:4,remote:200"), places(4, 200));
        assert_eq!(parse("remote:1"), places(0, 1));
        for text in [
            "",
            "0",
            "-1",
            "1025",
            "x",
            "local",
            "local:",
            "local:x",
            "local:0",
            "far:2",
            "local:1,local:2",
            "local:1,",
            "4,remote:2",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
