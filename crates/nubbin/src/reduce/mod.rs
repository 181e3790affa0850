//! `nubbin reduce`: makes a failing input as small as possible.

mod choices;
mod examples;
mod journal;
mod keep;
mod log;
mod parsing;
mod plan;
mod progress;
mod report;
mod run;
mod stats;
mod syntax;
mod trees;
mod view;
mod waiting;

pub(crate) use run::run;
