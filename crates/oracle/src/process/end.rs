//! The end of all processes that this program, or a killed run of this program, has started.

use super::gate;
#[cfg(target_os = "linux")]
use super::orphans;
#[cfg(unix)]
use super::unix;
use std::time::Instant;

/// Kills all processes of this machine with one of the given marks, which a killed run left. On
/// systems other than Linux it does nothing.
pub(crate) fn end_marked(marks: &[String]) {
    #[cfg(target_os = "linux")]
    orphans::end_marked(marks);
    #[cfg(not(target_os = "linux"))]
    let _ = marks;
}

/// Kills every process that this program has started, and all their descendants. Afterwards, this
/// program starts no further process.
///
/// With `owns_children`, that includes everything that has cleared its environment, for as long as
/// `until`.
pub(crate) fn end_all(marks: &[String], owns_children: bool, until: Instant) {
    gate::close_for_good();
    #[cfg(unix)]
    unix::end_groups();
    #[cfg(target_os = "linux")]
    if owns_children {
        orphans::end_descendants(until);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (owns_children, until);
    end_marked(marks);
}
