//! The conditions under which a run shows the failure.

mod conditions;
mod error;
mod judge;
mod require;
mod words;

pub use error::{Condition, PredicateError};
pub(crate) use require::Ended;
pub use require::{ABSTAIN, Predicate};
