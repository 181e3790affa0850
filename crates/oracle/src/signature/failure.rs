use super::stacks::{self, frames_match};
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
/// out. Positions inside the program under test are kept, since they identify a failure best.
///
/// If a run shows several kinds of failure, the signature has the first kind in the order of
/// [`FailureKind`].
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
    /// Returns whether both signatures show the same failure. The kind, the text, and the innermost
    /// function must be equal, and at least two of the three innermost functions must be in both
    /// signatures in the same order. A signature with fewer functions requires fewer. For exhausted
    /// stacks, the recursions must have a function in common.
    pub fn matches(&self, other: &Signature) -> bool {
        self.kind == other.kind
            && self.what == other.what
            && frames_match(&self.frames, &other.frames)
    }

    /// Returns the kind of the failure.
    pub fn kind(&self) -> FailureKind {
        self.kind
    }

    /// Returns the message of the failure, without the parts that depend on the input.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// Returns the functions on the stack, innermost first: at most three, without functions of
    /// run-time libraries. For an exhausted stack, the recursion comes before them or replaces
    /// them.
    pub fn frames(&self) -> &[String] {
        &self.frames
    }

    /// Returns whether both signatures may show the same failure: equal, or the stack of one
    /// failure may not have been read.
    pub fn may_match(&self, other: &Signature) -> bool {
        let has_none = self.frames.is_empty() || other.frames.is_empty();
        let is_signal = self.kind == FailureKind::Signal && has_none;
        self.matches(other) || is_signal && self.kind == other.kind && self.what == other.what
    }

    /// Returns whether the signature does not distinguish this failure from other failures of its
    /// kind: it has no function, and no text except a text that the program prints for all of them.
    /// For a program without symbols, all crashes by one signal have the same signature.
    pub fn is_general(&self) -> bool {
        self.is_general
    }

    pub(super) fn new(kind: FailureKind, what: impl Into<String>, frames: Vec<String>) -> Self {
        let mut frames = frames;
        let recursion = stacks::recursion_of_crash(&frames);
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

    /// Creates a signature from a text that does not distinguish failures of the program. Functions
    /// do.
    pub(super) fn general(kind: FailureKind, what: impl Into<String>, frames: Vec<String>) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn with_frames(frames: &[&str]) -> Signature {
        let frames = frames.iter().map(|&frame| frame.to_owned()).collect();
        Signature::new(FailureKind::Sanitizer, "x", frames)
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
}
