//! Choices of a generator: who makes texts of them, and how they are recorded.

mod answer;
mod bytes;
mod dialogue;
mod external;
mod recorded_run;
mod recording;

pub(crate) use answer::Trouble;
pub(crate) use external::External;
pub(crate) use recorded_run::RecordedRun;
pub(crate) use recording::{Recipe, Recorded, read, to_json, values};
