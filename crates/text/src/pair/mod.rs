//! Passes over parts of a text that belong together without a bracket around them.

mod copies;
mod line_pairs;
mod patient;
mod records;
mod shared_words;

pub use copies::Copies;
pub use line_pairs::LinePairs;
use patient::Patient;
pub use shared_words::SharedWords;
