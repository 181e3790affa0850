use crate::Choices;

/// Texts of random characters of one range, of random length.
///
/// * *Source:* A. Zeller, R. Gopinath, M. Böhme, G. Fraser, C. Holler, *The Fuzzing Book*, chapter
///   "Fuzzing: Breaking Things with Random Inputs" (`RandomFuzzer`), with its defaults.
/// * *Changed:* draws from [`Choices`], so that what it made can be replayed and reduced.
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
    /// Fewest characters.
    pub min_length: u32,
    /// Most characters.
    pub max_length: u32,
    /// The first character there is.
    pub char_start: u32,
    /// How many there are from there on.
    pub char_range: u32,
}

impl Default for RandomFuzzer {
    /// 10 to 100 characters, from the blank to `?`.
    fn default() -> Self {
        RandomFuzzer {
            min_length: 10,
            max_length: 100,
            char_start: 32,
            char_range: 32,
        }
    }
}

/// Why a [`RandomFuzzer`] makes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCharacters {
    /// The shortest is longer than the longest.
    #[error("at least {0} characters and at most {1} are none")]
    Lengths(u32, u32),
    /// There are no characters there.
    #[error("there are no {1} characters from number {0} on")]
    Range(u32, u32),
}

impl RandomFuzzer {
    /// Whether it can make anything.
    ///
    /// # Errors
    /// [`NoCharacters`]
    pub fn check(&self) -> Result<(), NoCharacters> {
        if self.min_length > self.max_length {
            return Err(NoCharacters::Lengths(self.min_length, self.max_length));
        }
        let last = self.char_start.checked_add(self.char_range.wrapping_sub(1));
        let ends = [Some(self.char_start), last];
        // Those between have no number of their own only where surrogates are.
        if self.char_range == 0
            || ends
                .into_iter()
                .any(|end| end.and_then(char::from_u32).is_none())
        {
            return Err(NoCharacters::Range(self.char_start, self.char_range));
        }
        Ok(())
    }

    /// A text, in UTF-8.
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
    fn lengths_and_characters_are_kept_to() {
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
    fn what_makes_no_sense_is_refused() {
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
