//! Processes that this program starts for its user, other than tests and dialogues.

use std::time::Duration;

/// Makes this process the parent of processes that its children leave behind, so that
/// [`end_children`] finds them (Linux). Elsewhere it does nothing.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    crate::process::adopt_orphans();
}

/// Kills every descendant of this process that has left its process group, whatever its environment
/// is (Linux). The call waits at most `patience` for this. On other systems it does nothing.
///
/// Call it when no test and no dialogue runs. Call [`adopt_orphans`] before the processes are
/// started.
pub fn end_children(patience: Duration) {
    #[cfg(target_os = "linux")]
    crate::process::end_descendants(std::time::Instant::now() + patience);
    #[cfg(not(target_os = "linux"))]
    let _ = patience;
}
