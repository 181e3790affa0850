use std::sync::Arc;

/// `0..n` in an order drawn from the key alone: counter-based, so that a fork draws what the
/// original would have drawn.
pub(crate) fn shuffled(n: u32, key: u64) -> Arc<[u32]> {
    let mut order: Vec<u32> = (0..n).collect();
    for i in (1..n as usize).rev() {
        let draw = mix(key ^ mix(i as u64));
        order.swap(i, (draw % (i as u64 + 1)) as usize);
    }
    order.into()
}

/// Spreads the bits of a word (the finaliser of SplitMix64; Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", OOPSLA 2014).
pub(crate) fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
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
