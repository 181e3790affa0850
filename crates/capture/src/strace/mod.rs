//! The uses of files that strace reports.

mod line;
mod log;
mod trace;

pub(super) use trace::{Refused, Trace};
