//! Tests that run ahead of the sequential path. They fill the cache with verdicts that the path is
//! likely to ask for.

mod list_probe;
mod prefetcher;
mod speculation;
mod upcoming;

pub(super) use prefetcher::{Prefetcher, Surroundings};
pub(super) use speculation::Likely;
pub(super) use upcoming::Route;
