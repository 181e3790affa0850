//! Exhausted stacks: the functions that call each other, and not the innermost ones, are the
//! failure.
//!
//! The innermost functions of such a stack are those that ran when the space was used up, and
//! change with every edit of the input.

use super::report::Report;
use super::{FailureKind, Signature, frames, stacks};

/// Finds a stack that is used up, as sanitizers and Rust report it, and in the crash of any program
/// that prints its stack.
pub(super) fn find(report: &Report) -> Option<Signature> {
    let named =
        |what: String, stack: &[String]| Some(signature(FailureKind::Sanitizer, what, stack));
    for (at, line) in report.lines.iter().enumerate() {
        let tool = |mark: &str| {
            let (_, rest) = line.split_once(mark)?;
            let (tool, rest) = rest.split_once(": ")?;
            (tool.ends_with("Sanitizer") && rest.starts_with("stack-overflow")).then_some(tool)
        };
        if let Some(tool) = tool("ERROR: ") {
            let stack = frames::functions(&report.lines[at + 1..], report);
            return named(format!("{tool}: stack-overflow"), &stack);
        }
        if line.contains("unexpectedly overflowed its stack") {
            let stack = frames::functions(&report.lines, report);
            let what = "rustc stack overflow".to_owned();
            return Some(signature(FailureKind::InternalError, what, &stack));
        }
    }
    None
}

/// Returns the signature of a stack that is used up, from its functions in any order.
pub(super) fn signature(kind: FailureKind, what: String, stack: &[String]) -> Signature {
    Signature::new(kind, what, stacks::recursion(stack).into_iter().collect())
}
