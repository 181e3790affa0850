//! Sequences of choices: drawn from a seed or replayed, and recorded.

mod draw;
mod record;
mod sequence;

pub use sequence::{Choices, DEFAULT};
