//! Logs and statistics as typed documents: what `--json-events` and `--stats` write, and `report`
//! and `compare` read.
//!
//! Nothing here uses another module of this crate.

mod command;
mod isolation;
mod reduction;
mod statistics;
mod text;
mod version;

pub(crate) use command::command_line;
pub(crate) use isolation::{IsolationEvent, IsolationLine, Side};
pub(crate) use reduction::{Event, InputFile, Line, Splice, Start, TestVerdict};
pub(crate) use statistics::{
    FailureRate, OtherFailure, PassCounts, ReductionStatistics, TestPlaces,
};
pub(crate) use text::Text;
pub(crate) use version::{VERSION, Versioned};
