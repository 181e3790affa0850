use crate::auto;
use crate::engine::{Ended, ReduceError, Reduction};
use crate::input::{Input, InputError};
use nubbin_verdict::Closure;

/// The reason why [`reduce`] has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input is too large.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The input does not fail, or the closure panicked on it.
    #[error(transparent)]
    Reduce(#[from] ReduceError),
}

/// Returns the smallest input that still fails, found with the default plan.
///
/// The closure returns whether some bytes still fail. [`Reduction`] has more options: several
/// workers, budgets, a plan of one's own, events.
///
/// # Errors
/// [`Error`] where there is nothing to reduce. A closure that panics later ends the search; the
/// best so far is the result.
///
/// ```
/// let digits = nubbin_reduce::reduce(b"[1, 22, [333]]", |bytes| bytes.contains(&b'3')).unwrap();
/// assert_eq!(digits, b"3");
/// ```
pub fn reduce(input: &[u8], fails: impl Fn(&[u8]) -> bool + Sync) -> Result<Vec<u8>, Error> {
    let input = Input::single("input", input)?;
    let plan = auto::plan(&input);
    let oracle = Closure::new(fails);
    let outcome = Reduction::new(input, &oracle, plan).verify(false).run()?;
    debug_assert!(matches!(outcome.ended, Ended::Complete | Ended::Fault(_)));
    Ok(outcome.input.bytes().to_vec())
}
