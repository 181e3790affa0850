//! Prints a message about a long wait before the search begins and after it has ended.

use crate::problem::say;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The time after which a wait is worth a line.
const PATIENCE: Duration = Duration::from_secs(2);

/// An operation that may take long. If the value has not been dropped after two seconds, a message
/// is printed.
pub struct Awaited {
    shared: Arc<(Mutex<bool>, Condvar)>,
}

impl Awaited {
    /// Starts the wait for an operation. `what` describes the operation: "parsing `x.txt`".
    pub fn begin(what: String, is_quiet: bool) -> Self {
        let shared: Arc<(Mutex<bool>, Condvar)> = Arc::default();
        let awaited = Awaited {
            shared: Arc::clone(&shared),
        };
        if is_quiet {
            return awaited;
        }
        // Without a thread, the line is not printed.
        let _ = std::thread::Builder::new()
            .name("awaited".into())
            .spawn(move || {
                let (is_over, ended) = &*shared;
                let is_over = is_over.lock().unwrap_or_else(PoisonError::into_inner);
                let waited = ended.wait_timeout_while(is_over, PATIENCE, |is_over| !*is_over);
                let (is_over, _) = waited.unwrap_or_else(PoisonError::into_inner);
                if !*is_over {
                    say(&format!("still {what} …"));
                }
            });
        awaited
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        let (is_over, ended) = &*self.shared;
        *is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        ended.notify_all();
    }
}
