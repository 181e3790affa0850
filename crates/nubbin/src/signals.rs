//! Ctrl-C and its like.

use crate::exit::Exit;
use crate::problem::{Problem, say};
use nubbin_reduce::engine::Stop;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Somebody wants an end, by signal or by key: cleanly, with the best so far; the second time at
/// once.
pub(crate) fn interrupt(stop: &Stop) {
    if stop.is_requested() {
        crate::reduce::view::terminal::give_back();
        say("nubbin: stopped at once");
        std::process::exit(Exit::Stopped as i32);
    }
    stop.request();
}

/// The first signal ends the run cleanly, with the best so far; the second ends it at once.
pub(crate) fn stop_on_signals(stop: Stop) -> Result<(), Problem> {
    let cannot = |error: std::io::Error| {
        Problem::new(Exit::Test, "cannot listen for Ctrl-C").because(&error)
    };
    let wanted = [SIGINT, SIGTERM, SIGHUP]
        .into_iter()
        .filter(|&signal| !is_ignored(signal));
    let mut signals = signal_hook::iterator::Signals::new(wanted).map_err(cannot)?;
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            for _ in signals.forever() {
                interrupt(&stop);
            }
        })
        .map_err(cannot)?;
    Ok(())
}

/// Whether whoever started this wants it to survive a signal, as `nohup` does.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
