//! Pages of runs: `nubbin report` and `nubbin compare`, and the frame and plots of all pages.
//!
//! A page is written from the log of events alone. This crate is a part of the program `nubbin`,
//! and changes with it. The crate knows no search and no test.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of any kind")
)]

mod compare;
mod explanation;
mod heat;
mod hex_view;
mod history;
pub mod html;
mod page;
mod replay;
mod run;

pub use explanation::ExplainedInput;
pub use hex_view::bytes_markup;
pub use history::History;
pub use run::{claim, compare, report, write, write_explanation};

use nubbin_flags as flags;
use nubbin_session::{endless, events, output, paths};
use nubbin_terminal::{exit, print, problem, shown};
