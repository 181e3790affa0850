//! The types that a reduction engine and a test runner share.
//!
//! A reduction engine asks whether a [`Candidate`] still fails, and an [`Oracle`] answers with a
//! [`Verdict`]. Neither side depends on the other: the engine crate does not depend on the crate
//! that runs processes, and the runner does not depend on the crate that edits text. This crate
//! holds only the types that both need.
//!
//! # Terms
//!
//! A test has one of three outcomes, as in the literature on delta debugging. A test *fails* if the
//! failure to be reduced is still present (the candidate is *interesting*). A test *passes* if the
//! failure is absent. A test is *unresolved* if it cannot decide.

#![deny(missing_docs)]

mod cancel;
mod candidate;
mod contained;
mod kind;
mod oracle;
mod verdict;

pub use cancel::{Cancel, OnCancel};
pub use candidate::{Candidate, File};
pub use contained::{Panicked, contained, contains};
pub use kind::VerdictKind;
pub use oracle::{Ask, Closure, Fault, Oracle};
pub use verdict::{Limit, Unresolved, Verdict};
