//! Prefetching: tests that run before the sequential path reaches them. Prefetched tests fill the
//! cache with verdicts for which the path is likely to ask.

mod list_probe;
mod prefetcher;
mod speculation;
mod upcoming;

pub(super) use prefetcher::{Prefetcher, Surroundings};
pub(super) use speculation::Likely;
pub(super) use upcoming::Route;
