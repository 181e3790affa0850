//! Stacks of failures: their comparison, and the recursion of an exhausted stack.

use std::collections::BTreeMap;

/// The beginning of the only frame of such a signature.
const MARK: &str = "recursion of ";
const BETWEEN: &str = " ↔ ";
/// The largest number of functions that are kept. Those of a long cycle share the first ones in the
/// order of their names.
const MAX_FUNCTIONS: usize = 8;
/// The number of frames from which the stack of a crash may be used up. Tools print 256 at most.
const DEEP: usize = 200;

/// Returns whether two stacks show the same failure. A stack has at most three functions,
/// innermost first. See [`Signature::matches`](super::Signature::matches).
pub fn frames_match(one: &[String], other: &[String]) -> bool {
    if let Some(is_same) = is_same_recursion(one, other) {
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

/// Returns the recursion of a crash, if the stack is so deep that it may be exhausted, and consists
/// of this recursion. The signal says nothing of the reason.
pub(super) fn recursion_of_crash(stack: &[String]) -> Option<String> {
    if stack.len() < DEEP {
        return None;
    }
    let repeated = repeated(stack);
    let own = stack.iter().filter(|function| repeated.contains(function));
    let is_recursion = own.count() * 5 >= stack.len() * 4;
    is_recursion.then(|| recursion(stack)).flatten()
}

/// Returns the frame that represents a recursion, or `None` if no function occurs twice.
pub(super) fn recursion(stack: &[String]) -> Option<String> {
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

/// Returns whether two stacks are of one recursion; `None` if none of them is of a recursion.
/// Functions of two cycles that share one can all call each other. A stack that is not printed may
/// be of any.
fn is_same_recursion(one: &[String], other: &[String]) -> Option<bool> {
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
