//! The choices of a generator: programs that turn them into texts, recordings, and replayed runs.

mod answer;
mod bytes;
mod dialogue;
mod external;
mod recorded_run;
mod recording;
mod request;

pub use answer::GeneratorError;
pub use external::External;
pub use recorded_run::RecordedRun;
pub use recording::{Recipe, Recorded, from_json, read, to_json, values, walk_of};
