//! The options of drawings.

/// The content of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// Whether signatures are shown, with their edges.
    pub signatures: bool,
}
