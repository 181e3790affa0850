//! Isolating: searching for a small difference between a passing input and a failing input.
//!
//! The two inputs are compared, by lines at first, which gives a list of independent
//! [changes](Difference). [`Dd`] searches for two configurations of them, one that passes and one
//! that fails, that are as close to each other as possible. The remaining difference is compared by
//! finer units, and so on down to characters.
//!
//! ```
//! use nubbin_reduce::input::Input;
//! use nubbin_reduce::isolate::Isolation;
//! use nubbin_verdict::Closure;
//!
//! let passing = "retries = 3\nname = a\nlimit = 200\n";
//! let failing = Input::single("conf", "retries = 5\nname = b\nlimit = -200\nx = y\n").unwrap();
//! let oracle = Closure::new(|bytes: &[u8]| bytes.contains(&b'-'));
//! let isolated = Isolation::new(passing, failing, &oracle).run().unwrap();
//! assert_eq!(isolated.passing.bytes(), b"retries = 5\nname = b\nlimit = 200\n");
//! assert_eq!(isolated.failing.bytes(), b"retries = 5\nname = b\nlimit = -200\n");
//! ```
//!
//! [Reducing](crate) minimizes one input. Isolating keeps both inputs as large as possible and
//! minimizes the difference between them. It takes far fewer tests, and the result is a pair of
//! inputs.

mod ahead;
mod compared;
mod dd;
mod isolation;
mod options;
mod outcome;
mod search;

pub use dd::{Answer, Dd, DdOrder, UnknownDd};
pub use isolation::Isolation;
pub use nubbin_view::{Atom, ChangeSet, Difference, Hunk, hunks};
pub use outcome::{IsolateError, IsolateEvent, IsolateStatistics, Isolated, Level};
