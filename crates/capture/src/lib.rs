//! `nubbin capture`: copies the files that a failing command reads to a new folder with a test.
//!
//! `strace` and wrappers of compilers observe the files that a command reads. Copies of the files
//! and a draft of the test are written to a new folder, and the test is run in that folder. This
//! crate is a part of the program `nubbin`, and changes with it. The crate knows no reduction.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of any kind")
)]

#[cfg(unix)]
mod access;
#[cfg(unix)]
mod captured;
#[cfg(unix)]
mod check;
#[cfg(unix)]
mod command;
#[cfg(unix)]
mod compilers;
#[cfg(unix)]
mod copies;
#[cfg(unix)]
mod draft;
#[cfg(unix)]
mod place;
#[cfg(unix)]
mod preprocess;
#[cfg(unix)]
mod programs;
#[cfg(unix)]
mod record;
#[cfg(unix)]
mod resolve;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod seen;
#[cfg(unix)]
mod sight;
#[cfg(unix)]
mod strace;
#[cfg(unix)]
mod tell;
#[cfg(not(unix))]
mod unsupported;
#[cfg(unix)]
mod words;

#[cfg(unix)]
pub use run::run;
#[cfg(not(unix))]
pub use unsupported::run;

use nubbin_flags as flags;
use nubbin_session::{files, folder, named_folder, output, paths, settings, signals, state, test};
use nubbin_terminal::{exit, print, problem, shown};
