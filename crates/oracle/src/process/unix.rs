use super::{Wake, gate};
use nubbin_verdict::{Cancel, OnCancel};
use rustix::process::{Pid, Signal, kill_process_group};
use std::cell::Cell;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// The time that a killed process may take to end; one in the middle of a system call may take
/// long.
const TIME_TO_DIE: Duration = Duration::from_secs(10);

/// A test that runs: the first process of a process group of its own.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    pid: Pid,
    #[cfg(target_os = "linux")]
    watch: Option<std::os::fd::OwnedFd>,
    has_ended: Cell<bool>,
    is_reaped: bool,
}

/// The key by which the processes of a running test are found: the number of its process group.
pub(crate) type Leader = i32;

/// Starts the command in a process group of its own.
pub(crate) fn start(command: &mut Command) -> io::Result<Process> {
    // The standard library starts a process without copying this one as long as nothing must run
    // between fork and exec; a process group is within that.
    command.process_group(0);
    let started = gate::start();
    let begin = gate::now();
    let child = command.spawn()?;
    let pid = Pid::from_child(&child);
    gate::enter(pid.as_raw_pid(), begin);
    drop(started);
    Ok(Process {
        child,
        pid,
        #[cfg(target_os = "linux")]
        watch: rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok(),
        has_ended: Cell::new(false),
        is_reaped: false,
    })
}

impl Process {
    /// The number of the process and of its group.
    pub(crate) fn group(&self) -> i32 {
        self.pid.as_raw_pid()
    }

    pub(crate) fn leader(&self) -> Leader {
        self.group()
    }

    /// What is connected to it by pipes, once: standard input, output and error.
    pub(crate) fn pipes(&mut self) -> super::Pipes {
        let child = &mut self.child;
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    }

    /// Limits the length of files that it and all its later children write (Linux).
    pub(crate) fn limit_files(&self, size: Option<u64>) {
        #[cfg(target_os = "linux")]
        if let Some(size) = size {
            super::census::limit_files(self.group(), size);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = size;
    }

    /// Lets `cancel` kill the group until the guard is dropped.
    pub(crate) fn killed_by<'c>(&self, cancel: &'c Cancel) -> OnCancel<'c> {
        let pid = self.pid;
        cancel.on_cancel(move || kill(pid))
    }

    /// Waits until the first process has ended (without reaping it), the time is up, or `look`
    /// has had enough: it is asked after the time `first`, if any, and then after the time it said.
    pub(crate) fn wait(
        &self,
        until: Option<Instant>,
        first: Option<Duration>,
        mut look: impl FnMut() -> Option<Duration>,
    ) -> io::Result<Wake> {
        let mut look_at = first.and_then(|first| Instant::now().checked_add(first));
        loop {
            let next = until.into_iter().chain(look_at).min();
            let pause = next.map(|next| next.saturating_duration_since(Instant::now()));
            if self.has_ended_within(pause)? {
                return Ok(Wake::Ended);
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                return Ok(Wake::TimeUp);
            }
            if look_at.is_some_and(|look_at| Instant::now() >= look_at) {
                let Some(pause) = look() else {
                    return Ok(Wake::Over);
                };
                look_at = Instant::now().checked_add(pause);
            }
        }
    }

    /// Kills the group and says how the first process ended.
    ///
    /// The order matters: as long as the first process is not reaped, its number cannot be given
    /// to another, so that the kill meets this group or nothing.
    pub(crate) fn end(mut self) -> io::Result<ExitStatus> {
        kill(self.pid);
        if !self.has_ended_within(Some(TIME_TO_DIE))? {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                format!(
                    "process {} does not end although it was killed",
                    self.group()
                ),
            ));
        }
        self.reap()
    }

    fn reap(&mut self) -> io::Result<ExitStatus> {
        self.is_reaped = true;
        // The reaper of zombies must not run in between.
        let _started = gate::start();
        gate::leave(self.group());
        self.child.wait()
    }

    fn has_ended_within(&self, pause: Option<Duration>) -> io::Result<bool> {
        if !self.has_ended.get() {
            self.has_ended.set(self.look_for_end(pause)?);
        }
        Ok(self.has_ended.get())
    }

    fn look_for_end(&self, pause: Option<Duration>) -> io::Result<bool> {
        #[cfg(target_os = "linux")]
        if let Some(watch) = &self.watch {
            return poll(watch, pause);
        }
        self.has_ended_by_asking(pause)
    }

    /// For systems where an end cannot be waited for together with a time limit.
    fn has_ended_by_asking(&self, pause: Option<Duration>) -> io::Result<bool> {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let until = pause.and_then(|pause| Instant::now().checked_add(pause));
        let mut step = Duration::from_micros(50);
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        loop {
            match waitid(WaitId::Pid(self.pid), look) {
                Ok(Some(_)) => return Ok(true),
                Ok(None) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                return Ok(false);
            }
            std::thread::sleep(step);
            step = (step * 2).min(Duration::from_millis(5));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.is_reaped {
            kill(self.pid);
            if self.has_ended_within(Some(TIME_TO_DIE)).unwrap_or(false) {
                let _ = self.reap();
            }
        }
    }
}

fn kill(group: Pid) {
    // Fails where the group is gone already.
    let _ = kill_process_group(group, Signal::KILL);
}

#[cfg(target_os = "linux")]
fn poll(watch: &std::os::fd::OwnedFd, pause: Option<Duration>) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let until = pause.and_then(|pause| Instant::now().checked_add(pause));
    let mut pause = pause;
    loop {
        let timeout = pause.and_then(|pause| Timespec::try_from(pause).ok());
        match poll(&mut [PollFd::new(watch, PollFlags::IN)], timeout.as_ref()) {
            Ok(ready) => return Ok(ready > 0),
            // A signal to this process is no verdict about the test.
            Err(rustix::io::Errno::INTR) => {
                pause = until.map(|until| until.saturating_duration_since(Instant::now()));
            }
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asking_finds_the_end_as_well_as_waiting_does() {
        let process = start(Command::new("sh").args(["-c", "sleep 0.05; exit 3"])).unwrap();
        assert!(
            !process
                .has_ended_by_asking(Some(Duration::from_millis(1)))
                .unwrap()
        );
        assert!(
            process
                .has_ended_by_asking(Some(Duration::from_secs(20)))
                .unwrap()
        );
        assert_eq!(process.end().unwrap().code(), Some(3));
    }

    #[test]
    fn a_process_that_is_dropped_is_killed_and_reaped() {
        let process = start(Command::new("sleep").arg("1000")).unwrap();
        let pid = process.pid;
        drop(process);
        assert_eq!(
            rustix::process::test_kill_process(pid),
            Err(rustix::io::Errno::SRCH)
        );
    }
}
