//! Where decisions come from, and where they go.

/// In a recording: take the way that ends soonest, whatever it is.
pub const DEFAULT: u32 = u32::MAX;

/// A sequence of choices, drawn or replayed, and recorded either way.
///
/// After R. Gopinath's `ChoiceSeq` and the Hypothesis project's choice sequences. A replayed choice is
/// taken modulo the number of possibilities, so every sequence means something. Where the sequence
/// is at its end, or says [`DEFAULT`], the generator takes what ends soonest.
#[derive(Clone, Debug)]
pub struct Choices {
    source: Source,
    recorded: Vec<u32>,
}

#[derive(Clone, Debug)]
enum Source {
    Random(Random),
    Replay { choices: Vec<u32>, next: usize },
}

impl Choices {
    /// Draws from a seed; the same on every machine.
    pub fn seeded(seed: u64) -> Self {
        Choices {
            source: Source::Random(Random::new(seed)),
            recorded: vec![],
        }
    }

    /// Repeats a recording.
    pub fn replay(choices: Vec<u32>) -> Self {
        Choices {
            source: Source::Replay { choices, next: 0 },
            recorded: vec![],
        }
    }

    /// One of `count` possibilities, all equally likely; `default` where nothing is said.
    ///
    /// With one possibility there is nothing to choose, and nothing is recorded.
    pub fn choose(&mut self, count: usize, default: usize) -> usize {
        if count < 2 {
            return 0;
        }
        let choice = match &mut self.source {
            Source::Random(random) => random.below(count as u32) as usize,
            Source::Replay { choices, next } => replayed(choices, next, count, default),
        };
        self.recorded.push(choice as u32);
        choice
    }

    /// One of several possibilities by their weights. All zero means equally likely.
    pub fn choose_weighted(
        &mut self,
        weights: impl ExactSizeIterator<Item = f32> + Clone,
        default: usize,
    ) -> usize {
        let count = weights.len();
        let total: f32 = weights.clone().sum();
        if count < 2 || total <= 0.0 || !total.is_finite() {
            return self.choose(count, default);
        }
        let choice = match &mut self.source {
            Source::Random(random) => {
                let mut left = random.unit() * total;
                let mut last = 0;
                for (i, weight) in weights.enumerate() {
                    if weight > 0.0 {
                        last = i;
                        if left < weight {
                            break;
                        }
                        left -= weight;
                    }
                }
                last
            }
            Source::Replay { choices, next } => replayed(choices, next, count, default),
        };
        self.recorded.push(choice as u32);
        choice
    }

    /// What has been chosen.
    pub fn recorded(&self) -> &[u32] {
        &self.recorded
    }

    /// What has been chosen.
    pub fn into_recorded(self) -> Vec<u32> {
        self.recorded
    }

    /// Forgets what has been chosen; what comes goes on from here.
    pub fn forget(&mut self) {
        self.recorded.clear();
    }
}

fn replayed(choices: &[u32], next: &mut usize, count: usize, default: usize) -> usize {
    let choice = choices.get(*next).copied().unwrap_or(DEFAULT);
    *next += 1;
    match choice {
        DEFAULT => default,
        choice => choice as usize % count,
    }
}

/// Pseudo-random numbers: xoshiro256++ (D. Blackman, S. Vigna, "Scrambled linear pseudorandom number
/// generators", 2021), its state filled by SplitMix64.
#[derive(Clone, Debug)]
struct Random([u64; 4]);

impl Random {
    fn new(seed: u64) -> Self {
        let mut state = seed;
        Random(std::array::from_fn(|_| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }))
    }

    fn next(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Below `count`, by multiplication: a bias of less than 2^-32 does not matter here.
    fn below(&mut self, count: u32) -> u32 {
        (((self.next() >> 32) * u64::from(count)) >> 32) as u32
    }

    /// At least 0, below 1.
    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_recorded_replays() {
        let mut drawn = Choices::seeded(7);
        let first: Vec<_> = (2..50).map(|count| drawn.choose(count, 0)).collect();
        let mut again = Choices::replay(drawn.recorded().to_vec());
        let second: Vec<_> = (2..50).map(|count| again.choose(count, 0)).collect();
        assert_eq!(first, second);
        assert_eq!(again.recorded(), drawn.recorded());
    }

    #[test]
    fn any_sequence_means_something() {
        let mut choices = Choices::replay(vec![7, DEFAULT]);
        assert_eq!(choices.choose(3, 2), 1);
        assert_eq!(choices.choose(3, 2), 2);
        assert_eq!(choices.choose(3, 1), 1);
        assert_eq!(choices.choose(1, 0), 0);
        assert_eq!(choices.recorded(), [1, 2, 1]);
    }

    #[test]
    fn weights_are_kept_to() {
        let mut choices = Choices::seeded(1);
        let mut seen = [0; 3];
        for _ in 0..4000 {
            seen[choices.choose_weighted([1.0, 0.0, 3.0].into_iter(), 0)] += 1;
        }
        assert_eq!(seen[1], 0);
        assert!((800..1200).contains(&seen[0]), "{seen:?}");
    }
}
