//! `nubbin generate` and `nubbin fuzz`: generates inputs, and finds inputs that crash an engine.
//!
//! This crate is a part of the program `nubbin`, and changes with it. The crate knows no campaign.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of any kind")
)]

pub mod fuzz;
pub mod generate;

use nubbin_flags as flags;
use nubbin_outside::{choices, engine, graph};
use nubbin_runs::reduce;
use nubbin_session::{confined, files, grammar, output, paths, sandbox, settings, signals, test};
use nubbin_terminal::{cores, exit, problem, shown};
