//! Passes that make numbers simpler.

mod floats;
mod integer_values;
mod integers;

pub use floats::Floats;
pub use integer_values::IntegerValues;
pub use integers::Integers;
