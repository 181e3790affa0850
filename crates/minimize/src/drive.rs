use super::{Configuration, ListMinimizer};

/// Runs a list minimizer over `0..len` with a predicate, and returns the remaining elements.
///
/// The function is for examples, simulations, and tests: it runs one test at a time, without a
/// cache and budgets. The engine has a cache, budgets, and workers. `fails` receives the elements
/// that would remain and returns whether they still fail. The whole list is assumed to fail.
///
/// ```
/// use nubbin_minimize::{ListShape};
///
/// let mut minimizer = nubbin_minimize::parse("sweep")?.start(&ListShape::uniform(100));
/// let left = nubbin_minimize::drive(minimizer.as_mut(), 100, |kept| kept.contains(&3) && kept.contains(&70));
/// assert_eq!(left, [3, 70]);
/// # Ok::<(), nubbin_minimize::MinimizerError>(())
/// ```
pub fn drive(
    minimizer: &mut dyn ListMinimizer,
    len: u32,
    mut fails: impl FnMut(&[u32]) -> bool,
) -> Vec<u32> {
    let mut left = Configuration::new(len);
    while let Some(probe) = minimizer.next() {
        let mut smaller = left.clone();
        smaller.adopt(&probe);
        let kept: Vec<u32> = smaller.iter().collect();
        let outcome = fails(&kept);
        if outcome {
            left = smaller;
        }
        minimizer.record(outcome);
    }
    left.iter().collect()
}
