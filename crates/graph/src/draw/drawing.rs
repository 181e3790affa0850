//! The options of drawings.

/// What a drawing shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// Whether signatures are shown, with their edges.
    pub signatures: bool,
}
