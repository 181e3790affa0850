//! The symbols that may stand in the place of a mention.

mod find;
mod model;

pub use model::Places;
