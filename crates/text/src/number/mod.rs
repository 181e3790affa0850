//! Passes that make numbers simpler.

mod floats;
mod integer_values;
mod integers;
mod number_forms;

pub use floats::Floats;
pub use integer_values::IntegerValues;
pub use integers::Integers;
pub use number_forms::NumberForms;
