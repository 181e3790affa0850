use std::backtrace::{Backtrace, BacktraceStatus};

/// Reports panics as Rust does, but through the boundary: the message of a panic may quote the
/// input.
pub(crate) fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let thread = std::thread::current();
        let name = thread.name().unwrap_or("<unnamed>");
        super::say(&format!("\nthread '{name}' {panic}"));
        let backtrace = Backtrace::capture();
        match backtrace.status() {
            BacktraceStatus::Captured => super::say(&backtrace.to_string()),
            _ => super::say("note: run with `RUST_BACKTRACE=1` for the functions it came from"),
        }
    }));
}
