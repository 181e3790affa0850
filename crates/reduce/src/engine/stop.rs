use nubbin_verdict::Cancel;
use std::sync::Arc;

/// Ends a run from outside: hand one to the reduction and keep a clone.
///
/// A test that is running is called off; the run ends with the best input so far.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    // A cancellation token does all that is needed: a flag, and a wake-up for whoever waits.
    cancel: Arc<Cancel>,
}

impl Stop {
    /// Ends the run.
    pub fn request(&self) {
        self.cancel.cancel();
    }

    /// Whether the run is to end.
    pub fn is_requested(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// The same as a token, for a test that is run outside the engine.
    pub fn token(&self) -> &Cancel {
        &self.cancel
    }
}
