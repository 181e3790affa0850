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

/// Ctrl-C in the console is meant for this process, which ends its tests itself.
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// A test that runs, in a job of its own: all processes that it starts are in the job as well, and
/// end with it.
#[derive(Debug)]
pub(crate) struct Process {
    child: Mutex<Child>,
    /// Closing it ends all that is left in it. `None` where the system gave none; then only the
    /// first process is ended.
    job: Option<Arc<Job>>,
    is_cancelled: Arc<AtomicBool>,
}

/// The key by which the processes of a running test are found.
pub(crate) type Leader = Weak<Job>;

/// Starts the command in a job of its own. What it starts before it is in the job, in the first
/// moments, is not found.
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

/// Fills in how many processes there are; nothing else is found out.
pub(super) fn count(leader: &Leader, mut census: Census) -> Census {
    if let Some(job) = leader.upgrade() {
        // A list of more than a thousand processes fails.
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
    /// There are no groups of processes to be known by a number.
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

    /// Nothing stops a file here while it grows; the folders are looked at.
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
                // Fails where it has ended already.
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

    /// Ends the first process and all that is left in the job, and says how the first one ended.
    pub(crate) fn end(self) -> io::Result<ExitStatus> {
        let mut child = self
            .child
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        // Fails where it has ended already.
        let _ = child.kill();
        let status = child.wait();
        drop(self.job);
        status
    }
}
