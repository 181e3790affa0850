use serde::{Deserialize, Serialize};

/// A line of the process.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ClangMessage {
    /// The parts of the text that a slice has not: their first bytes, the bytes behind them, and
    /// what takes their places.
    Slice(Vec<(u32, u32, String)>),
    /// There are no more slices.
    Done,
    /// There are none, for this reason.
    Failed(String),
}
