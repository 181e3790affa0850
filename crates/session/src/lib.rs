//! One run of nubbin up to its search: settings, inputs, outputs, and the test.
//!
//! The settings come from the command line and from files of keys. [`settings`] has the order of
//! precedence. Inputs are read once, outputs are written in one step and never over a file that
//! this program did not write, and the test is a command in a private folder. This crate is a part
//! of the program `nubbin`, and changes with it. The crate knows no command of the program, and no
//! search.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of any kind")
)]

pub mod anchor;
pub mod awaited;
pub mod confined;
pub mod endless;
pub mod events;
pub mod files;
pub mod folder;
pub mod grammar;
pub mod habits;
pub mod kept_failure;
pub mod missing_argument;
pub mod missing_test;
pub mod named_folder;
pub mod near;
pub mod nearly_empty;
pub mod other_failures;
pub mod others_words;
pub mod output;
pub mod own_folder;
pub mod parameters;
pub mod paths;
pub mod persistent;
pub mod programs;
pub mod project;
pub mod remote;
pub mod sandbox;
pub mod secret_file;
pub mod settings;
pub mod shim;
pub mod siblings;
pub mod signals;
#[cfg(test)]
#[path = "../../oracle/tests/skip/mod.rs"]
mod skip;
pub mod stack;
pub mod stamp;
pub mod state;
pub mod test;
pub mod typed;
pub mod undefined;
pub mod unknown;
pub mod valid;

use nubbin_flags as flags;
use nubbin_terminal::{advice, cores, exit, print, problem, repeat, screen, shown, with_flags};
