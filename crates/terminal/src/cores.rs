//! The number of processors.

/// Returns the default number of tests to run at the same time.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
