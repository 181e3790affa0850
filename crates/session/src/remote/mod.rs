//! The machines that run tests: this machine, and a farm if nubbin is built with the feature
//! `remote`.

mod connection;
#[cfg(feature = "remote")]
mod farm;
#[cfg(not(feature = "remote"))]
mod here;
mod line;
#[cfg(feature = "remote")]
mod program;

pub use connection::Connection;
#[cfg(feature = "remote")]
pub use farm::{Places, identity, jobs_here, slots};
#[cfg(not(feature = "remote"))]
pub use here::{Places, identity, jobs_here, slots};
pub use line::places_line;
