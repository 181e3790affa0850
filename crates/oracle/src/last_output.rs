use crate::run::{Exit, Run};
use nubbin_verdict::{Unresolved, Verdict};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of bytes that are kept of the end of each output.
const TAIL: usize = 64 << 10;

/// The output of the last test that has ended, for people who follow a run.
///
/// Outputs are only read and kept after a call of [`LastOutput::want`]. From then on, the output
/// limit holds for both outputs of every test.
#[derive(Debug, Default)]
pub struct LastOutput {
    is_wanted: AtomicBool,
    last: Mutex<Option<Arc<TestOutput>>>,
}

/// The output of one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestOutput {
    /// The exit of the test's first process.
    pub exit: Exit,
    /// The verdict of the test.
    pub verdict: Verdict,
    /// The size of the candidate in bytes.
    pub bytes: usize,
    /// The end of standard output.
    pub stdout: Vec<u8>,
    /// The end of standard error.
    pub stderr: Vec<u8>,
}

impl LastOutput {
    /// Starts or stops keeping the output of each test that ends. Stopping discards the output that
    /// is kept.
    pub fn want(&self, is_wanted: bool) {
        self.is_wanted.store(is_wanted, Ordering::Relaxed);
        if !is_wanted {
            self.set(None);
        }
    }

    /// Returns the output of the last test, or `None` if no test has ended since
    /// [`LastOutput::want`].
    pub fn get(&self) -> Option<Arc<TestOutput>> {
        self.last
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted.load(Ordering::Relaxed)
    }

    pub(crate) fn note(&self, run: &Run, verdict: &Verdict, bytes: usize) {
        if matches!(verdict, Verdict::Unresolved(Unresolved::Cancelled)) {
            return;
        }
        let tail = |output: &[u8]| output[output.len().saturating_sub(TAIL)..].to_vec();
        let output = TestOutput {
            exit: run.exit,
            verdict: verdict.clone(),
            bytes,
            stdout: tail(run.stdout()),
            stderr: tail(run.stderr()),
        };
        self.set(Some(Arc::new(output)));
    }

    fn set(&self, output: Option<Arc<TestOutput>>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = output;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> Run {
        Run {
            stdout: Some(b"word ".repeat(TAIL)),
            stderr: Some(b"error".to_vec()),
            ..Run::refused(1)
        }
    }

    #[test]
    fn only_the_end_of_a_long_output_is_kept() {
        let last = LastOutput::default();
        last.want(true);
        last.note(&run(), &Verdict::Pass, 7);
        let output = last.get().unwrap();
        assert_eq!(
            (output.stdout.len(), &output.stderr[..]),
            (TAIL, &b"error"[..])
        );
        last.want(false);
        assert_eq!(last.get(), None);
    }

    #[test]
    fn a_canceled_test_has_no_output() {
        let last = LastOutput::default();
        last.note(&run(), &Verdict::Unresolved(Unresolved::Cancelled), 7);
        assert_eq!(last.get(), None);
    }
}
