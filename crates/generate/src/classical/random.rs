use crate::Choices;

/// A generator of texts with a random length and random characters of one range.
///
/// * *Source:* A. Zeller, R. Gopinath, M. Böhme, G. Fraser, C. Holler, *The Fuzzing Book*, chapter
///   "Fuzzing: Breaking Things with Random Inputs" (`RandomFuzzer`), with its defaults.
/// * *Changed:* the generator draws from [`Choices`], so that a text can be replayed and reduced.
///
/// ```
/// use nubbin_generate::{Choices, RandomFuzzer};
///
/// let fuzzer = RandomFuzzer { min_length: 20, max_length: 20, ..RandomFuzzer::default() };
/// let text = fuzzer.generate(&mut Choices::seeded(1));
/// assert_eq!(text.len(), 20);
/// assert!(text.iter().all(|byte| (32..64).contains(byte)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomFuzzer {
    /// The minimum number of characters of a text.
    pub min_length: u32,
    /// The maximum number of characters of a text.
    pub max_length: u32,
    /// The code point of the first character of the range.
    pub char_start: u32,
    /// The number of characters of the range.
    pub char_range: u32,
}

impl Default for RandomFuzzer {
    /// Returns a generator of 10 to 100 characters from the space to `?`.
    fn default() -> Self {
        RandomFuzzer {
            min_length: 10,
            max_length: 100,
            char_start: 32,
            char_range: 32,
        }
    }
}

/// The reason why a [`RandomFuzzer`] cannot generate a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoCharacters {
    /// The minimum length is above the maximum length.
    #[error("the minimum length {0} is above the maximum length {1}")]
    Lengths(u32, u32),
    /// The range is empty or has code points that are not characters.
    #[error("there are no {1} characters from code point {0} on")]
    Range(u32, u32),
}

impl RandomFuzzer {
    /// Checks the lengths and the range.
    ///
    /// # Errors
    /// Returns [`NoCharacters`] if no text has such a length or such characters.
    pub fn check(&self) -> Result<(), NoCharacters> {
        if self.min_length > self.max_length {
            return Err(NoCharacters::Lengths(self.min_length, self.max_length));
        }
        let last = self.char_start.checked_add(self.char_range.wrapping_sub(1));
        let ends = [Some(self.char_start), last];
        // Between two characters, only surrogates are excluded.
        if self.char_range == 0
            || ends
                .into_iter()
                .any(|end| end.and_then(char::from_u32).is_none())
        {
            return Err(NoCharacters::Range(self.char_start, self.char_range));
        }
        Ok(())
    }

    /// Generates a text in UTF-8. A code point of the range that is not a character becomes U+FFFD.
    pub fn generate(&self, choices: &mut Choices) -> Vec<u8> {
        let (min, max) = (self.min_length, self.max_length.max(self.min_length));
        let length = choices.integer(min.into()..=max.into());
        let mut text = String::new();
        let (first, range) = (
            i64::from(self.char_start),
            i64::from(self.char_range.max(1)),
        );
        for _ in 0..length {
            let number = choices.span("character", |c| c.integer(first..=first + range - 1));
            let char = u32::try_from(number).ok().and_then(char::from_u32);
            text.push(char.unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        text.into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_characters_are_within_their_bounds() {
        let fuzzer = RandomFuzzer::default();
        let mut choices = Choices::seeded(1);
        let texts: Vec<_> = (0..2000).map(|_| fuzzer.generate(&mut choices)).collect();
        let lengths = texts.iter().map(Vec::len);
        assert_eq!(
            (lengths.clone().min(), lengths.max()),
            (Some(10), Some(100))
        );
        let mut bytes: Vec<u8> = texts.concat();
        bytes.sort_unstable();
        bytes.dedup();
        assert_eq!(bytes, (32..64).collect::<Vec<u8>>());
    }

    #[test]
    fn impossible_bounds_are_refused() {
        let fuzzer = |char_start, char_range, min_length| RandomFuzzer {
            min_length,
            char_start,
            char_range,
            ..RandomFuzzer::default()
        };
        assert!(fuzzer(0x1f600, 80, 0).check().is_ok());
        assert!(fuzzer(32, 0, 0).check().is_err());
        assert!(fuzzer(u32::MAX, 2, 0).check().is_err());
        assert!(fuzzer(0xd800, 2, 0).check().is_err());
        assert!(fuzzer(32, 32, 101).check().is_err());
    }
}
