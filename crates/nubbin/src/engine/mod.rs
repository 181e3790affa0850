//! JavaScript engines: their profiles, and scripts that run in them.

mod identity;
mod list;
mod profile;
mod shell;

pub(crate) use identity::{identity, warn_of_other};
pub(crate) use list::run;
pub(crate) use profile::Profile;
pub(crate) use shell::{Shell, ShellFault};
