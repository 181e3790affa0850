use super::change::{put_one, without};
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
        // The body of a named query counts only once the name is used.
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

/// Returns a part without the queries with names that a change has made needless. A query that was
/// already unused may be needed, so it is kept.
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

/// Returns a query with those named queries before its statement that it uses, or `None` if it uses
/// no named query.
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

/// Returns the names of the queries with names that one relation means, in the order of the text.
pub(super) fn used_once(part: &Part) -> Vec<Vec<u8>> {
    let names = part.all(Roles::NAMED).into_iter().map(name);
    names
        .filter(|name| only_use(part, name).is_some())
        .collect()
}

/// Returns a part in which queries with names replace their only uses; `None` if no query has
/// moved.
pub(super) fn inlined(
    part: &Arc<Part>,
    names: &[Vec<u8>],
    literal: &'static str,
) -> Option<Arc<Part>> {
    let mut now = Arc::clone(part);
    for name in names {
        if let Some(relation) = only_use(&now, name).and_then(|it| with_body(&now, it, name)) {
            let moved = put_one(&now, relation.id, &relation);
            // Columns are qualified by the name of the relation, which is now the name of the
            // alias.
            let is_moved = |part: &Part| part.is(Roles::NAMED) && self::name(part) == *name;
            now = without(&moved, literal, &is_moved)?;
        }
    }
    (!Arc::ptr_eq(&now, part)).then_some(now)
}

/// Returns the only relation that means a query with a name. Returns `None` if several do, as in a
/// recursive query.
fn only_use<'p>(part: &'p Part, name: &[u8]) -> Option<&'p Part> {
    let means = |part: &&Part| {
        let reference = own_reference(part).and_then(Part::last_word);
        reference.as_deref() == Some(name)
    };
    let mut uses = part.all(Roles::RELATION).into_iter().filter(means);
    uses.next().filter(|_| uses.next().is_none())
}

/// Returns the name of the table or query that a relation means; `None` if the relation is a query.
fn own_reference(relation: &Part) -> Option<&Part> {
    let mut open: Vec<&Part> = children(relation).collect();
    open.reverse();
    while let Some(part) = open.pop() {
        if part.is(Roles::REFERENCE) {
            return Some(part);
        }
        let is_query = part.is(Roles::SELECT.with(Roles::COMBINED).with(Roles::RELATION));
        if !is_query {
            open.extend(part.children.iter().rev().map(|part| &**part));
        }
    }
    None
}

/// Returns the parts of the query within a part, with the brackets around the query.
fn in_brackets(part: &Part) -> Option<&[Arc<Part>]> {
    let is_sign = |part: &Part, sign: &[u8]| {
        let token = part.token.as_ref();
        token.is_some_and(|(_, text)| **text == *sign)
    };
    let heads = Roles::SELECT.with(Roles::COMBINED);
    let has_head = |part: &Arc<Part>| !part.all(heads).is_empty();
    let head = part.children.iter().position(has_head)?;
    let start = head
        .checked_sub(1)
        .filter(|before| is_sign(&part.children[*before], b"("));
    let Some(start) = start else {
        return in_brackets(&part.children[head]);
    };
    let end = part.children.iter().rposition(|part| is_sign(part, b")"))?;
    (end > start).then(|| &part.children[start..=end])
}

/// Returns a relation with the query that it means in brackets, and the name of the query as the
/// alias.
fn with_body(part: &Part, relation: &Part, meant: &[u8]) -> Option<Arc<Part>> {
    let named = part.all(Roles::NAMED).into_iter();
    let query = named.into_iter().find(|query| name(query) == meant)?;
    let body = in_brackets(query)?;
    let has_alias = relation.children.iter().any(|part| part.is(Roles::WORD));
    let reference = own_reference(relation)?;
    let mut parts = vec![];
    for child in &relation.children {
        let body = reference.around(body.to_vec());
        parts.push(put_one(child, reference.id, &body));
    }
    if !has_alias {
        let alias = str::from_utf8(meant).ok()?;
        parts.push(Part::token(u32::MAX, Roles::WORD, alias));
    }
    Some(relation.around(parts))
}
