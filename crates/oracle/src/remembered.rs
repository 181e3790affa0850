//! The run of an earlier test. The next test of the same candidate uses it.

use crate::oracle::CommandOracle;
use crate::output::Keep;
use crate::run::Run;
use nubbin_verdict::Candidate;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

impl CommandOracle {
    /// Keeps a run for the next test of the given candidate.
    pub(crate) fn remember(&self, candidate: &Candidate<'_>, run: &Run) {
        let kept = self.remembered.lock();
        *kept.unwrap_or_else(PoisonError::into_inner) = Some((hash(candidate), run.clone()));
    }

    /// Returns the run that is kept for the next test of the given candidate.
    pub(crate) fn remembered(&self, candidate: &Candidate<'_>) -> Option<Run> {
        let kept = self.remembered.lock();
        let kept = kept.unwrap_or_else(PoisonError::into_inner).clone();
        let (_, run) = kept.filter(|(of, _)| *of == hash(candidate))?;
        Some(run)
    }

    /// Takes the run that was kept for the given candidate, as if it had been run with `keep`.
    pub(crate) fn take_remembered(&self, candidate: &Candidate<'_>, keep: Keep) -> Option<Run> {
        let mut kept = self
            .remembered
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // A remembered run is used once: later tests of a flaky test must run.
        let (_, mut run) = kept.take().filter(|(of, _)| *of == hash(candidate))?;
        let nanos = u64::try_from(run.elapsed.as_nanos()).unwrap_or(u64::MAX);
        self.time_before.fetch_add(nanos, Ordering::Relaxed);
        run.stdout = run.stdout.filter(|_| keep.stdout);
        run.stderr = run.stderr.filter(|_| keep.stderr);
        run.written.clear();
        if keep == Keep::default() {
            run.inputs.clear();
        }
        Some(run)
    }

    /// Returns the time of an earlier test whose run was used for a later test, see
    /// [`CommandOracle::try_sandbox`]. A clock that adds this time shows the same as if the test
    /// had run later.
    pub fn time_before(&self) -> Duration {
        Duration::from_nanos(self.time_before.load(Ordering::Relaxed))
    }
}

/// Distinguishes candidates within one run of this program.
fn hash(candidate: &Candidate<'_>) -> u64 {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    for file in candidate.files() {
        (file.name, file.bytes).hash(&mut hasher);
    }
    hasher.finish()
}
