//! Verdicts on disk, so that a stopped run can resume.
//!
//! The engine is deterministic: the same verdicts lead to the same path. So the journal keeps no
//! state of the search, only verdicts by content. A resumed run starts at the original and reaches
//! its old state as fast as it can create candidates.
//!
//! A result has one journal per test and input, so the verdicts of a stopped run are kept
//! while the user tries another test. The first success of a run removes the other journals.

mod key;
mod open;
mod read;
mod record;
#[cfg(test)]
mod testing;
mod write;

pub(super) use key::Key;
pub(super) use open::{Earlier, Journal, Opened, Resume, Unused};
