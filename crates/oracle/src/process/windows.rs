use super::{Census, Wake, gate};
use nubbin_verdict::{Cancel, OnCancel};
use std::io;
use std::os::windows::io::AsRawHandle as _;
use std::os::windows::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};
use win32job::{ExtendedLimitInfo, Job, JobError};

/// Keeps Ctrl-C in the console from reaching a test. This process receives it and ends its tests.
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// The first process of a running test, in its own job. All processes that it starts are in the job
/// as well, and end with it.
#[derive(Debug)]
pub(crate) struct Process {
    child: Mutex<Child>,
    /// The job, which ends its remaining processes when it is closed. If the system made none, only
    /// the first process is killed.
    job: Option<Arc<Job>>,
    is_cancelled: Arc<AtomicBool>,
}

/// The key by which the processes of a running test are found.
pub(crate) type Leader = Weak<Job>;

/// Starts the command in its own job. Processes that it starts in the first moments, before it is
/// in the job, are not found.
pub(crate) fn start(command: &mut Command) -> io::Result<Process> {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
    let _started = gate::start();
    let child = command.spawn()?;
    Ok(Process {
        job: job_of(&child).ok().map(Arc::new),
        child: Mutex::new(child),
        is_cancelled: Arc::default(),
    })
}

/// Fills in the number of processes, and nothing else.
pub(super) fn count(leader: &Leader, mut census: Census) -> Census {
    if let Some(job) = leader.upgrade() {
        // The query fails if there are more than a thousand processes.
        let processes = job.query_process_id_list().map(|list| list.len());
        census.processes = processes.unwrap_or(usize::MAX);
    }
    census
}

fn job_of(child: &Child) -> Result<Job, JobError> {
    let mut limits = ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    let job = Job::create_with_limit_info(&limits)?;
    job.assign_process(child.as_raw_handle() as isize)?;
    Ok(job)
}

impl Process {
    /// Returns 0, since Windows has no numbered process groups.
    pub(crate) fn group(&self) -> i32 {
        0
    }

    pub(crate) fn leader(&self) -> Leader {
        self.job.as_ref().map(Arc::downgrade).unwrap_or_default()
    }

    pub(crate) fn pipes(&mut self) -> super::Pipes {
        let child = self.child.get_mut().unwrap_or_else(PoisonError::into_inner);
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    }

    /// Does nothing: Windows has no such limit, and only the files in the folders are checked.
    pub(crate) fn limit_files(&self, _size: Option<u64>) {}

    pub(crate) fn killed_by<'c>(&self, cancel: &'c Cancel) -> OnCancel<'c> {
        let is_cancelled = Arc::clone(&self.is_cancelled);
        cancel.on_cancel(move || is_cancelled.store(true, Ordering::Release))
    }

    pub(crate) fn wait(
        &self,
        until: Option<Instant>,
        first: Option<Duration>,
        mut look: impl FnMut() -> Option<Duration>,
    ) -> io::Result<Wake> {
        let mut step = Duration::from_micros(50);
        let mut look_at = first.and_then(|first| Instant::now().checked_add(first));
        loop {
            let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
            if self.is_cancelled.load(Ordering::Acquire) {
                // This fails if the process has exited.
                let _ = child.kill();
            }
            if child.try_wait()?.is_some() {
                return Ok(Wake::Ended);
            }
            drop(child);
            if until.is_some_and(|until| Instant::now() >= until) {
                return Ok(Wake::TimeUp);
            }
            if look_at.is_some_and(|look_at| Instant::now() >= look_at) {
                let Some(pause) = look() else {
                    return Ok(Wake::Over);
                };
                look_at = Instant::now().checked_add(pause);
            }
            std::thread::sleep(step);
            step = (step * 2).min(Duration::from_millis(5));
        }
    }

    /// Ends the first process and all others in the job, and returns the exit status of the first.
    pub(crate) fn end(self) -> io::Result<ExitStatus> {
        let mut child = self
            .child
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        // This fails if the process has exited.
        let _ = child.kill();
        let status = child.wait();
        drop(self.job);
        status
    }
}
