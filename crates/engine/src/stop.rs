use nubbin_verdict::Cancel;
use std::sync::Arc;

/// A handle to stop a run. A clone of the handle can be used on another thread.
///
/// Running tests are canceled, and the run ends with the best so far.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    // The stop is a token and not a flag, since it has to wake a running test.
    cancel: Arc<Cancel>,
}

impl Stop {
    /// Requests the end of the run.
    pub fn request(&self) {
        self.cancel.cancel();
    }

    /// Returns whether the end of the run was requested.
    pub fn is_requested(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Returns the handle as a token, for a test that runs outside the engine.
    pub fn token(&self) -> &Cancel {
        &self.cancel
    }
}
