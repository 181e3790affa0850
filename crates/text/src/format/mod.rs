//! Passes over data formats: markup and tables.

mod columns;
mod elements;
mod unwrap;

pub use columns::Columns;
pub use elements::Elements;
pub use unwrap::Unwrap;
