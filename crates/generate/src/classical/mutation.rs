use crate::Choices;

/// A generator of random mutants of seeds.
///
/// It returns each seed unchanged first, then mutants. A mutant is a seed with some mutations
/// applied. A mutation deletes a byte, inserts a printable byte, flips one of the lower seven bits
/// of a byte, or inserts a word of the dictionary if there is one.
///
/// * *Source:* A. Zeller, R. Gopinath, M. Böhme, G. Fraser, C. Holler, *The Fuzzing Book*, chapter
///   "Mutation-Based Fuzzing" (`MutationFuzzer`), with its defaults. Dictionaries as in AFL
///   (M. Zalewski).
/// * *Changed:* the generator works on bytes, and draws from [`Choices`].
///
/// ```
/// use nubbin_generate::{Choices, MutationFuzzer};
///
/// let fuzzer = MutationFuzzer::new(vec![b"http://example.org/".to_vec()]).unwrap();
/// let mut choices = Choices::seeded(1);
/// assert_eq!(fuzzer.generate(0, &mut choices), b"http://example.org/");
/// assert_ne!(fuzzer.generate(1, &mut choices), b"http://example.org/");
/// ```
#[derive(Clone, Debug)]
pub struct MutationFuzzer {
    seeds: Vec<Vec<u8>>,
    dictionary: Vec<Vec<u8>>,
    min_mutations: u32,
    max_mutations: u32,
}

/// The error for a [`MutationFuzzer`] without seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no seed to mutate")]
pub struct NoSeeds;

impl MutationFuzzer {
    /// Creates a generator with the given seeds, 2 to 10 mutations, and no dictionary.
    ///
    /// # Errors
    /// Returns [`NoSeeds`] if there is no seed.
    pub fn new(seeds: Vec<Vec<u8>>) -> Result<Self, NoSeeds> {
        if seeds.is_empty() {
            return Err(NoSeeds);
        }
        Ok(MutationFuzzer {
            seeds,
            dictionary: vec![],
            min_mutations: 2,
            max_mutations: 10,
        })
    }

    /// Sets the words of the dictionary.
    #[must_use]
    pub fn dictionary(mut self, words: Vec<Vec<u8>>) -> Self {
        self.dictionary = words;
        self
    }

    /// Sets the minimum and the maximum number of mutations.
    #[must_use]
    pub fn mutations(mut self, min: u32, max: u32) -> Self {
        self.min_mutations = min;
        self.max_mutations = max.max(min);
        self
    }

    /// Adds seeds to the seeds of the generator.
    #[must_use]
    pub fn more_seeds(mut self, seeds: Vec<Vec<u8>>) -> Self {
        self.seeds.extend(seeds);
        self
    }

    /// Returns the number of seeds.
    pub fn seeds(&self) -> usize {
        self.seeds.len()
    }

    /// Returns the seed with the given index.
    pub fn seed(&self, number: usize) -> Option<&[u8]> {
        self.seeds.get(number).map(Vec::as_slice)
    }

    /// Returns the text with the given number: a seed, or a mutant for a number after the last
    /// seed.
    pub fn generate(&self, number: u64, choices: &mut Choices) -> Vec<u8> {
        let seed = usize::try_from(number).ok();
        if let Some(seed) = seed.and_then(|number| self.seeds.get(number)) {
            return seed.clone();
        }
        self.mutant(choices)
    }

    /// Generates a mutant of a seed.
    pub fn mutant(&self, choices: &mut Choices) -> Vec<u8> {
        let seed = choices.choose(self.seeds.len(), 0);
        self.mutant_of(self.seeds.get(seed).map_or(&[], Vec::as_slice), choices)
    }

    /// Generates a mutant of a text, which need not be a seed.
    pub fn mutant_of(&self, text: &[u8], choices: &mut Choices) -> Vec<u8> {
        let mut text = text.to_vec();
        let mutations = choices.integer(self.min_mutations.into()..=self.max_mutations.into());
        for _ in 0..mutations {
            choices.span("mutation", |choices| self.mutate(&mut text, choices));
        }
        text
    }

    fn mutate(&self, text: &mut Vec<u8>, choices: &mut Choices) {
        let kinds = if self.dictionary.is_empty() { 3 } else { 4 };
        // An empty text has no byte to delete or flip; the mutation then does nothing.
        let kind = choices.choose(kinds, 0);
        let place = |choices: &mut Choices, count: usize| {
            choices.integer(0..=count as i64 - 1).unsigned_abs() as usize
        };
        match kind {
            0 if !text.is_empty() => {
                let at = place(choices, text.len());
                text.remove(at);
            }
            1 => {
                let at = place(choices, text.len() + 1);
                let byte = choices.integer_toward(32..=126, i64::from(b'0'));
                text.insert(at, byte as u8);
            }
            2 if !text.is_empty() => {
                let at = place(choices, text.len());
                let bit = choices.integer(0..=6);
                text[at] ^= 1 << bit;
            }
            3 => {
                let at = place(choices, text.len() + 1);
                let word = choices.choose(self.dictionary.len(), 0);
                let word = self.dictionary.get(word).cloned().unwrap_or_default();
                text.splice(at..at, word);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fuzzer() -> MutationFuzzer {
        MutationFuzzer::new(vec![b"seed".to_vec(), b"other".to_vec()]).unwrap()
    }

    #[test]
    fn seeds_come_first() {
        let mut choices = Choices::seeded(1);
        let first: Vec<_> = (0..2).map(|n| fuzzer().generate(n, &mut choices)).collect();
        assert_eq!(first, [b"seed".to_vec(), b"other".to_vec()]);
        assert!(choices.recorded().is_empty());
    }

    #[test]
    fn the_number_of_mutations_is_within_its_bounds() {
        let mut choices = Choices::seeded(1);
        let none = fuzzer().mutations(0, 0);
        assert!(
            (0..50).all(|_| [&b"seed"[..], b"other"].contains(&&none.mutant(&mut choices)[..]))
        );
        let one = fuzzer().mutations(1, 1);
        for _ in 0..500 {
            let mutant = one.mutant(&mut choices);
            let seed: &[u8] = if mutant.len() < 5 { b"seed" } else { b"other" };
            assert!(mutant.len().abs_diff(seed.len()) <= 1 || mutant.len() == 5);
        }
    }

    #[test]
    fn words_of_the_dictionary_appear() {
        let words = vec![b"<!--".to_vec()];
        let fuzzer = fuzzer().dictionary(words).mutations(1, 1);
        let mut choices = Choices::seeded(1);
        let with = |text: &Vec<u8>| text.windows(4).any(|window| window == b"<!--");
        let found = (0..100)
            .filter(|_| with(&fuzzer.mutant(&mut choices)))
            .count();
        assert!((10..45).contains(&found), "{found}");
    }

    #[test]
    fn an_empty_seed_is_accepted_and_no_seed_is_refused() {
        let empty = MutationFuzzer::new(vec![vec![]]).unwrap();
        let mut choices = Choices::seeded(1);
        assert!((0..200).any(|_| !empty.mutant(&mut choices).is_empty()));
        assert_eq!(MutationFuzzer::new(vec![]).unwrap_err(), NoSeeds);
    }
}
