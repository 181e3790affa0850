//! External programs that a run uses: generators, proposers, JavaScript and Python engines, and
//! libclang.
//!
//! Each program runs in its own process, with limits, and its output is data. This crate is a part
//! of the program `nubbin`, and changes with it. The crate knows no reduction in progress.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of any kind")
)]

pub mod choices;
#[cfg(feature = "clang")]
pub mod clang;
pub mod engine;
pub mod graph;
pub mod proposer;

use nubbin_flags as flags;
use nubbin_session::{
    confined, endless, files, grammar, output, paths, programs, sandbox, settings, signals,
};
use nubbin_terminal::{exit, hex, print, problem, shown};
