//! The choices of a generator: programs that turn them into texts, recordings, and replayed runs.

mod answer;
mod bytes;
mod dialogue;
mod external;
mod recorded_run;
mod recording;

pub(crate) use answer::GeneratorError;
pub(crate) use external::External;
pub(crate) use recorded_run::RecordedRun;
pub(crate) use recording::{Recipe, Recorded, from_json, read, to_json, values, walk_of};
