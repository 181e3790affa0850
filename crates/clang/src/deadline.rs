//! The deadline for the computation of slices.

use std::time::{Duration, Instant};

/// A limit for the processor time of this process. Time counts only while the process runs, so a
/// text has the same slices on a busy machine as on an idle one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    /// The deadline on the clock of the process.
    work: Duration,
    /// The deadline on the clock of the machine.
    latest: Instant,
    /// The deadline on the clock of the process for the work before the first slice.
    part: Duration,
}

impl Deadline {
    /// Returns the deadline after the given number of seconds of work from now.
    pub(crate) fn after(seconds: u64) -> Self {
        Deadline {
            work: worked() + Duration::from_secs(seconds.max(1)),
            part: worked() + Duration::from_secs(seconds.max(1)) / 3,
            latest: Instant::now() + Self::longest(seconds),
        }
    }

    /// Returns the time that the given number of seconds of work may take on a busy machine.
    pub(crate) fn longest(seconds: u64) -> Duration {
        Duration::from_secs(seconds.max(1)).saturating_mul(3)
    }

    /// Returns whether a third of the time for work is over.
    pub(crate) fn is_partly_over(self) -> bool {
        worked() > self.part
    }

    pub(crate) fn is_over(self) -> bool {
        worked() > self.work || Instant::now() > self.latest
    }
}

/// Returns the time that this process has run.
#[cfg(unix)]
fn worked() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(
        now.tv_sec.try_into().unwrap_or(0),
        now.tv_nsec.try_into().unwrap_or(0),
    )
}

/// Returns the time since the first call.
#[cfg(not(unix))]
fn worked() -> Duration {
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_counts_while_the_process_works() {
        let deadline = Deadline::after(1);
        let before = worked();
        std::thread::sleep(Duration::from_millis(20));
        assert!(worked() >= before);
        assert!(!deadline.is_over());
        let over = Deadline {
            work: before,
            ..deadline
        };
        while worked() <= before {}
        assert!(over.is_over());
    }
}
