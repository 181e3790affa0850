use std::ops::Range;

/// A position in the input that a run printed, such as the `input.c:3:7` of a compiler's message.
///
/// [`CommandOracle::positions`](crate::CommandOracle::positions) finds them. A reducer may keep
/// this text first: the failure often needs only the text at the positions and its dependencies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The index of the file among the files of the candidate.
    pub file: usize,
    /// The bytes of the file: the word at the column, or the line without the spaces around it if
    /// the run printed no column.
    pub range: Range<usize>,
    /// The kind of the message.
    pub kind: PositionKind,
}

/// The kind of the message that has a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PositionKind {
    /// An error, or the message that a condition of the test requires.
    Error,
    /// A step on the way to the error: a call in a traceback, an instantiation of a template.
    Frame,
    /// A warning.
    Warning,
    /// A note on another message, such as the place of a declaration.
    Note,
}
