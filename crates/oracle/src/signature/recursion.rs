//! Exhausted stacks: the functions that call each other, and not the innermost ones, are the
//! failure.
//!
//! The innermost functions of such a stack are those that ran when the space was used up, and
//! change with every edit of the input.

use super::report::Report;
use super::{FailureKind, Signature, frames, frames_match};
use std::collections::BTreeMap;

/// The beginning of the only frame of such a signature.
const MARK: &str = "recursion of ";
const BETWEEN: &str = " ↔ ";
/// The largest number of functions that are kept. Those of a long cycle share the first ones in the
/// order of their names.
const MAX_FUNCTIONS: usize = 8;
/// The number of frames from which the stack of a crash may be used up. Tools print 256 at most.
const DEEP: usize = 200;

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
    Signature::new(kind, what, frame(stack).into_iter().collect())
}

/// Returns the recursion of a crash, if its stack is so deep that it may be used up, and consists
/// of it. The signal says nothing of the reason.
pub(super) fn of_crash(stack: &[String]) -> Option<String> {
    if stack.len() < DEEP {
        return None;
    }
    let repeated = repeated(stack);
    let own = stack.iter().filter(|function| repeated.contains(function));
    let is_recursion = own.count() * 5 >= stack.len() * 4;
    is_recursion.then(|| frame(stack)).flatten()
}

/// Returns the frame that stands for a recursion; `None` if no function is there twice.
fn frame(stack: &[String]) -> Option<String> {
    let mut functions = repeated(stack);
    functions.truncate(MAX_FUNCTIONS);
    let functions: Vec<&str> = functions.into_iter().map(String::as_str).collect();
    (!functions.is_empty()).then(|| format!("{MARK}{}", functions.join(BETWEEN)))
}

/// Returns the functions that are in a stack more than once, in the order of their names.
fn repeated(stack: &[String]) -> Vec<&String> {
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    for function in stack {
        *counts.entry(function).or_default() += 1;
    }
    let often = counts.into_iter().filter(|&(_, count)| count > 1);
    often.map(|(function, _)| function).collect()
}

/// Whether two stacks are of one recursion; `None` if none of them is of a recursion. Functions of
/// two cycles that share one can all call each other. A stack that is not printed may be of any.
pub(super) fn is_same(one: &[String], other: &[String]) -> Option<bool> {
    match (split(one), split(other)) {
        (None, None) => None,
        (Some((one, _)), Some((other, _))) => Some(
            one.split(BETWEEN)
                .any(|function| other.split(BETWEEN).any(|it| it == function)),
        ),
        (Some((_, innermost)), None) => Some(frames_match(innermost, other)),
        (None, Some((_, innermost))) => Some(frames_match(one, innermost)),
    }
}

/// Splits a stack into the functions of its recursion and the innermost ones.
fn split(stack: &[String]) -> Option<(&str, &[String])> {
    let (first, innermost) = stack.split_first()?;
    Some((first.strip_prefix(MARK)?, innermost))
}
