use nubbin_generate::Choices;

/// Spreads the seeds of tests. Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom
/// Number Generators", OOPSLA 2014.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the seed of the test at a position, so that a position always has the same test.
pub(super) fn of(seed: u64, position: u64) -> u64 {
    seed ^ position.wrapping_add(1).wrapping_mul(SPREAD)
}

/// Returns the choices of the test at a position.
pub(super) fn choices(seed: u64, position: u64) -> Choices {
    Choices::seeded(of(seed, position))
}
