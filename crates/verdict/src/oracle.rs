use crate::{Cancel, Candidate, Verdict};

/// What comes with a question: which worker asks, and how to call the test off.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Number of the worker that asks, from 0. Two calls with the same number never overlap, so
    /// an oracle may keep one private place (a folder, a process) per number.
    pub slot: usize,
    /// Set when the answer is not needed any more.
    pub cancel: Cancel,
}

impl Ask {
    /// A question from worker `slot` that nobody calls off.
    pub fn new(slot: usize) -> Self {
        Ask {
            slot,
            cancel: Cancel::new(),
        }
    }
}

/// The machinery of the test broke (disk full, command gone): there is no verdict at all, and the
/// run ends with the best input so far.
///
/// A broken test must never read as "passes": the reducer would hand back an input that is too
/// large and call it minimal.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Fault(#[from] Box<dyn std::error::Error + Send + Sync>);

impl Fault {
    /// Wraps the error that made an answer impossible.
    pub fn new(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Fault(error.into())
    }
}

/// The interestingness test.
///
/// Called from several threads at once, each with its own [`Ask::slot`].
pub trait Oracle: Sync {
    /// Whether the failure is still there in `candidate`.
    ///
    /// # Errors
    /// A [`Fault`] where no verdict can be had; the reduction stops.
    fn judge(&self, candidate: &Candidate<'_>, ask: &Ask) -> Result<Verdict, Fault>;
}

/// An oracle from a closure over the bytes of a single input: `true` means that it still fails.
///
/// ```
/// use nubbin_verdict::{Ask, Candidate, Closure, File, Oracle, Verdict};
/// use std::path::Path;
///
/// let oracle = Closure::new(|bytes: &[u8]| bytes.contains(&b'!'));
/// let file = [File { name: Path::new("input"), bytes: b"oh!" }];
/// assert_eq!(oracle.judge(&Candidate::new(&file), &Ask::new(0)).unwrap(), Verdict::Fail);
/// ```
#[derive(Clone, Debug)]
pub struct Closure<F> {
    fails: F,
}

impl<F: Fn(&[u8]) -> bool + Sync> Closure<F> {
    /// An oracle that fails where `fails` says `true`.
    pub fn new(fails: F) -> Self {
        Closure { fails }
    }
}

impl<F: Fn(&[u8]) -> bool + Sync> Oracle for Closure<F> {
    fn judge(&self, candidate: &Candidate<'_>, _ask: &Ask) -> Result<Verdict, Fault> {
        Ok(if (self.fails)(candidate.bytes()) {
            Verdict::Fail
        } else {
            Verdict::Pass
        })
    }
}
