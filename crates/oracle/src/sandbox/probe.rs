//! The parts of a sandbox that this kernel has, found by making one.

use super::{Cage, SandboxError, SandboxSupport};

impl SandboxSupport {
    /// Finds out what this kernel has, by making a sandbox for a thread that ends at once.
    ///
    /// # Errors
    /// [`SandboxError`] if there is no sandbox.
    pub fn of_this_system() -> Result<Self, SandboxError> {
        Cage::probe()
    }
}
