use nubbin_verdict::Cancel;
use std::sync::Arc;

/// Ends a run from another thread: give one to the reduction and keep a clone.
///
/// Running tests are canceled, and the run ends with the best input so far.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    // A flag, and a wake-up for threads that wait for it.
    cancel: Arc<Cancel>,
}

impl Stop {
    /// Requests that the run ends.
    pub fn request(&self) {
        self.cancel.cancel();
    }

    /// Whether the run is to end.
    pub fn is_requested(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// The same as a token, for a test that runs outside the engine.
    pub fn token(&self) -> &Cancel {
        &self.cancel
    }
}
