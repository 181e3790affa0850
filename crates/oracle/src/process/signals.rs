//! Gives a test default signal dispositions and an empty signal mask.
//!
//! A process inherits ignored signals and the signal mask from its parent. A parent that ignores
//! SIGHUP (`nohup`), SIGINT (a background job of a script) or SIGXFSZ would change what a test
//! does, and with SIGXFSZ ignored the limit on the size of files would go unnoticed.
//!
//! The standard library resets nothing but SIGPIPE. A program with several threads must not change
//! its own dispositions or mask just to start a process, so they are reset between fork and exec.
//! That makes the standard library copy this process instead of sharing its memory with the new
//! one, which costs up to a millisecond for each 100 MB; so it is done only where something is to
//! be reset.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// Numbers of the signals that a system may have. The system calls refuse a number without a
/// signal.
fn numbers() -> std::ops::Range<libc::c_int> {
    1..if cfg!(target_os = "linux") { 65 } else { 32 }
}

/// Signals that differ from the default in this process or this thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Inherited {
    /// One bit for each signal, the first for signal 1.
    ignored: u64,
    has_mask: bool,
}

/// Has the command start with default signals whatever this process was started with. To be
/// called by the thread that starts the command.
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
        // Reset by the standard library.
        if number == libc::SIGPIPE {
            continue;
        }
        // SAFETY: all zeros are a valid `sigaction`, and without a new action the call only
        // writes the present one to the place given.
        let is_ignored = unsafe {
            let mut present: libc::sigaction = std::mem::zeroed();
            libc::sigaction(number, std::ptr::null(), &raw mut present) == 0
                && present.sa_sigaction == libc::SIG_IGN
        };
        inherited.ignored |= u64::from(is_ignored) << (number - 1);
    }
    // SAFETY: all zeros are a valid set of signals, and without a new mask the call only writes
    // the present one to the place given.
    unsafe {
        let mut mask: libc::sigset_t = std::mem::zeroed();
        if libc::pthread_sigmask(libc::SIG_SETMASK, std::ptr::null(), &raw mut mask) == 0 {
            inherited.has_mask =
                numbers().any(|number| libc::sigismember(&raw const mask, number) == 1);
        }
    }
    inherited
}

/// Runs between fork and exec.
#[expect(unsafe_code, reason = "the system has no other interface")]
fn reset_here(inherited: Inherited) -> io::Result<()> {
    for number in numbers() {
        if inherited.ignored >> (number - 1) & 1 == 1 {
            // SAFETY: the default action has no code of this program.
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
