//! How many processors there are.

/// Returns the number of tests to run at the same time, where no flag says it.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
