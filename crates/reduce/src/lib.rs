//! Test-case reduction as a library: the smallest input that still fails.
//!
//! ```
//! use nubbin_reduce::reduce;
//!
//! let small = reduce(b"the crash is here", |bytes| bytes.windows(5).any(|w| w == b"crash"));
//! assert_eq!(small.unwrap(), b"crash");
//! ```
//!
//! # The way of the data
//!
//! ```text
//! input ──► view ──► pass ──► edit ──► engine ──► oracle ──► verdict
//! ```
//!
//! One direction, no way back up. A [view] finds units in the text (lines, tokens,
//! brackets). A [pass] proposes [edits](mod@edit), as data. A [list algorithm](list_minimizer) decides
//! how many units go into one proposal. The [engine] puts proposals to the oracle and keeps what
//! still fails. A [plan] says which passes run, and when to stop; [`auto`] has the default.
//!
//! [Isolating](isolate) asks another question of the same oracle: not how small a failing input can
//! be, but how little it differs from one that passes.
//!
//! Nothing in this crate starts a process, opens a file or reads a clock: the oracle, and the
//! clock for budgets, are handed in.

#![deny(missing_docs)]

pub mod auto;
pub mod edit;
pub mod engine;
pub mod explain;
pub mod input;
pub mod isolate;
pub mod list_minimizer;
pub mod order;
pub mod pass;
pub mod plan;
pub mod protect;
pub mod span;
pub mod tree;
pub mod tree_reducer;
pub mod view;
pub mod work;

mod reduce;

pub use reduce::{Error, reduce};
