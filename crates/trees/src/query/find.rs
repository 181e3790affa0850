use super::part::{Part, Roles};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Returns the outermost parts within some others, or within a whole statement, for which a
/// condition holds. The condition is told whether the part is one of a list.
pub(super) fn outermost(
    unit: &Arc<Part>,
    within: &[u32],
    fits: &impl Fn(&Part, bool) -> bool,
) -> Vec<u32> {
    let within: FxHashSet<u32> = within.iter().copied().collect();
    let mut found = vec![];
    let mut todo = vec![(unit, within.is_empty())];
    while let Some((part, is_within)) = todo.pop() {
        let separates = |at: Option<usize>| {
            let part = at.and_then(|at| part.children.get(at));
            part.is_some_and(|part| part.is(Roles::SEPARATOR))
        };
        let mut below = vec![];
        let is_within = is_within || within.contains(&part.id);
        for (at, child) in part.children.iter().enumerate() {
            let is_sign = child.is(Roles::SEPARATOR);
            let is_member = !is_sign && (separates(at.checked_sub(1)) || separates(Some(at + 1)));
            if is_within && fits(child, is_member) {
                found.push(child.id);
            } else {
                below.push((child, is_within));
            }
        }
        todo.extend(below.into_iter().rev());
    }
    found
}

pub(super) fn find(part: &Arc<Part>, id: u32) -> Option<&Part> {
    let mut found = None;
    part.each(&mut |part| {
        if part.id == id {
            found = found.or(Some(part));
        }
    });
    found
}

/// Returns the nearest expressions within an expression.
pub(super) fn operands(part: &Part, found: &mut Vec<Arc<Part>>) {
    for child in &part.children {
        match child.is(Roles::EXPRESSION) {
            true => found.push(Arc::clone(child)),
            false => operands(child, found),
        }
    }
}
