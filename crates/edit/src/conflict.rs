use std::fmt;

/// The error for two edits that change the same span in different ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The offset at which the two edits conflict.
    pub at: u32,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "two edits disagree at byte {}", self.at)
    }
}

impl std::error::Error for Conflict {}
