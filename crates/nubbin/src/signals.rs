//! Ctrl-C and its like.

use crate::exit::Exit;
use crate::output::write;
use crate::problem::{Problem, say};
use nubbin_reduce::engine::Stop;
use std::time::Duration;

/// The longest time that a stop at once waits for tests to end and for their files to be removed.
const PATIENCE: Duration = Duration::from_secs(2);

/// Stops the run cleanly, with the best so far; at once if it is called a second time.
pub(crate) fn interrupt(stop: &Stop) {
    if stop.is_requested() {
        stop_at_once();
    }
    stop.request();
}

/// Ends this process, but leaves nothing: no process, no folder, no unfinished file. The terminal
/// comes last, since it may take nothing any more.
fn stop_at_once() -> ! {
    let _complete = write::hold(PATIENCE);
    nubbin_oracle::abandon(PATIENCE);
    crate::terminal::give_back();
    say("nubbin: stopped at once");
    std::process::exit(Exit::Stopped as i32);
}

/// The first signal ends the run cleanly, with the best so far; the second ends it at once.
pub(crate) fn stop_on_signals(stop: Stop) -> Result<(), Problem> {
    listen(move || interrupt(&stop))
        .map_err(|error| Problem::new(Exit::Test, "cannot listen for Ctrl-C").because(&error))
}

/// Ends a command that writes everything at once, and the programs that it has started.
pub(crate) fn end_on_signals() -> Result<(), Problem> {
    listen(|| stop_at_once())
        .map_err(|error| Problem::new(Exit::Test, "cannot listen for Ctrl-C").because(&error))
}

/// Has `heard` called for every signal that asks for an end.
#[cfg(unix)]
fn listen(heard: impl Fn() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let wanted = [SIGINT, SIGTERM, SIGHUP]
        .into_iter()
        .filter(|&signal| !is_ignored(signal));
    let mut signals = signal_hook::iterator::Signals::new(wanted)?;
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || signals.forever().for_each(|_| heard()))?;
    Ok(())
}

/// Calls `heard` for every Ctrl-C. This system has nothing to wait on, so a thread polls.
#[cfg(not(unix))]
fn listen(heard: impl Fn() + Send + 'static) -> std::io::Result<()> {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    const LOOK: Duration = Duration::from_millis(50);

    let is_pressed = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&is_pressed))?;
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            loop {
                std::thread::sleep(LOOK);
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
