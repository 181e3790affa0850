//! A running nubbin process.
//!
//! The process starts with the default action of every signal that a test sends. It is killed at
//! the end of the test or at a time limit.

use crate::stage::Ran;
use rustix::process::{Pid, Signal, kill_process};
use std::io::Read;
use std::process::{Child, Command, ExitStatus};
use std::sync::Once;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The time limit of a process, also for an overloaded machine.
pub(crate) const LONG: Duration = Duration::from_secs(300);

const POLL_INTERVAL: Duration = Duration::from_millis(5);

pub(crate) struct Running {
    child: Child,
    stdout: Option<Receiver<Vec<u8>>>,
    stderr: Option<Receiver<Vec<u8>>>,
}

impl Running {
    /// Starts the command. Its output is collected if the command has `Stdio::piped`.
    pub(crate) fn start(command: &mut Command) -> Self {
        heed_signals();
        let mut child = command.spawn().unwrap();
        let stdout = child.stdout.take().map(collect);
        let stderr = child.stderr.take().map(collect);
        Running {
            child,
            stdout,
            stderr,
        }
    }

    /// Waits for a condition while the process runs.
    #[track_caller]
    pub(crate) fn until(&mut self, what: &str, mut happened: impl FnMut() -> bool) {
        wait_until(what, || {
            let has_ended = self.child.try_wait().unwrap();
            let happened = happened();
            assert!(
                happened || has_ended.is_none(),
                "ended before {what}: {has_ended:?}"
            );
            happened
        });
    }

    /// Sends a signal to the process, which must be running.
    #[track_caller]
    pub(crate) fn signal(&mut self, signal: Signal) {
        assert_eq!(self.child.try_wait().unwrap(), None, "ended by itself");
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Sends a signal to the process. Returns whether it was still running.
    pub(crate) fn try_signal(&mut self, signal: Signal) -> bool {
        let runs = self.child.try_wait().unwrap().is_none();
        if runs {
            kill_process(Pid::from_child(&self.child), signal).unwrap();
        }
        runs
    }

    /// Kills the process, which must be running, and waits for its end.
    #[track_caller]
    pub(crate) fn kill(mut self) {
        self.signal(Signal::KILL);
        self.status();
    }

    /// Waits for the end of the process.
    #[track_caller]
    pub(crate) fn wait(mut self) -> Ran {
        let code = self.status().code();
        let text = |pieces: Option<Receiver<Vec<u8>>>| {
            let bytes = pieces.map(|pieces| {
                let all = pieces.recv_timeout(LONG);
                all.expect("something that it started holds its output open")
            });
            String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
        };
        Ran {
            code,
            stdout: text(self.stdout.take()),
            stderr: text(self.stderr.take()),
        }
    }

    #[track_caller]
    fn status(&mut self) -> ExitStatus {
        let mut status = None;
        wait_until("nubbin has ended", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        status.unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both calls fail if the process has exited, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Polls a condition up to the time limit.
#[track_caller]
pub(crate) fn wait_until(what: &str, mut happened: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !happened() {
        assert!(
            begin.elapsed() < LONG,
            "after {LONG:?} still waiting for this: {what}"
        );
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Reads to the end on another thread.
fn collect(mut from: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (send, pieces) = channel();
    std::thread::spawn(move || {
        let mut all = vec![];
        // The output before an error is returned as well.
        let _ = from.read_to_end(&mut all);
        // The test may have failed already.
        let _ = send.send(all);
    });
    pieces
}

/// Lets children start with the default action of the signals that end nubbin.
///
/// If the tests run with a signal ignored, as under `nohup` or in the background of a script, a
/// child ignores it as well and never ends. A handled signal has its default action in a child, so
/// these signals get an empty handler.
pub(crate) fn heed_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    static ONCE: Once = Once::new();
    static HEARD: AtomicBool = AtomicBool::new(false);
    ONCE.call_once(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            if mask >> (signal - 1) & 1 == 1 {
                signal_hook::flag::register(signal, &HEARD).unwrap();
            }
        }
    });
}
