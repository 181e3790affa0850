//! The compile commands of a build, recorded by programs that come before the compilers in `PATH`.

mod compile;
pub(super) mod database;
mod depfile;
mod watch;

pub(super) use compile::{Compile, preprocessed_ending};
pub(super) use watch::Watch;
