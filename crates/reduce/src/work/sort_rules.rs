#[cfg(feature = "trees")]
pub use nubbin_grammar::sorts::SortRules;

/// Rules for the sorts of terms. There are none without the feature `trees`.
#[cfg(not(feature = "trees"))]
#[derive(Debug)]
pub enum SortRules {}
