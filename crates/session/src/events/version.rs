//! The version of the log format.

use serde::Deserialize;

/// The version of the log format. The version is raised when a field changes its meaning or is
/// removed.
pub const VERSION: u32 = 2;

/// The part of a log's first line that every version has.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Versioned {
    pub version: u32,
}
