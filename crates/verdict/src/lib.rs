//! What a reducer and a test runner say to each other, and nothing else.
//!
//! A reduction engine asks whether a [`Candidate`] still fails; an [`Oracle`] answers with a
//! [`Verdict`]. Neither side needs to know how the other works: the engine crate does not depend
//! on the one that runs processes, and the runner does not depend on the one that edits text.
//! This crate is the wall between them, so it holds only the words both must share.
//!
//! # Words
//!
//! Outcomes have three values, as in the literature on delta debugging: a test *fails* when the
//! failure being reduced is still there (the candidate is *interesting*), *passes* when it is
//! gone, and is *unresolved* when it cannot say.

#![deny(missing_docs)]

mod cancel;
mod candidate;
mod oracle;
mod verdict;

pub use cancel::{Cancel, OnCancel};
pub use candidate::{Candidate, File};
pub use oracle::{Ask, Closure, Fault, Oracle};
pub use verdict::{Limit, Unresolved, Verdict};
