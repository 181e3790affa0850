//! `nubbin report` and `nubbin compare`: HTML pages of runs.

mod heat;
mod hex_view;
mod history;
mod page;
mod run;

pub(crate) use hex_view::bytes_markup;
pub(crate) use history::History;
pub(crate) use run::{claim, compare, report, write};
