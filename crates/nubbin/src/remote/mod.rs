//! The places of tests: this machine, and a farm if nubbin is built with the feature `remote`.

#[cfg(feature = "remote")]
mod farm;
#[cfg(not(feature = "remote"))]
mod here;
mod line;
#[cfg(feature = "remote")]
mod program;

#[cfg(feature = "remote")]
pub(crate) use farm::{Places, identity, jobs_here, slots};
#[cfg(not(feature = "remote"))]
pub(crate) use here::{Connection, Places, identity, jobs_here, slots};
pub(crate) use line::places_line;
#[cfg(feature = "remote")]
pub(crate) use program::Connection;
