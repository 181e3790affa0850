use crate::work::Machine;
use nubbin_edit::Applied;

/// A pass at work on a file.
pub(crate) struct Work {
    pub(crate) pass: &'static str,
    pub(crate) machine: Box<dyn Machine>,
    /// The change from the input on which the machine was opened to the base.
    pub(crate) applied: Applied,
    /// Whether known failures are tried again.
    pub(crate) thorough: bool,
    /// Whether the candidate of the last test was adopted.
    pub(crate) last: bool,
    /// The number of further failures in a row after which the pass ends.
    pub(crate) failures_left: u32,
    /// The number of adopted candidates so far.
    pub(crate) adopted: u64,
}
