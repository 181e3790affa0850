use super::change::{is_column_of, relations_of, without};
use super::named::with_named;
use super::part::{Part, Roles};
use nubbin_grammar::conventions::Queries;
use std::sync::Arc;

/// The number of queries within one that are tried in its place at most.
const MAX_PARTS: usize = 6;

/// The number of them that are tried both as a value and by themselves.
const MAX_PLAIN: usize = 3;

/// Returns the statements that the queries within a statement make, smallest first. A query that
/// stands for a value first becomes the only value of a new query, since the failure may be that
/// the query has several rows. Last, the query becomes the statement itself.
///
/// Conditions and results that mean a column of a table around the query are left out. Queries with
/// names that it uses are kept before it.
pub(super) fn wholes(unit: &Arc<Part>, rules: &Queries) -> Vec<Arc<Part>> {
    let literal = rules.literals.first().copied().unwrap_or("0");
    let all = relations_of(unit);
    let mut found: Vec<(Arc<Part>, Option<Arc<Part>>)> = vec![];
    for (query, is_value) in queries(unit) {
        let whole = unit.around(query);
        let own = relations_of(&whole);
        let outer: Vec<Vec<u8>> = all
            .iter()
            .filter(|name| !own.contains(name))
            .cloned()
            .collect();
        let Some(closed) = without(&whole, literal, &|part| is_column_of(part, &outer)) else {
            continue;
        };
        let is_value = is_value && has_one_result(&closed);
        let whole = with_named(unit, &closed, literal).unwrap_or(closed);
        let value = is_value.then(|| as_value(&whole, rules)).flatten();
        match value {
            Some(value) => found.push((value, Some(whole))),
            None => found.push((whole, None)),
        }
    }
    found.sort_by_key(|(whole, _)| whole.len());
    found.truncate(MAX_PARTS);
    let (first, plain): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let plain = plain.into_iter().flatten().take(MAX_PLAIN);
    let all = first.into_iter().chain(plain);
    all.filter(|whole| whole.len() < unit.len()).collect()
}

/// Returns the parts of each query within a part: those from its head to the bracket at its end.
/// The sides of a combination are left to the removal of parts of lists. The condition is whether
/// the query stands for a value.
fn queries(unit: &Part) -> Vec<(Vec<Arc<Part>>, bool)> {
    let heads = Roles::SELECT.with(Roles::COMBINED);
    let mut found = vec![];
    let mut todo = vec![(unit, Roles::default())];
    while let Some((part, around)) = todo.pop() {
        let is_side = around.any(Roles::COMBINED);
        let head = part.children.iter().position(|part| part.is(heads));
        if let Some(head) = head.filter(|_| !is_side) {
            let is_end = |part: &Arc<Part>| {
                let token = part.token.as_ref();
                token.is_some_and(|(_, text)| **text == *b")")
            };
            let end = part.children[head..].iter().position(is_end);
            let end = end.map_or(part.children.len(), |end| head + end);
            let is_value = part.is(Roles::EXPRESSION) && !around.any(Roles::RELATION);
            found.push((part.children[head..end].to_vec(), is_value));
        }
        todo.extend(
            part.children
                .iter()
                .rev()
                .map(|child| (&**child, part.roles)),
        );
    }
    found
}

/// Returns a query of one value as the only value of another one.
fn as_value(query: &Arc<Part>, rules: &Queries) -> Option<Arc<Part>> {
    let (before, after) = rules.whole?;
    let token = |text: &str| {
        let tight: Arc<[u8]> = Arc::default();
        let token = Some((tight, Arc::from(text.as_bytes())));
        let (id, roles) = (u32::MAX, Roles::default());
        Arc::new(Part {
            id,
            roles,
            token,
            children: vec![],
        })
    };
    Some(query.around(vec![
        token(before),
        query.around(query.children.clone()),
        token(after),
    ]))
}

/// Returns whether a query has one column at most.
fn has_one_result(query: &Part) -> bool {
    let results = query.all(Roles::RESULTS).into_iter().next();
    let mut parts = results.into_iter().flat_map(|results| &results.children);
    !parts.any(|part| part.is(Roles::SEPARATOR))
}
