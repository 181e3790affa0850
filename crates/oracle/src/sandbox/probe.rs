//! The parts of a sandbox that this kernel supports, found by creating one.

use super::{Cage, SandboxError, SandboxSupport};

impl SandboxSupport {
    /// Returns the parts of a sandbox that this kernel supports. The function creates a sandbox for
    /// a thread that exits immediately.
    ///
    /// # Errors
    /// Returns [`SandboxError`] if there is no sandbox.
    pub fn of_this_system() -> Result<Self, SandboxError> {
        Cage::probe()
    }
}
