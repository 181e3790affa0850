//! Tests that run ahead of the sequential path, to fill the cache with verdicts that it will ask
//! for.

mod list_probe;
mod prefetcher;
mod speculation;
mod upcoming;

pub(super) use prefetcher::{Prefetcher, Surroundings};
pub(super) use speculation::Likely;
pub(super) use upcoming::Route;
