//! Passes over the arguments of a command, as a text of words.

mod command_levels;
mod command_values;
mod command_words;

pub use command_levels::CommandLevels;
pub use command_values::CommandValues;
pub use command_words::CommandWords;
