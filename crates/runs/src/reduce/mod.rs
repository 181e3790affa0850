//! `nubbin reduce`: reduces a failing input to a size as small as possible.

mod apart;
mod choices;
mod ci;
mod claimed;
mod earlier;
mod empty;
mod examples;
mod format;
#[cfg(feature = "clang")]
mod front_end;
mod in_place;
mod job;
mod journal;
mod keep;
mod log;
mod modules;
mod notify;
mod observers;
mod parsing;
mod plan;
#[cfg(test)]
mod plan_snapshots;
mod positions;
mod prepared;
mod progress;
mod report;
mod resumed;
mod run;
mod running;
mod search;
mod settled;
mod start;
mod stats;
mod streams;
mod subject;
mod syntax;
mod text;
mod text_progress;
mod tokens;
mod trees;
mod view;
mod waiting;

pub use ci::{annotate, command_in_markdown, in_markdown};
pub use job::run;
pub use plan::{over_list, over_text};
pub(crate) use report::warn_of_change;
