use nubbin_edit::Span;

/// Two lines that belong together, and the lines that divide the lines between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinePair {
    /// The first line, with its terminator.
    pub open: Span,
    /// The lines that begin another part: `#else`, `else`.
    pub parts: Vec<Span>,
    /// The last line.
    pub close: Span,
}

/// Pairs that are found by the same reason, of which a reader may be wrong about all.
pub type Family = Vec<LinePair>;
