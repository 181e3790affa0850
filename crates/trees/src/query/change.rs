use super::part::{Part, Roles};
use std::sync::Arc;

/// Returns a part without some parts within it, or `None` if the part needs them.
///
/// A part of a list, and a clause, are left out by themselves. Where a part is needed, the one
/// around it is left out: an expression with its operand, a clause with its only expression.
/// The result of a query becomes a literal.
pub(super) fn without(
    part: &Arc<Part>,
    literal: &'static str,
    is_gone: &impl Fn(&Part) -> bool,
) -> Option<Arc<Part>> {
    if is_gone(part) {
        return part
            .is(Roles::RESULTS)
            .then(|| part.around(vec![placeholder(part, literal)]));
    }
    let left: Vec<Option<Arc<Part>>> = part
        .children
        .iter()
        .map(|child| without(child, literal, is_gone))
        .collect();
    let pairs = || left.iter().zip(&part.children);
    if pairs().all(|(left, old)| left.as_ref().is_some_and(|left| Arc::ptr_eq(left, old))) {
        return Some(Arc::clone(part));
    }
    let children = list(&part.children, &left);
    if children.is_none() && part.is(Roles::RESULTS) {
        return Some(part.around(vec![placeholder(part, literal)]));
    }
    Some(part.around(children?))
}

/// Returns a literal that replaces the content of a part.
pub(super) fn placeholder(part: &Part, literal: &str) -> Arc<Part> {
    Part::token(part.id, Roles::EXPRESSION, literal)
}

/// Returns the parts of a list that are left, with separators between them.
fn list(parts: &[Arc<Part>], left: &[Option<Arc<Part>>]) -> Option<Vec<Arc<Part>>> {
    let separates = |at: Option<usize>| {
        at.and_then(|at| parts.get(at))
            .is_some_and(|part| part.is(Roles::SEPARATOR))
    };
    let is_member = |at: usize| separates(at.checked_sub(1)) || separates(Some(at + 1));
    let (mut kept, mut between) = (vec![], None);
    let (mut members, mut members_left) = (0, 0);
    for (at, (part, left)) in parts.iter().zip(left).enumerate() {
        if part.is(Roles::SEPARATOR) {
            between = left.clone();
            continue;
        }
        members += usize::from(is_member(at));
        let Some(left) = left else {
            if is_member(at) || part.is(Roles::CLAUSE) {
                continue;
            }
            return None;
        };
        if is_member(at) {
            if members_left > 0 {
                kept.extend(between.take());
            }
            members_left += 1;
        }
        between = None;
        kept.push(Arc::clone(left));
    }
    (members == 0 || members_left > 0).then_some(kept)
}

/// Returns a part with some inner parts replaced.
pub(super) fn put(part: &Arc<Part>, instead: &impl Fn(&Part) -> Option<Arc<Part>>) -> Arc<Part> {
    if let Some(other) = instead(part) {
        return other;
    }
    let each = part.children.iter().map(|child| put(child, instead));
    let children: Vec<Arc<Part>> = each.collect();
    let mut pairs = children.iter().zip(&part.children);
    match pairs.all(|(new, old)| Arc::ptr_eq(new, old)) {
        true => Arc::clone(part),
        false => part.around(children),
    }
}

/// Returns a part with the inner part of the given number replaced.
pub(super) fn put_one(part: &Arc<Part>, id: u32, with: &Arc<Part>) -> Arc<Part> {
    put(part, &|it| (it.id == id).then(|| Arc::clone(with)))
}

/// Returns the name by which the columns of a relation are meant.
pub(super) fn name_of(relation: &Part) -> Option<Vec<u8>> {
    let words = relation.children.iter().rev();
    let mut direct = words.filter(|part| part.is(Roles::WORD));
    match direct.next() {
        Some(alias) => alias.last_word(),
        None => reference(relation)?.last_word(),
    }
}

/// Returns the name of a table at the beginning of a part.
pub(super) fn reference(part: &Part) -> Option<&Part> {
    part.all(Roles::REFERENCE).into_iter().next()
}

/// Returns the names that the relations within a part have.
pub(super) fn relations_of(part: &Part) -> Vec<Vec<u8>> {
    let relations = part.all(Roles::RELATION);
    relations.into_iter().filter_map(name_of).collect()
}

/// Returns whether a part is a column of one of the given relations.
pub(super) fn is_column_of(part: &Part, relations: &[Vec<u8>]) -> bool {
    if !part.is(Roles::COLUMN) {
        return false;
    }
    let qualifier = reference(part).and_then(Part::last_word);
    qualifier.is_some_and(|name| relations.contains(&name))
}
