//! Choices of a generator: who makes texts of them, and how they are recorded.

mod answer;
mod args;
mod bytes;
mod dialogue;
mod external;
mod recording;

pub(crate) use answer::Trouble;
pub(crate) use args::{ExternalArgs, Protocol};
pub(crate) use external::External;
pub(crate) use recording::{Recipe, Recorded, from_hex, read, to_json, values};
