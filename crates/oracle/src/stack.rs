//! The stack at the signal that ended a process of a test.

use crate::process::Command;
use std::ffi::OsString;
use std::fs::File;
use std::io;

/// The number of the file to which the tracer writes, in the tracer.
#[cfg(target_os = "linux")]
const NUMBER: i32 = 196;

/// The largest report that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// The frame by which a system calls a signal handler.
const TRAMPOLINE: &str = " in __restore_rt";

/// The beginning of a report of a crash.
const SIGNAL: &str = "signal ";

/// A command line that runs a test and reports its stack at a crash.
///
/// Its program runs the command of the test, ends as the command does, and writes a report
/// ([`Stack::report`]) to the file whose path is the word before the command. The tracer may also
/// trace every process that the command starts. Linux only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tracer {
    words: Vec<OsString>,
}

impl Tracer {
    /// Creates a tracer from its program and arguments. The path of the report and the command are
    /// added at the end.
    pub fn new(words: Vec<OsString>) -> Self {
        Tracer { words }
    }

    /// Puts the words before a command, and returns the file of the report.
    #[cfg(target_os = "linux")]
    pub(crate) fn put_before(&self, command: &mut Command) -> io::Result<File> {
        use rustix::fs::{MemfdFlags, memfd_create};
        let file = memfd_create("nubbin-stack", MemfdFlags::CLOEXEC)?;
        let place = OsString::from(format!("/proc/self/fd/{NUMBER}"));
        let words = self.words.iter().cloned().chain([place]);
        command.put_behind(words);
        command.pass(file.try_clone()?, NUMBER);
        Ok(File::from(file))
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn put_before(&self, command: &mut Command) -> io::Result<File> {
        let _ = command;
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// The stack of the first process of a run that crashed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stack {
    signal: i32,
    lines: Vec<String>,
}

impl Stack {
    /// Creates the stack of a crash from the number of the signal and a line for each frame,
    /// innermost first, in the format of sanitizers. `__restore_rt` is the function by which the
    /// system calls a signal handler.
    pub fn new(signal: i32, frames: &str) -> Self {
        let lines = frames.lines().filter(|line| !line.trim().is_empty());
        Stack {
            signal,
            lines: lines.map(str::to_owned).collect(),
        }
    }

    /// Returns the text with which a tracer reports a stack.
    pub fn report(&self) -> String {
        let lines: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        format!("{SIGNAL}{}\n{lines}", self.signal)
    }

    /// Reads the report of a tracer; `None` if nothing crashed.
    pub(crate) fn read(file: &File) -> Option<Self> {
        use io::{Read as _, Seek as _};
        let mut file = file;
        let mut bytes = Vec::new();
        file.rewind().ok()?;
        file.take(LONGEST).read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let (first, frames) = text.split_once('\n')?;
        let signal = first.strip_prefix(SIGNAL)?.parse().ok()?;
        Some(Stack::new(signal, frames))
    }

    /// The number of the signal.
    pub fn signal(&self) -> i32 {
        self.signal
    }

    /// Returns the frames, innermost first, without frames of a signal handler.
    pub fn frames(&self) -> &[String] {
        let is_call = |line: &String| line.contains(TRAMPOLINE);
        let behind = self.lines.iter().rposition(is_call).map_or(0, |at| at + 1);
        &self.lines[behind..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn a_report_is_read_as_it_was_written() {
        let stack = Stack::new(
            11,
            "    #0 0x1 in f (/a+0x1)\n    #1 0x2 in main (/a+0x2)\n",
        );
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(stack.report().as_bytes()).unwrap();
        assert_eq!(Stack::read(&file), Some(stack));
        assert_eq!(Stack::read(&tempfile::tempfile().unwrap()), None);
    }

    #[test]
    fn the_frames_of_a_handler_are_no_frames() {
        let text = "#0 0x1 in _exit (/libc.so.6+0x1)\n#1 0x1 in onsegv (/a+0x1)\n\
                    #2 0x1 in __restore_rt (/libc.so.6+0x2)\n#3 0x1 in f (/a+0x3)\n";
        assert_eq!(Stack::new(11, text).frames(), ["#3 0x1 in f (/a+0x3)"]);
    }
}
