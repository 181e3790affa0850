//! Pseudo-random numbers that are the same on every machine.
//!
//! Everything here is SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom
//! number generators", OOPSLA 2014).

use std::sync::Arc;

/// Returns `0..n` in an order that depends only on the key, so that a fork draws the same order as
/// the original.
pub fn shuffled(n: u32, key: u64) -> Arc<[u32]> {
    let mut order: Vec<u32> = (0..n).collect();
    for i in (1..n as usize).rev() {
        let draw = mix(key ^ mix(i as u64));
        order.swap(i, (draw % (i as u64 + 1)) as usize);
    }
    order.into()
}

/// Mixes the bits of a word by the finalizer of SplitMix64, after one step of its state.
pub fn mix(word: u64) -> u64 {
    SplitMix64::new(word).next()
}

/// A stream of pseudo-random numbers.
///
/// ```
/// use nubbin_minimize::random::SplitMix64;
///
/// let mut random = SplitMix64::new(0);
/// assert_eq!(random.next(), 0xe220_a839_7b1d_cdaf);
/// assert_eq!(random.below(10), 0);
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Creates the stream of a seed.
    pub fn new(seed: u64) -> Self {
        SplitMix64(seed)
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
    pub fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    /// Returns a number of at least 0 and less than 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_a_permutation_that_depends_on_the_key() {
        let order = shuffled(50, 1);
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
        assert_eq!(order, shuffled(50, 1));
        assert_ne!(order, shuffled(50, 2));
    }
}
