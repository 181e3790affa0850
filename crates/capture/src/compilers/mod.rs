//! The compile commands of a build, seen by programs that stand before the compilers in `PATH`.

mod compile;
pub(super) mod database;
mod depfile;
mod watch;

pub(super) use compile::{Compile, preprocessed_ending};
pub(super) use watch::Watch;
