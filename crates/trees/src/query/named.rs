use super::change::without;
use super::part::{Part, Roles};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Returns the names of the queries with names in a part that nothing in it uses.
fn unused(part: &Part) -> FxHashSet<Vec<u8>> {
    let named = part.all(Roles::NAMED);
    if named.is_empty() {
        return FxHashSet::default();
    }
    let mut open: Vec<&Part> = vec![part];
    let mut bodies: FxHashMap<Vec<u8>, Vec<&Part>> = FxHashMap::default();
    for query in named {
        bodies.entry(name(query)).or_default().push(query);
    }
    while let Some(part) = open.pop() {
        if part.is(Roles::REFERENCE) {
            let word = part.last_word().unwrap_or_default();
            let bodies = bodies.remove(&word).unwrap_or_default();
            open.extend(bodies.into_iter().flat_map(children));
        }
        // What is named counts only once it is used.
        open.extend(children(part).filter(|part| !part.is(Roles::NAMED)));
    }
    bodies.into_keys().collect()
}

fn children(part: &Part) -> impl Iterator<Item = &Part> {
    part.children.iter().map(|child| &**child)
}

/// Returns the name of a query: the first word in it.
fn name(query: &Part) -> Vec<u8> {
    let words = query.all(Roles::WORD);
    let first = words.first().and_then(|word| word.last_word());
    first.unwrap_or_default()
}

/// Returns the queries with names that something uses, and the clauses that have no others: these
/// are removed with their last use.
pub(super) fn used(part: &Part) -> FxHashSet<u32> {
    let unused = unused(part);
    let is_used = |query: &Part| query.is(Roles::NAMED) && !unused.contains(&name(query));
    let is_free = |query: &Part| query.is(Roles::NAMED) && unused.contains(&name(query));
    let all = part.all(Roles::NAMED.with(Roles::CLAUSE)).into_iter();
    let used =
        all.filter(|it| is_used(it) || children(it).any(is_used) && !children(it).any(is_free));
    used.map(|part| part.id).collect()
}

/// Returns a part without the queries with names that a change has made needless. Those that
/// nothing used before may be what is needed.
pub(super) fn without_needless(
    before: &Part,
    after: Arc<Part>,
    literal: &'static str,
) -> Arc<Part> {
    let needless = unused(&after);
    if needless.is_empty() {
        return after;
    }
    let old = unused(before);
    let is_needless = |part: &Part| {
        part.is(Roles::NAMED) && {
            let name = name(part);
            needless.contains(&name) && !old.contains(&name)
        }
    };
    without(&after, literal, &is_needless).unwrap_or(after)
}

/// Returns a query with those of the queries with names before its statement that it uses; `None`
/// if it uses none.
pub(super) fn with_named(
    unit: &Part,
    query: &Arc<Part>,
    literal: &'static str,
) -> Option<Arc<Part>> {
    let is_list = |clause: &&Part| clause.children.iter().any(|part| part.is(Roles::NAMED));
    let clause = unit.all(Roles::CLAUSE).into_iter().find(is_list)?;
    let clause = clause.around(clause.children.clone());
    let space = Part::token(u32::MAX, Roles::default(), "");
    let whole = query.around(vec![clause, space, Arc::clone(query)]);
    let needless = unused(&whole);
    let is_needless = |part: &Part| part.is(Roles::NAMED) && needless.contains(&name(part));
    let whole = without(&whole, literal, &is_needless)?;
    (!whole.all(Roles::NAMED).is_empty()).then_some(whole)
}
