//! `nubbin reduce`: makes a failing input as small as possible.

mod choices;
mod examples;
mod format;
mod in_place;
mod journal;
mod keep;
mod log;
mod notify;
mod parsing;
mod plan;
mod progress;
mod report;
mod run;
mod stats;
mod streams;
mod syntax;
mod trees;
mod view;
mod waiting;

pub(crate) use plan::{over_list, over_text};
pub(crate) use run::run;
