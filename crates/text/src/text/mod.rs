//! Passes over any text: lines, blocks of lines, substrings, and comments.

mod chars;
mod comments;
mod ends;
mod indented_blocks;
mod lines;
mod short_cuts;
mod trivial;
mod windows;

pub use chars::Chars;
pub use comments::Comments;
pub use ends::Ends;
pub use indented_blocks::IndentedBlocks;
pub use lines::Lines;
pub use short_cuts::ShortCuts;
pub use trivial::Trivial;
pub use windows::{WindowUnit, Windows};
