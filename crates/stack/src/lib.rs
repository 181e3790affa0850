//! The stack of a program at the signal that kills it.
//!
//! [`trace`] runs a command and everything that it starts under `ptrace`. When one of these
//! processes is about to be killed by a signal such as SIGSEGV, its stack is read: from the unwind
//! tables that every compiler writes (`.eh_frame`), with the names of its symbols, and with inlined
//! functions where there is debug information. No debugger, no core file, and no sanitizer is
//! needed, and the program runs at its usual speed: it stops only when a process or a thread starts
//! or ends, and at signals.
//!
//! A process that handles a signal and continues has not crashed. A process that handles the signal
//! and then exits with a code other than 0, such as a program whose handler prints a message, has
//! crashed. Its stack is read at its exit, and includes the frames of the handler.
//! [`Crash::frames`] describes how to find these frames.
//!
//! The traced processes end when the process of the tracing thread ends, so a program that traces
//! should do nothing else. [`trace`] waits for any child process of the caller.
//!
//! Linux on `x86_64` and `AArch64` only; elsewhere [`trace`] returns an error. A program of 32 bits
//! has no stack.
//!
//! ```
//! use std::process::Command;
//!
//! let mut command = Command::new("sh");
//! command.args(["-c", "kill -ABRT $$"]);
//! match nubbin_stack::trace(&mut command) {
//!     Ok(traced) => assert_eq!(traced.crash.unwrap().signal, 6),
//!     // Another system, or one that forbids tracing.
//!     Err(error) => eprintln!("{error}"),
//! }
//! ```

#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of any kind")
)]

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod linux;

use std::fmt;
use std::path::PathBuf;
use std::process::ExitStatus;

/// A command that was traced to its end.
#[derive(Debug)]
pub struct Traced {
    /// The exit status of the command itself.
    pub status: ExitStatus,
    /// The first crash of the command or of a process that it started. A signal sent by `kill` does
    /// not count, except SIGABRT.
    pub crash: Option<Crash>,
}

/// A process that was killed by a signal of the system, or that exited in a signal handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    /// The number of the signal.
    pub signal: i32,
    /// The frames of the stack, innermost first: at most [`MOST_FRAMES`]. Frames up to the
    /// system's call of a signal handler ([`Frame::is_trampoline`]) belong to the handler.
    pub frames: Vec<Frame>,
}

/// The maximum number of frames that are read. An exhausted stack has far more frames, which
/// repeat.
pub const MOST_FRAMES: usize = 300;

/// A frame of a stack: a function that has been called. An inlined function has its own frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The name of the function, without the types of its parameters, template arguments, and the
    /// marks of compilers for copies of functions. `None` without symbols, and in the C library.
    pub name: Option<String>,
    /// The program or library that has the code. `None` if the code is in no file, such as the code
    /// of a just-in-time compiler.
    pub module: Option<PathBuf>,
    /// The position of the function in the module, or of the instruction if no table has the start
    /// of the function. The offset does not depend on the address of the module in memory.
    pub offset: u64,
    /// Whether the frame is the system's call of a signal handler.
    pub is_trampoline: bool,
}

impl fmt::Display for Frame {
    /// Writes the frame in the form that sanitizers print after the frame's number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#014x}", self.offset)?;
        match &self.name {
            _ if self.is_trampoline => write!(f, " in __restore_rt")?,
            Some(name) => write!(f, " in {name}")?,
            // Code that was generated at run time, or an address without code.
            None if self.module.is_none() => write!(f, " in ??")?,
            None => {}
        }
        match &self.module {
            Some(module) => write!(f, " ({}+{:#x})", module.display(), self.offset),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Crash {
    /// Writes a line for each frame, in the form of sanitizers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut frames = self.frames.iter().enumerate();
        frames.try_for_each(|(number, frame)| writeln!(f, "    #{number} {frame}"))
    }
}

/// Runs a command to its end, and reads the stack of the first of its processes that crashes.
///
/// # Errors
/// Returns an error if the command cannot be started or the system does not allow it to be traced.
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
pub fn trace(command: &mut std::process::Command) -> std::io::Result<Traced> {
    linux::trace(command)
}

/// Runs a command to its end, and reads the stack of the first of its processes that crashes.
///
/// # Errors
/// Always returns an error on this system, which has no such interface.
#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
pub fn trace(command: &mut std::process::Command) -> std::io::Result<Traced> {
    let _ = command;
    Err(std::io::ErrorKind::Unsupported.into())
}
