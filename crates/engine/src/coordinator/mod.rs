//! The run of a reduction. Only the [`Coordinator`] adopts candidates and counts tests.

mod reliability;
mod run;
mod search;
mod sequential_path;

pub(super) use run::{Coordinator, ReduceContext};
pub(super) use sequential_path::Work;
