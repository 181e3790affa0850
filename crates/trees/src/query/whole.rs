use super::change::{is_column_of, relations_of, without};
use super::part::{Part, Roles};
use nubbin_grammar::conventions::Queries;
use std::sync::Arc;

/// The number of queries within one that are tried in its place at most.
const MAX_PARTS: usize = 4;

/// Returns the statements that a part of a statement makes: each query within it, and each as the
/// only value of a new query, the smallest first.
///
/// Conditions and results that mean a column of a table around the query are left out.
pub(super) fn wholes(unit: &Arc<Part>, rules: &Queries) -> Vec<Arc<Part>> {
    let literal = rules.literals.first().copied().unwrap_or("0");
    let all = relations_of(unit);
    let mut found: Vec<(usize, Arc<Part>)> = vec![];
    for query in queries(unit) {
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
        found.push((closed.len(), closed));
    }
    found.sort_by_key(|&(len, _)| len);
    found.truncate(MAX_PARTS);
    let own = unit.len();
    let each = found.into_iter().flat_map(|(_, query)| {
        let value = as_value(&query, rules);
        [Some(query), value]
    });
    each.flatten().filter(|whole| whole.len() < own).collect()
}

/// Returns the parts of each query within a part: those from its head to the bracket at its end.
fn queries(unit: &Part) -> Vec<Vec<Arc<Part>>> {
    let heads = Roles::SELECT.with(Roles::COMBINED);
    let mut found = vec![];
    unit.each(&mut |part| {
        if part.is(Roles::COMBINED) {
            let sides = part.children.split(|part| part.is(Roles::OPERATOR));
            let sides = sides.map(|side| {
                let is_head = |part: &Arc<Part>| part.is(heads);
                let from = side.iter().position(is_head).unwrap_or(side.len());
                side[from..].to_vec()
            });
            found.extend(sides.filter(|side| !side.is_empty()));
        } else if let Some(head) = part.children.iter().position(|part| part.is(heads)) {
            let is_end = |part: &Arc<Part>| {
                let token = part.token.as_ref();
                token.is_some_and(|(_, text)| **text == *b")")
            };
            let end = part.children[head..].iter().position(is_end);
            let end = end.map_or(part.children.len(), |end| head + end);
            found.push(part.children[head..end].to_vec());
        }
    });
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
