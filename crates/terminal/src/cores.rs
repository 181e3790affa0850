//! The number of processors.

/// Returns the number of tests to run at the same time, if no flag sets it.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
