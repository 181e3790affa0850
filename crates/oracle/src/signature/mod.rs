//! Failure signatures, which distinguish one failure from another.

mod assertion;
mod boilerplate;
mod calls;
mod compilers;
mod exception;
mod exit;
mod frames;
mod goroutine;
mod internal;
mod interpreter;
mod message;
mod panic;
mod recursion;
mod report;
mod run_time;
mod sanitizer;

#[cfg(test)]
mod pairs;

use crate::run::Run;
use crate::stack::Stack;
pub use message::Message;
use report::Report;
use std::fmt;

/// The kind of a failure. The most specific kind comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FailureKind {
    /// A report of AddressSanitizer, UndefinedBehaviorSanitizer, or a similar tool.
    Sanitizer,
    /// A message in which a compiler reports its own bug.
    InternalError,
    /// A failed assertion.
    Assertion,
    /// A panic (Rust, Go, Zig).
    Panic,
    /// An uncaught exception.
    Exception,
    /// A signal, without a more specific message.
    Signal,
    /// A non-zero exit code, without a more specific message.
    ExitCode,
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FailureKind::Sanitizer => "sanitizer",
            FailureKind::InternalError => "internal error",
            FailureKind::Assertion => "assertion",
            FailureKind::Panic => "panic",
            FailureKind::Exception => "exception",
            FailureKind::Signal => "signal",
            FailureKind::ExitCode => "exit",
        })
    }
}

/// The stable part of a failure, taken from the exit and the outputs of a run.
///
/// Two runs with the same failure on different inputs have matching signatures: addresses, process
/// numbers, temporary paths, quoted pieces of the input, and positions *inside the input* are left
/// out. Positions inside the program under test stay, since they identify a failure best.
///
/// If a run shows several kinds of failure, the first in the order of [`FailureKind`] counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    kind: FailureKind,
    what: String,
    frames: Vec<String>,
    is_general: bool,
}

/// The number of frames of a stack that count. The outer frames depend on the way from the input to
/// the failure, which changes during a reduction.
const FRAMES: usize = 3;

impl Signature {
    /// Returns the signature of the failure that a run shows. It is `None` if the run ended with
    /// exit code 0 and printed no known error message, or if it was cut short.
    ///
    /// The first and the last 256 KiB of each output are read.
    pub fn of(run: &Run) -> Option<Self> {
        if run.cut_short.is_some() {
            return None;
        }
        let report = Report::of(run);
        [
            recursion::find,
            sanitizer::find,
            internal::find,
            interpreter::find,
            assertion::find,
            panic::find,
            exception::find,
        ]
        .iter()
        .find_map(|find| find(&report))
        .or_else(|| exit::find(run, &report))
    }

    /// Returns the signature of a crash by its stack alone: the signal and the innermost functions
    /// of the program. `None` if no function of the stack is the program's own.
    pub fn of_stack(stack: &Stack) -> Option<Self> {
        let found = exit::of_crash(stack);
        (!found.frames.is_empty()).then_some(found)
    }

    /// Whether both are the same failure. The kind, the text, and the innermost function must be
    /// equal, and at least two of the three innermost functions must be in both in the same order.
    /// A signature with fewer functions requires fewer. Of exhausted stacks, the recursions must
    /// have a function in common.
    pub fn matches(&self, other: &Signature) -> bool {
        self.kind == other.kind
            && self.what == other.what
            && frames_match(&self.frames, &other.frames)
    }

    /// Returns the kind of the failure.
    pub fn kind(&self) -> FailureKind {
        self.kind
    }

    /// Returns the text that belongs to the failure.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// Returns the functions on the stack, the innermost first: at most three, without those of
    /// run-time libraries. Before them, or in place of them, is the recursion of an exhausted
    /// stack.
    pub fn frames(&self) -> &[String] {
        &self.frames
    }

    /// Whether both are the same failure as far as one can tell: the stack of one of them may not
    /// have been read.
    pub fn may_match(&self, other: &Signature) -> bool {
        let has_none = self.frames.is_empty() || other.frames.is_empty();
        let is_signal = self.kind == FailureKind::Signal && has_none;
        self.matches(other) || is_signal && self.kind == other.kind && self.what == other.what
    }

    /// Whether the signature has nothing that tells this failure of the program from others of its
    /// kind: no function, and no text but one that the program prints for all of them. Every crash
    /// of a program without symbols is one by the same signal.
    pub fn is_general(&self) -> bool {
        self.is_general
    }

    fn new(kind: FailureKind, what: impl Into<String>, frames: Vec<String>) -> Self {
        let mut frames = frames;
        let recursion = recursion::of_crash(&frames);
        // The depth of a recursion depends on the nesting of the input.
        frames.dedup();
        frames.truncate(FRAMES);
        frames.splice(0..0, recursion);
        Signature {
            kind,
            what: what.into(),
            frames,
            is_general: false,
        }
    }

    /// Makes a signature of a text that does not tell failures of the program apart. Functions do.
    fn general(kind: FailureKind, what: impl Into<String>, frames: Vec<String>) -> Self {
        let signature = Signature::new(kind, what, frames);
        Signature {
            is_general: signature.frames.is_empty(),
            ..signature
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.what)?;
        let mut prefix = " in ";
        self.frames.iter().try_for_each(|frame| {
            let written = write!(f, "{prefix}{frame}");
            prefix = " < ";
            written
        })
    }
}

/// Whether two stacks, the innermost function first and of at most three functions, are of one
/// failure, see [`Signature::matches`].
pub fn frames_match(one: &[String], other: &[String]) -> bool {
    if let Some(is_same) = recursion::is_same(one, other) {
        return is_same;
    }
    let needed = one.len().min(other.len()).min(2);
    one.first() == other.first() && in_common(one, other) >= needed
}

/// The length of the longest common subsequence of two lists of at most three elements.
fn in_common(one: &[String], other: &[String]) -> usize {
    match (one, other) {
        ([a, rest @ ..], [b, more @ ..]) if a == b => 1 + in_common(rest, more),
        ([_, rest @ ..], [_, more @ ..]) => in_common(rest, other).max(in_common(one, more)),
        _ => 0,
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::run::Exit;
    use std::path::PathBuf;

    pub(crate) fn run(exit: Exit, stderr: &str) -> Run {
        Run {
            stderr: Some(stderr.into()),
            inputs: vec![
                PathBuf::from("t.c"),
                PathBuf::from("t.py"),
                PathBuf::from("t.rs"),
            ],
            ..Run {
                exit,
                ..Run::refused(0)
            }
        }
    }

    /// The text of the signature of a run that printed this and ended with exit code 1.
    pub(crate) fn shown(stderr: &str) -> String {
        Signature::of(&run(Exit::Code(1), stderr)).map_or("none".into(), |found| found.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{run, shown};
    use super::*;
    use crate::run::Exit;

    fn with_frames(frames: &[&str]) -> Signature {
        let frames = frames.iter().map(|&frame| frame.to_owned()).collect();
        Signature::new(FailureKind::Sanitizer, "x", frames)
    }

    #[test]
    fn the_most_specific_kind_counts() {
        let both = "t: a.c:1: f: Assertion `x' failed.\n\
                    ==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0\n    #0 0x1 in g a.c:2\n";
        assert_eq!(shown(both), "sanitizer: AddressSanitizer: SEGV in g");
        let assertion = Signature::of(&run(Exit::Signal(6), both.lines().next().unwrap())).unwrap();
        assert_eq!(assertion.to_string(), "assertion: `x` at a.c:1");
    }

    #[test]
    fn the_stack_may_change_below_the_innermost_functions() {
        let this = with_frames(&["deref", "visit", "walk"]);
        assert!(this.matches(&with_frames(&["deref", "visit", "main"])));
        assert!(this.matches(&with_frames(&["deref", "walk"])));
        assert!(!this.matches(&with_frames(&["deref", "other", "main"])));
        assert!(!this.matches(&with_frames(&["visit", "walk"])));
        assert!(!this.matches(&with_frames(&[])));
    }

    #[test]
    fn recursion_counts_once() {
        let deep = with_frames(&["parse", "parse", "parse", "parse", "unit", "main"]);
        assert_eq!(deep.frames(), ["parse", "unit", "main"]);
    }

    #[test]
    fn a_run_with_exit_code_0_and_no_error_message_shows_no_failure() {
        assert_eq!(Signature::of(&run(Exit::Code(0), "all is well\n")), None);
    }

    #[test]
    fn text_on_standard_output_counts_as_well() {
        let mut run = run(Exit::Code(1), "make: *** [Makefile:3: all] Error 1\n");
        run.stdout = Some(b"t: x.c:7: f: Assertion `ok' failed.\n".to_vec());
        let shown = Signature::of(&run).unwrap().to_string();
        assert_eq!(shown, "assertion: `ok` at x.c:7");
    }
}
