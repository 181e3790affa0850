//! The user's test: from flags to an oracle, and the diagnosis of an original that does not fail.

mod command;
mod described;
mod identity;
mod options;
mod prepare;
mod problems;
mod setup;

pub(crate) use described::{failure, first_line};
pub(crate) use identity::identity;
pub(crate) use options::{environment, limit};
pub(crate) use prepare::prepare;
pub(crate) use problems::not_failing;
pub(crate) use setup::{TestSetup, folder_of};
