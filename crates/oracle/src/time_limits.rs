//! The time limits of tests, which follow from earlier runs.

use crate::oracle::CommandOracle;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The adaptive time limit, as a multiple of the time of the longest failing run.
const TIMES_LONGEST: u64 = 10;
/// The least adaptive time limit. The time of a shorter run depends more on the load of the machine
/// than on the test.
const LEAST_TIME: Duration = Duration::from_secs(5);
/// The adaptive processor time limit, as a multiple of the most that a failing run has used.
const TIMES_MOST_CPU: u64 = 20;
/// The least such limit. The load of the machine does not count, since it takes time from a run and
/// no processor time.
const LEAST_BUSY: Duration = Duration::from_millis(200);

impl CommandOracle {
    /// Returns the time limit of the next run, see
    /// [`Options::adaptive_timeout`](crate::Options::adaptive_timeout).
    pub fn timeout_now(&self) -> Option<Duration> {
        let longest = self.longest.load(Ordering::Relaxed);
        if !self.is_adaptive || longest == 0 || self.predicate.is_about_time() {
            return self.limits.time;
        }
        let enough = Duration::from_nanos(longest.saturating_mul(TIMES_LONGEST));
        let enough = enough.max(LEAST_TIME);
        Some(self.limits.time.map_or(enough, |most| most.min(enough)))
    }

    /// Returns the processor time limit of the next run, computed from earlier runs, see
    /// [`Options::adaptive_timeout`](crate::Options::adaptive_timeout).
    pub fn busy_timeout_now(&self) -> Option<Duration> {
        let most = self.most_cpu.load(Ordering::Relaxed);
        if !self.is_adaptive || most == 0 || self.predicate.is_about_time() {
            return None;
        }
        let enough = Duration::from_nanos(most.saturating_mul(TIMES_MOST_CPU));
        Some(enough.max(LEAST_BUSY))
    }

    /// Returns the time of the test that [`CommandOracle::try_sandbox`] ran, until a later test
    /// uses its run.
    pub fn time_kept(&self) -> Duration {
        let kept = self
            .remembered
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().map_or(Duration::ZERO, |(_, run)| run.elapsed)
    }
}
