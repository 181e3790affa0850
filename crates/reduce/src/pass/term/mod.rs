//! Passes over terms that have sorts, such as those of SMT-LIB.

mod sorted_names;
mod sorted_terms;

pub use sorted_names::SortedNames;
pub use sorted_terms::SortedTerms;
