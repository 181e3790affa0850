//! Passes over data formats: markup, tables, SMT-LIB.

mod columns;
mod elements;
mod sorted_names;
mod sorted_terms;
mod unwrap;

pub use columns::Columns;
pub use elements::Elements;
pub use sorted_names::SortedNames;
pub use sorted_terms::SortedTerms;
pub use unwrap::Unwrap;
