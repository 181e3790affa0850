use crate::{Cancel, Candidate, Verdict};
use std::fmt;

/// The context of a call of [`Oracle::judge`]: the worker that asks, and a cancellation token.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The number of the worker that asks, from 0. Two calls with the same number never overlap,
    /// so an oracle may keep one private resource (a folder, a process) per number.
    pub slot: usize,
    /// The token that is canceled when the verdict is no longer needed.
    pub cancel: Cancel,
}

impl Ask {
    /// Creates a call from worker `slot` with a new cancellation token.
    pub fn new(slot: usize) -> Self {
        Ask {
            slot,
            cancel: Cancel::new(),
        }
    }
}

/// An error of the test itself (full disk, missing command): there is no verdict.
///
/// The run ends with the best input so far. A broken test must never count as "passes", since the
/// reducer would then return an input that is too large and call it minimal.
#[derive(Debug)]
pub struct Fault(Box<dyn std::error::Error + Send + Sync>);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Fault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

impl From<Box<dyn std::error::Error + Send + Sync>> for Fault {
    fn from(error: Box<dyn std::error::Error + Send + Sync>) -> Self {
        Fault(error)
    }
}

impl Fault {
    /// Wraps the error that prevented a verdict.
    pub fn new(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Fault(error.into())
    }

    /// Returns the error if it is of type `E`, for example [`Panicked`](crate::Panicked).
    pub fn downcast_ref<E: std::error::Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

/// The interestingness test: it decides whether a candidate still fails.
///
/// The engine calls it from several threads at once, each with its own [`Ask::slot`].
pub trait Oracle: Sync {
    /// Decides whether the failure is still there in `candidate`.
    ///
    /// # Errors
    /// Returns a [`Fault`] if there is no verdict. The reduction then stops.
    fn judge(&self, candidate: &Candidate<'_>, ask: &Ask) -> Result<Verdict, Fault>;
}

/// An oracle made from a closure over the bytes of a single file.
///
/// The closure returns `true` if the candidate still fails.
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
    /// Creates an oracle that fails if `fails` returns `true`, and passes otherwise.
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
