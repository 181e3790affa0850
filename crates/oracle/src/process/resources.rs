use std::time::Duration;

/// The resources that the processes of one running test use, and a choice of which to measure.
#[cfg_attr(
    not(target_os = "linux"),
    expect(dead_code, reason = "most resources are measured on Linux only")
)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Census {
    /// The number of processes at which counting stops.
    pub(crate) most_processes: usize,
    pub(crate) wants_memory: bool,
    pub(crate) wants_cpu: bool,
    /// A limit on the size of files, to set for every process that is found.
    pub(crate) file_size: Option<u64>,
    pub(crate) processes: usize,
    /// The private and shared memory in bytes, without mapped files.
    pub(crate) memory: u64,
    /// The time of the running processes, and of the children for which they have waited.
    pub(crate) cpu: Duration,
}
