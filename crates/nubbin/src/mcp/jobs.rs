//! The jobs of the server.

use super::call::Call;
use super::error::ToolError;
use super::job::Job;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The maximum number of jobs at the same time. Each uses all cores.
const RUNNING: usize = 8;

/// The number of jobs whose results are kept.
const KEPT: usize = 64;

/// The time that all runs have to end when the server ends. Their guards need less.
const PATIENCE: Duration = Duration::from_secs(20);

/// All jobs by their numbers.
#[derive(Debug, Default)]
pub(super) struct Jobs(Mutex<JobList>);

#[derive(Debug, Default)]
struct JobList {
    last: u64,
    jobs: BTreeMap<u64, Arc<Job>>,
}

impl Jobs {
    /// Starts a run.
    ///
    /// # Errors
    /// Returns [`ToolError::TooManyJobs`] if too many runs are active, and [`ToolError::Start`] if
    /// the process cannot be started.
    pub(super) fn start(&self, call: Call) -> Result<Arc<Job>, ToolError> {
        let mut list = self.list();
        let running = list.jobs.values().filter(|job| !job.has_ended()).count();
        if running >= RUNNING {
            return Err(ToolError::TooManyJobs(running));
        }
        let number = list.last + 1;
        let job = Arc::new(Job::start(number, call).map_err(ToolError::Start)?);
        list.last = number;
        list.jobs.insert(number, Arc::clone(&job));
        let ended = list.jobs.values().filter(|job| job.has_ended());
        let old: Vec<u64> = ended.map(|job| job.number).collect();
        for number in &old[..old.len().saturating_sub(KEPT)] {
            list.jobs.remove(number);
        }
        Ok(job)
    }

    /// Returns a job.
    ///
    /// # Errors
    /// Returns [`ToolError::NoJob`] if there is no job with the given number.
    pub(super) fn get(&self, number: u64) -> Result<Arc<Job>, ToolError> {
        let job = self.list().jobs.get(&number).cloned();
        job.ok_or(ToolError::NoJob(number))
    }

    /// Stops all runs.
    pub(super) async fn end(&self) {
        let jobs: Vec<Arc<Job>> = self.list().jobs.values().cloned().collect();
        jobs.iter().for_each(|job| job.abandon());
        let all = async {
            for job in &jobs {
                job.ended().await;
            }
        };
        // A guard that is late ends its run after this process has ended.
        let _ = tokio::time::timeout(PATIENCE, all).await;
    }

    fn list(&self) -> MutexGuard<'_, JobList> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
