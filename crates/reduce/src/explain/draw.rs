/// Random numbers for one part and one sample (SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast
/// Splittable Pseudorandom Number Generators", 2014).
#[derive(Clone, Debug)]
pub struct Draw(u64);

impl Draw {
    /// Makes the generator for a seed, a part, and the number of a sample.
    pub fn new(seed: u64, part: usize, number: u64) -> Self {
        let mut draw = Draw(seed);
        for more in [part as u64, number] {
            draw = Draw(draw.next() ^ more.wrapping_mul(0xd6e8_feb8_6659_fd93));
        }
        draw
    }

    /// Returns the next number.
    #[expect(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }

    /// Returns one of these.
    pub fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        match all.is_empty() {
            true => None,
            false => all.get(self.below(all.len())),
        }
    }
}
