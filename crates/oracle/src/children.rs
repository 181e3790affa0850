//! Processes that this program starts for its user, beside tests and dialogues.

use std::time::Duration;

/// Makes this process the parent of what its children leave, so that [`end_children`] finds it
/// (Linux). Elsewhere it does nothing.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    crate::process::adopt_orphans();
}

/// Ends every descendant of this process that has left its process group, whatever its environment
/// is (Linux). Waits for that no longer than `patience`. Elsewhere it does nothing.
///
/// To be called when no test and no dialogue runs. [`adopt_orphans`] has to come before the start
/// of the processes.
pub fn end_children(patience: Duration) {
    #[cfg(target_os = "linux")]
    crate::process::end_descendants(std::time::Instant::now() + patience);
    #[cfg(not(target_os = "linux"))]
    let _ = patience;
}
