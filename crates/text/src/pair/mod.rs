//! Passes over parts of a text that belong together without a bracket that says so.

mod line_pairs;
mod patient;
mod shared_words;

pub use line_pairs::LinePairs;
use patient::Patient;
pub use shared_words::SharedWords;
