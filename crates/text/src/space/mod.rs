//! Passes over white space: indentation, blank lines, line ends.

mod blank_lines;
mod join_lines;
mod whitespace;

pub use blank_lines::BlankLines;
pub use join_lines::JoinLines;
pub use whitespace::Whitespace;
pub(super) use whitespace::is_word;
