//! Logs and statistics as typed documents. `--json-events` and `--stats` write them, and `report`
//! and `compare` read them.
//!
//! Nothing here uses another module of this crate.

mod explanation;
mod isolation;
mod reduction;
mod statistics;
mod text;
mod version;

pub use explanation::{Explanation, PatternPiece, ReplaceablePart, TextPattern};
pub use isolation::{IsolationEvent, IsolationLine, Side};
pub use nubbin_terminal::command_line::command_line;
pub use reduction::{Event, InputFile, Line, Splice, Start, TestVerdict};
pub use statistics::{
    ChangedFailure, FailureRate, OtherFailure, PassCounts, ReductionStatistics, TestPlaces,
};
pub use text::Text;
pub use version::{VERSION, Versioned};
