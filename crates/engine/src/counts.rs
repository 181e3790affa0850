use nubbin_verdict::VerdictKind;
use std::time::Duration;

/// The counts that every kind of run keeps.
pub(crate) trait TestCounts {
    /// Returns the number of counted tests.
    fn tests(&self) -> u64;

    /// Counts a test.
    fn count(&mut self, kind: VerdictKind);

    /// Counts a candidate whose verdict was known.
    fn count_cache_hit(&mut self);

    /// Counts tests that were started, whether or not they are needed.
    fn count_started(&mut self, tests: u64);

    fn set_elapsed(&mut self, elapsed: Duration);
}
