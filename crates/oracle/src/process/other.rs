use super::{Wake, gate};
use nubbin_verdict::{Cancel, OnCancel};
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A test that runs. On this system only its first process is known: children it leaves stay.
#[derive(Debug)]
pub(crate) struct Process {
    child: Mutex<Child>,
    is_cancelled: Arc<AtomicBool>,
}

/// Starts the command.
pub(crate) fn start(command: &mut Command) -> io::Result<Process> {
    let _started = gate::start();
    Ok(Process {
        child: Mutex::new(command.spawn()?),
        is_cancelled: Arc::default(),
    })
}

impl Process {
    pub(crate) fn group(&self) -> i32 {
        0
    }

    pub(crate) fn pipes(&mut self) -> super::Pipes {
        let child = self.child.get_mut().unwrap_or_else(PoisonError::into_inner);
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    }

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

    pub(crate) fn end(self) -> io::Result<ExitStatus> {
        let mut child = self
            .child
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let _ = child.kill();
        child.wait()
    }
}
