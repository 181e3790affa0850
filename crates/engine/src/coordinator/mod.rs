//! The run of a reduction. Only the [`Coordinator`] adopts candidates and counts tests.

mod at_work;
mod context;
mod measured;
mod reliability;
mod run;
mod search;
mod sequential_path;
mod state;

pub(super) use at_work::Work;
pub(super) use context::ReduceContext;
pub(super) use state::Coordinator;
