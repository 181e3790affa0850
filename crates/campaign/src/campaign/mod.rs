//! The jobs of a campaign, run on threads.

mod baseline;
mod construct;
mod explained;
mod job;
mod jobs;
mod known;
mod model;
mod passing;
mod progress;
mod run;
mod shown_by_nothing;
mod slice;
mod suspicion;

pub use jobs::{Ended, FuzzJob, Jobs, Limits, ProgramJobs, Running, Update};
pub use model::Campaign;
use model::{Broken, RunningJob};
