use super::style;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::PanicHookInfo;

/// The address to which bugs of nubbin are reported.
pub const REPORTS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/issues");

/// Prints panics as errors in a visible form, since the message of a panic may quote the input. The
/// run itself reports a panic in an optional part, with the name of the pass.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        if nubbin_verdict::contains(panic) {
            return;
        }
        super::say(&report(panic));
        let backtrace = Backtrace::capture();
        if backtrace.status() == BacktraceStatus::Captured {
            super::say(&backtrace.to_string());
        }
    }));
}

fn report(panic: &PanicHookInfo<'_>) -> String {
    let place = panic.location().map(|place| format!(" ({place})"));
    let message = nubbin_verdict::Panicked::new(panic.payload()).message;
    format!(
        "{} nubbin has a bug: {message}{}\n{} report this line, and how to get it, at {REPORTS}; \
         `RUST_BACKTRACE=1` adds the functions that led to the bug",
        style("error:").red().bold(),
        place.unwrap_or_default(),
        style("hint:").cyan(),
    )
}
