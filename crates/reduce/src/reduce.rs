use crate::auto;
use nubbin_edit::{Input, InputError};
use nubbin_engine::{Ended, ReduceError, Reduction};
use nubbin_verdict::{Closure, Fault, Panicked};
use std::fmt;

/// The reason why [`reduce`] has no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The input is too large to be reduced.
    Input(InputError),
    /// The run could not start, for example because the input does not fail.
    Reduce(ReduceError),
    /// The closure panicked.
    #[non_exhaustive]
    Panicked {
        /// The smallest failing input found before the panic. If the closure panicked on the
        /// original, this is the original, which is then not known to fail.
        best: Vec<u8>,
        /// The message of the panic.
        message: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input(error) => error.fmt(f),
            Error::Reduce(error) => error.fmt(f),
            Error::Panicked { message, .. } => write!(f, "the test panicked: {message}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Input(error) => error.source(),
            Error::Reduce(error) => error.source(),
            _ => None,
        }
    }
}
impl From<InputError> for Error {
    fn from(error: InputError) -> Self {
        Error::Input(error)
    }
}

impl From<ReduceError> for Error {
    fn from(error: ReduceError) -> Self {
        Error::Reduce(error)
    }
}

/// Returns the smallest failing input that the default plan finds.
///
/// The closure returns whether some bytes still fail. [`Reduction`] has more options: several
/// workers, budgets, a plan of one's own, events.
///
/// # Errors
/// Returns an [`Error`] if the input does not fail, or if the closure panics.
/// [`Error::Panicked`] has the smallest input found before.
///
/// ```
/// let digits = nubbin_reduce::reduce(b"[1, 22, [333]]", |bytes| bytes.contains(&b'3')).unwrap();
/// assert_eq!(digits, b"3");
/// ```
pub fn reduce(input: &[u8], fails: impl Fn(&[u8]) -> bool + Sync) -> Result<Vec<u8>, Error> {
    let original = Input::single("input", input)?;
    let plan = auto::plan(&original);
    let oracle = Closure::new(fails);
    let outcome = match Reduction::new(original, &oracle, plan).verify(false).run() {
        Ok(outcome) => outcome,
        Err(ReduceError::Fault(fault)) => return Err(panicked(&fault, input)),
        Err(error) => return Err(error.into()),
    };
    let best = outcome.input.bytes();
    match &outcome.ended {
        Ended::Fault(fault) => Err(panicked(fault, best)),
        _ => Ok(best.to_vec()),
    }
}

/// Returns the error for a fault of the closure. A closure has no other fault than a panic.
fn panicked(fault: &Fault, best: &[u8]) -> Error {
    let message = match fault.downcast_ref::<Panicked>() {
        Some(panic) => panic.message.clone(),
        None => fault.to_string(),
    };
    Error::Panicked {
        best: best.to_vec(),
        message,
    }
}
