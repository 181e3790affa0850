//! The user's test: its oracle, built from flags, and the diagnosis of an original that does not
//! fail.

mod command;
mod described;
mod identity;
mod options;
mod prepare;
mod problems;
mod setup;
mod words;

pub use command::with_placeholder;
pub use described::{failure, first_line};
pub use identity::identity;
pub use options::{environment, given_extras, limit};
pub use prepare::{NO_FAILURE, prepare};
pub use problems::{folder_of_all, not_failing, reduce_all};
pub use setup::{TestSetup, folder_of};
pub use words::Words;
