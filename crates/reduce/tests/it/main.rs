//! Tests of the crate by its public interface: one program, so that all are linked once.

#[cfg(feature = "choices")]
mod choices;
mod counted;
mod damaged_binaries;
mod engine;
#[cfg(all(feature = "trees", feature = "choices"))]
mod examples;
#[cfg(all(feature = "trees", feature = "choices"))]
mod explain;
mod flaky;
#[cfg(feature = "isolate")]
mod isolate;
mod many_files;
mod reduce;
mod syntax_filter;
mod workers;
