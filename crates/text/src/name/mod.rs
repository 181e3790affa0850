//! Passes over names: words that occur more than once are renamed or merged.

mod merge_names;
mod names;

pub use merge_names::MergeNames;
pub use names::Names;
