//! The places of tests: this machine, and a farm if nubbin is built with the feature `remote`.

#[cfg(feature = "remote")]
mod farm;
#[cfg(not(feature = "remote"))]
mod here;

#[cfg(feature = "remote")]
pub(crate) use farm::{Places, identity, jobs_here};
#[cfg(not(feature = "remote"))]
pub(crate) use here::{Places, identity, jobs_here};
