//! Gives a test default signal dispositions and an empty signal mask.
//!
//! A process inherits ignored signals and the signal mask from its parent. A parent that ignores
//! SIGHUP (`nohup`), SIGINT (a background job of a script), or SIGXFSZ would change the behavior of
//! a test, and with SIGXFSZ ignored nubbin would not notice that a file hit the size limit.
//!
//! The standard library resets only SIGPIPE. A program with several threads must not change its own
//! dispositions or mask to start a process, so they are reset between fork and exec. For that the
//! standard library copies this process instead of sharing its memory with the new one, which costs
//! up to a millisecond for each 100 MB. So it is done only if there is something to reset.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// The numbers that signals may have. The system calls refuse a number without a signal.
fn numbers() -> std::ops::Range<libc::c_int> {
    1..if cfg!(target_os = "linux") { 65 } else { 32 }
}

/// The signal settings of this process and this thread that differ from the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Inherited {
    /// One bit for each signal, the first for signal 1.
    ignored: u64,
    has_mask: bool,
}

/// Makes the command start with default signals, even if this process was not. The thread that
/// starts the command must call this.
#[expect(
    unsafe_code,
    reason = "only between fork and exec can signals be reset without changing this process"
)]
pub(crate) fn reset(command: &mut Command) {
    let inherited = inherited();
    if inherited == Inherited::default() {
        return;
    }
    // SAFETY: the closure allocates nothing, takes no lock and calls only `signal` and
    // `sigprocmask`, which may be called between fork and exec.
    unsafe {
        command.pre_exec(move || reset_here(inherited));
    }
}

#[expect(unsafe_code, reason = "the system has no other interface")]
fn inherited() -> Inherited {
    let mut inherited = Inherited::default();
    for number in numbers() {
        // The standard library resets this signal.
        if number == libc::SIGPIPE {
            continue;
        }
        // SAFETY: all zeros are a valid `sigaction`, and without a new action the call only writes
        // the current one to the given place.
        let is_ignored = unsafe {
            let mut present: libc::sigaction = std::mem::zeroed();
            libc::sigaction(number, std::ptr::null(), &raw mut present) == 0
                && present.sa_sigaction == libc::SIG_IGN
        };
        inherited.ignored |= u64::from(is_ignored) << (number - 1);
    }
    // SAFETY: all zeros are a valid set of signals, and without a new mask the call only writes the
    // current one to the given place.
    unsafe {
        let mut mask: libc::sigset_t = std::mem::zeroed();
        if libc::pthread_sigmask(libc::SIG_SETMASK, std::ptr::null(), &raw mut mask) == 0 {
            inherited.has_mask =
                numbers().any(|number| libc::sigismember(&raw const mask, number) == 1);
        }
    }
    inherited
}

/// Resets the signals of the calling process. It is called between fork and exec.
#[expect(unsafe_code, reason = "the system has no other interface")]
fn reset_here(inherited: Inherited) -> io::Result<()> {
    for number in numbers() {
        if inherited.ignored >> (number - 1) & 1 == 1 {
            // SAFETY: the default action runs no code of this program.
            unsafe { libc::signal(number, libc::SIG_DFL) };
        }
    }
    if inherited.has_mask {
        // SAFETY: the set is made empty before it is read.
        unsafe {
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&raw mut none);
            libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
        }
    }
    Ok(())
}
