//! The symbols that may take the place of a mention.

mod find;
mod model;

pub use model::Places;
