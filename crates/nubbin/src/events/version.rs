//! The version of the log format.

use serde::Deserialize;

/// The version of the format, raised when a field changes its meaning or is removed.
pub(crate) const VERSION: u32 = 2;

/// The part of a log's first line that every version has.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Versioned {
    pub(crate) version: u32,
}
