//! Ctrl-C and its like.

use crate::exit::Exit;
use crate::problem::{Problem, say};
use nubbin_reduce::engine::Stop;

/// Stops the run cleanly, with the best so far; at once if it is called a second time.
pub(crate) fn interrupt(stop: &Stop) {
    if stop.is_requested() {
        crate::terminal::give_back();
        say("nubbin: stopped at once");
        std::process::exit(Exit::Stopped as i32);
    }
    stop.request();
}

/// The first signal ends the run cleanly, with the best so far; the second ends it at once.
pub(crate) fn stop_on_signals(stop: Stop) -> Result<(), Problem> {
    listen(move || interrupt(&stop))
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
    use std::time::Duration;
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
