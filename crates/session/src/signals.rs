//! Ctrl-C and other signals that stop a run.

use crate::exit::Exit;
use crate::output::write;
use crate::problem::{Problem, say};
use nubbin_reduce::engine::Stop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// The longest time that a stop at once waits for a file that is being written, and then for tests
/// to end and for their files to be removed. Hundreds of thousands of files take seconds.
const PATIENCE: Duration = Duration::from_secs(2);
const CLEANING: Duration = Duration::from_secs(4);

/// The time in which a run that has to end does so by itself. After it, whatever takes long is
/// stopped: parses and generators, and the whole run if there is nothing to keep.
const GRACE: Duration = Duration::from_millis(500);

/// Stops the run cleanly, with the best so far. The second call stops it at once.
pub fn interrupt(stop: &Stop) {
    if stop.is_requested() {
        stop_at_once();
    }
    stop.request();
    after(GRACE, || halt().store(true, Ordering::Relaxed));
}

/// Returns a flag that is set when every long operation must end, such as a parse or the generation
/// of a text.
pub fn halt() -> Arc<AtomicBool> {
    static HALT: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    Arc::clone(HALT.get_or_init(Arc::default))
}

pub fn is_halted() -> bool {
    halt().load(Ordering::Relaxed)
}

/// Calls `act` after a time, on a new thread. Without a thread, it is not called.
fn after(time: Duration, act: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().name("later".into());
    let _ = thread.spawn(move || {
        std::thread::sleep(time);
        act();
    });
}

/// Ends this process, but leaves nothing: no process, no folder, no unfinished file.
fn stop_at_once() -> ! {
    end_at_once(Exit::Stopped, || say("nubbin: stopped at once"))
}

/// Ends this process as [`stop_at_once`]. The terminal comes last, since it may take nothing any
/// more.
fn end_at_once(exit: Exit, last_words: impl FnOnce()) -> ! {
    let _complete = write::hold(PATIENCE);
    // Programs in nubbin's group belong to the user: an editor, or a command that prints a token.
    nubbin_oracle::abandon(CLEANING, true);
    crate::screen::give_back();
    last_words();
    std::process::exit(exit as i32);
}

/// The part of a run before the original fails, in which there is nothing to keep. A signal or
/// a time limit stops it in every state: while files are read, parsed, or generated, and during the
/// first test.
#[derive(Clone, Debug)]
pub struct Beginning {
    is_over: Arc<Mutex<bool>>,
}

impl Beginning {
    /// Begins a run that ends on a signal, or after the time `most`. From then on, the first signal
    /// stops the run cleanly, and the second stops it at once.
    pub fn of(stop: Stop, most: Option<Duration>) -> Result<Self, Problem> {
        let beginning = Beginning {
            is_over: Arc::default(),
        };
        let on_signal = beginning.clone();
        listen(move || {
            let is_first = !stop.is_requested();
            interrupt(&stop);
            let beginning = on_signal.clone();
            if is_first {
                after(GRACE, move || beginning.end(Exit::Stopped, STOPPED));
            }
        })
        .map_err(|error| Problem::new(Exit::Test, "cannot listen for Ctrl-C").because(&error))?;
        if let Some(most) = most {
            let at_limit = beginning.clone();
            after(most, move || {
                at_limit.end(Exit::NoResult, TIMED_OUT);
                std::thread::sleep(GRACE);
                halt().store(true, Ordering::Relaxed);
            });
        }
        Ok(beginning)
    }

    /// Records that the original failed.
    pub fn conclude(&self) {
        *self.is_over() = true;
    }

    /// Ends this process, unless the original has failed.
    fn end(&self, exit: Exit, what: &str) {
        // The lock is held until the end, so that the run does not start in the meantime.
        let is_over = self.is_over();
        if !*is_over {
            end_at_once(exit, || Problem::new(exit, what).print());
        }
    }

    fn is_over(&self) -> MutexGuard<'_, bool> {
        self.is_over.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the problem of a run that was stopped before its original failed.
pub fn stopped() -> Problem {
    Problem::new(Exit::Stopped, STOPPED)
}

const STOPPED: &str = "stopped before the original input failed";
const TIMED_OUT: &str = "the time limit was reached before the original input failed";

/// Makes the first signal stop the run cleanly, with the best so far, and the second stop it at
/// once.
pub fn stop_on_signals(stop: Stop) -> Result<(), Problem> {
    listen(move || interrupt(&stop))
        .map_err(|error| Problem::new(Exit::Test, "cannot listen for Ctrl-C").because(&error))
}

/// Makes a signal end this process at once, with the programs that it has started. Use it for a
/// command that writes all output in one step.
pub fn end_on_signals() -> Result<(), Problem> {
    listen(|| stop_at_once())
        .map_err(|error| Problem::new(Exit::Test, "cannot listen for Ctrl-C").because(&error))
}

/// Registers `heard`, which is called for every signal that requests an end.
#[cfg(unix)]
fn listen(heard: impl Fn() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let wanted = [SIGINT, SIGTERM, SIGHUP]
        .into_iter()
        .filter(|&signal| !is_ignored(signal));
    let mut signals = signal_hook::iterator::Signals::new(wanted)?;
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            for signal in signals.forever() {
                // In a pager or an editor, Ctrl-C has its own meaning.
                if signal != SIGINT || !crate::screen::is_lent() {
                    heard();
                }
            }
        })?;
    Ok(())
}

/// Calls `heard` for every Ctrl-C. This system has nothing to wait on, so a thread polls.
#[cfg(not(unix))]
fn listen(heard: impl Fn() + Send + 'static) -> std::io::Result<()> {
    const POLL_INTERVAL: Duration = Duration::from_millis(50);

    let is_pressed = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&is_pressed))?;
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            loop {
                std::thread::sleep(POLL_INTERVAL);
                if is_pressed.swap(false, Ordering::AcqRel) {
                    heard();
                }
            }
        })?;
    Ok(())
}

/// Returns whether the parent process ignored a signal, as `nohup` does. Always false except on
/// Linux.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
