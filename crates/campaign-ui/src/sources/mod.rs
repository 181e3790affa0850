//! Fuzzers that a campaign starts: `start` in the table of a generator.
//!
//! A fuzzer fills a folder, which its generator reads. It runs as long as the campaign does, is
//! started again when it ends, and ends with the campaign in any way: by the watch of its shell
//! also when the campaign was killed.

mod coverage;
mod log;
mod supervise;

pub(super) use coverage::{SourceCoverage, coverage_of};
pub(super) use supervise::Sources;
