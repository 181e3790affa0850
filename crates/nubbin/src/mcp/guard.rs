//! A process between the server and a run, which stops the run when the server ends.
//!
//! The server may be killed at any moment, and then cannot end its runs. The guard notices the end
//! of its standard input, whose other end the server holds, for any end of the server.

use crate::exit::Exit;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use std::ffi::OsString;
use std::io::{self, Read as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// The first argument of a guard.
pub(crate) const PROCESS: &str = "--mcp-process";

/// The byte with which the server requests an end with the best so far.
pub(super) const STOP: u8 = b's';

/// The time after the end of the server in which a run stops cleanly, and then that in which it
/// ends its tests and removes their folders.
const GRACE: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(10)];

/// The maximum time between two checks of the run.
const LONG: Duration = Duration::from_secs(3600);

/// An event that a guard waits for.
#[derive(Debug, PartialEq, Eq)]
enum Event {
    /// The server requests the best so far.
    Stop,
    /// The server has exited, or no longer needs the run.
    Closed,
    /// The run ended.
    Ended,
}

/// Runs this program with the arguments, and returns its exit code.
pub(crate) fn guard(words: impl Iterator<Item = OsString>) -> ExitCode {
    match run(words) {
        Ok(status) => {
            // Shells return 128 plus the number of the signal for a program that a signal ended.
            let code = (status.code()).or_else(|| Some(128 + status.signal()?));
            let code = code.and_then(|code| u8::try_from(code).ok());
            ExitCode::from(code.unwrap_or(u8::MAX))
        }
        Err(_) => Exit::Test.into(),
    }
}

fn run(words: impl Iterator<Item = OsString>) -> io::Result<ExitStatus> {
    let mut child = Command::new(std::env::current_exe()?)
        .args(words)
        .stdin(Stdio::null())
        .spawn()?;
    let pid = Pid::from_child(&child);
    let (tell, events) = channel();
    let telling = tell.clone();
    std::thread::spawn(move || read(&telling));
    std::thread::spawn(move || {
        // The process number remains valid until the `wait` below, so no other process receives the
        // signal.
        let _ = waitid(
            WaitId::Pid(pid),
            WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
        );
        tell.send(Event::Ended)
    });
    let mut signals = [Signal::TERM, Signal::TERM, Signal::KILL].into_iter();
    let mut grace = GRACE.into_iter();
    let mut due: Option<Instant> = None;
    loop {
        let left = due.map_or(LONG, |due| due.saturating_duration_since(Instant::now()));
        let signal = match events.recv_timeout(left) {
            Ok(Event::Ended) | Err(RecvTimeoutError::Disconnected) => return child.wait(),
            Ok(Event::Stop) => Some(Signal::TERM),
            Err(RecvTimeoutError::Timeout) if due.is_none() => None,
            Ok(Event::Closed) | Err(RecvTimeoutError::Timeout) => {
                due = grace.next().map(|time| Instant::now() + time);
                signals.next()
            }
        };
        if let Some(signal) = signal {
            let _ = kill_process(pid, signal);
        }
    }
}

/// Reads the requests of the server until the server has exited.
fn read(tell: &Sender<Event>) {
    let mut byte = [0];
    let mut stdin = io::stdin().lock();
    while matches!(stdin.read(&mut byte), Ok(1)) {
        if byte == [STOP] && tell.send(Event::Stop).is_err() {
            return;
        }
    }
    let _ = tell.send(Event::Closed);
}
