//! Passes over any text: lines, blocks of lines, substrings, comments.

mod between_repeats;
mod chars;
mod comments;
mod duplicates;
mod ends;
mod indented_blocks;
mod line_sort;
mod lines;
mod paragraphs;
mod short_cuts;
mod trivial;
mod windows;

pub use between_repeats::BetweenRepeats;
pub use chars::Chars;
pub use comments::Comments;
pub use duplicates::Duplicates;
pub use ends::Ends;
pub use indented_blocks::IndentedBlocks;
pub use line_sort::LineSort;
pub use lines::Lines;
pub use paragraphs::Paragraphs;
pub use short_cuts::ShortCuts;
pub use trivial::Trivial;
pub use windows::{WindowUnit, Windows};
