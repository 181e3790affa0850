//! Reductions, isolations, and explanations, each in stages.
//!
//! A run is prepared (inputs and plan, nothing on disk), claimed (locks and files), running, and
//! settled (the result). This crate is a part of the program `nubbin`, and changes with it. The
//! crate knows no campaign.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of any kind")
)]

mod broken;
pub mod explain;
pub mod isolate;
mod outputs;
pub mod reduce;
mod tested;

use nubbin_flags as flags;
#[cfg(feature = "clang")]
use nubbin_outside::clang;
use nubbin_outside::{choices, proposer};
use nubbin_report as report;
use nubbin_session::{
    awaited, endless, events, files, grammar, nearly_empty, other_failures, output, parameters,
    paths, persistent, programs, project, remote, sandbox, settings, signals, stamp, state, test,
};
use nubbin_terminal::{advice, exit, print, problem, repeat, screen, shown, view};
