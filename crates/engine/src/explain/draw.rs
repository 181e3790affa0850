use nubbin_minimize::random::SplitMix64;

/// A generator of random numbers for one part and one sample.
#[derive(Clone, Debug)]
pub struct Draw(SplitMix64);

impl Draw {
    /// Creates the generator for a seed, a part, and the number of a sample.
    pub fn new(seed: u64, part: usize, number: u64) -> Self {
        let mut draw = Draw(SplitMix64::new(seed));
        for more in [part as u64, number] {
            let seed = draw.next() ^ more.wrapping_mul(0xd6e8_feb8_6659_fd93);
            draw = Draw(SplitMix64::new(seed));
        }
        draw
    }

    /// Returns the next number.
    #[expect(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// Returns a number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }

    /// Returns a random element, or `None` if the slice is empty.
    pub fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        match all.is_empty() {
            true => None,
            false => all.get(self.below(all.len())),
        }
    }
}
