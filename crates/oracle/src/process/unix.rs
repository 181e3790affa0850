use super::{Command, Pipes, Wake, gate};
use nubbin_verdict::{Cancel, OnCancel};
use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, waitpid};
use std::cell::Cell;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// The time limit for the end of a killed process, which may be in the middle of a system call.
const TIME_TO_DIE: Duration = Duration::from_secs(10);

/// The first process of a running test, which leads its own session and process group.
#[derive(Debug)]
pub(crate) struct Process {
    pid: Pid,
    pipes: Pipes,
    #[cfg(target_os = "linux")]
    watch: Option<std::os::fd::OwnedFd>,
    has_ended: Cell<bool>,
    is_reaped: bool,
}

/// Whether a file that a process writes can be read.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readable {
    /// The file can be read, or it was closed at its other end.
    Yes,
    NotYet,
    /// The process has exited and wrote nothing more. Others may have the file open.
    Never,
}

/// The key by which the processes of a running test are found: the number of its process group.
pub(crate) type Leader = i32;

/// Starts the command in its own session.
pub(crate) fn start(command: &mut Command) -> io::Result<Process> {
    let started = gate::start();
    let begin = gate::now();
    let (pid, pipes) = command.spawn()?;
    gate::enter(pid.as_raw_pid(), begin);
    drop(started);
    Ok(Process {
        pid,
        pipes,
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

    /// Takes the pipes to the standard input, output, and error of the process.
    pub(crate) fn pipes(&mut self) -> Pipes {
        std::mem::take(&mut self.pipes)
    }

    /// Limits the size of files that the process and its later children write (Linux).
    pub(crate) fn limit_files(&self, size: Option<u64>) {
        #[cfg(target_os = "linux")]
        if let Some(size) = size {
            super::census::limit_files(self.group(), size);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = size;
    }

    /// Returns a guard. Until it is dropped, `cancel` kills the group.
    pub(crate) fn killed_by<'c>(&self, cancel: &'c Cancel) -> OnCancel<'c> {
        let pid = self.pid;
        cancel.on_cancel(move || kill(pid))
    }

    /// Waits until the first process has exited (without reaping it), the time is up, or `look`
    /// returns `None`. `look` is called after the time `first`, if any, and then after each time
    /// that it returned.
    pub(crate) fn wait(
        &self,
        until: Option<Instant>,
        first: Option<Duration>,
        look: impl FnMut() -> Option<Duration>,
    ) -> io::Result<Wake> {
        wait(until, first, look, |pause| self.has_ended_within(pause))
    }

    /// Waits until the process has exited or `file` can be read, for at most the given time.
    #[cfg(target_os = "linux")]
    pub(crate) fn can_read(
        &self,
        file: &impl std::os::fd::AsFd,
        pause: Option<Duration>,
    ) -> io::Result<Readable> {
        use rustix::event::{PollFd, PollFlags};
        let mut watched = [
            PollFd::new(file, PollFlags::IN),
            PollFd::new(file, PollFlags::IN),
        ];
        if let Some(watch) = &self.watch {
            watched[1] = PollFd::new(watch, PollFlags::IN);
        }
        let is_ready = poll(&mut watched, pause)?;
        Ok(match watched[0].revents().is_empty() {
            false => Readable::Yes,
            true if is_ready => Readable::Never,
            true => Readable::NotYet,
        })
    }

    /// Kills the group and returns the exit status of the first process.
    ///
    /// The order matters: the system does not reuse the number of the first process until it is
    /// reaped, so the kill reaches this group or none.
    pub(crate) fn end(mut self) -> io::Result<ExitStatus> {
        kill(self.pid);
        if !self.has_ended_within(Some(TIME_TO_DIE))? {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                format!(
                    "process {} did not end although it was killed",
                    self.group()
                ),
            ));
        }
        self.reap()
    }

    fn reap(&mut self) -> io::Result<ExitStatus> {
        self.is_reaped = true;
        // No other slot may reap the process between these two calls.
        let _started = gate::start();
        gate::leave(self.group());
        // A program that waits for its input would never end if its pipes were open.
        drop(std::mem::take(&mut self.pipes));
        loop {
            match waitpid(Some(self.pid), WaitOptions::empty()) {
                Ok(Some((_, status))) => return Ok(ExitStatus::from_raw(status.as_raw())),
                Ok(None) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
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
            use rustix::event::{PollFd, PollFlags};
            return poll(&mut [PollFd::new(watch, PollFlags::IN)], pause);
        }
        self.has_ended_by_asking(pause)
    }

    /// Polls for the end, for systems that cannot wait for it with a time limit.
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

/// Kills the groups of all processes that run. To be called with the gate closed, so that none of
/// their numbers is given to another process meanwhile.
pub(super) fn end_groups() {
    gate::entered()
        .into_iter()
        .filter_map(Pid::from_raw)
        .for_each(kill);
}

fn kill(group: Pid) {
    // This fails if the group has ended.
    let _ = kill_process_group(group, Signal::KILL);
}

/// Waits until `has_ended` returns `true` within a pause, the time is up, or `look` returns `None`.
/// `look` is called after the time `first`, if any, and then after each time that it returned.
pub(crate) fn wait(
    until: Option<Instant>,
    first: Option<Duration>,
    mut look: impl FnMut() -> Option<Duration>,
    mut has_ended: impl FnMut(Option<Duration>) -> io::Result<bool>,
) -> io::Result<Wake> {
    let mut look_at = first.and_then(|first| Instant::now().checked_add(first));
    loop {
        let next = until.into_iter().chain(look_at).min();
        let pause = next.map(|next| next.saturating_duration_since(Instant::now()));
        if has_ended(pause)? {
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

/// Waits until a file is ready, and returns whether one is.
#[cfg(target_os = "linux")]
fn poll(watched: &mut [rustix::event::PollFd<'_>], pause: Option<Duration>) -> io::Result<bool> {
    use rustix::event::{Timespec, poll};
    let until = pause.and_then(|pause| Instant::now().checked_add(pause));
    let mut pause = pause;
    loop {
        let timeout = pause.and_then(|pause| Timespec::try_from(pause).ok());
        match poll(watched, timeout.as_ref()) {
            Ok(ready) => return Ok(ready > 0),
            // A signal to this process interrupts the wait, which is then repeated.
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
    fn polling_finds_the_end_of_a_process() {
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
    fn a_dropped_process_is_killed_and_reaped() {
        let process = start(Command::new("sleep").arg("1000")).unwrap();
        let pid = process.pid;
        drop(process);
        assert_eq!(
            rustix::process::test_kill_process(pid),
            Err(rustix::io::Errno::SRCH)
        );
    }
}
