//! JavaScript and Python engines: their profiles, and scripts that run in them.

mod identity;
mod list;
mod profile;
mod shell;

pub use identity::{identity, warn_of_other};
pub use list::run;
pub use profile::Profile;
pub use shell::{Shell, ShellFault};
