//! The uses of files that strace sees.

mod line;
mod log;
mod trace;

pub(super) use trace::{Refused, Trace};
