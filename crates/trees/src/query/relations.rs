use super::change::{is_column_of, name_of, put_one, reference, without};
use super::find::find;
use super::part::{Part, Roles};
use std::sync::Arc;

/// Returns a query without one relation and all that means its columns.
pub(super) fn without_relation(
    part: &Arc<Part>,
    id: u32,
    literal: &'static str,
) -> Option<Arc<Part>> {
    let name: Vec<Vec<u8>> = name_of(find(part, id)?).into_iter().collect();
    without(part, literal, &|part| {
        part.id == id || is_column_of(part, &name)
    })
}

/// Returns a query in which one relation is the only one of its list.
pub(super) fn with_one_relation(
    part: &Arc<Part>,
    id: u32,
    literal: &'static str,
) -> Option<Arc<Part>> {
    let kept = find(part, id)?;
    let clauses = part.all(Roles::CLAUSE);
    let lists = clauses.into_iter().filter(|clause| {
        let is_list = clause
            .children
            .iter()
            .any(|child| child.is(Roles::RELATION));
        is_list && clause.all(Roles::RELATION).iter().any(|part| part.id == id)
    });
    // A join is a clause with a relation as well, so the outermost list is used.
    let list = lists.into_iter().find(|list| {
        let of_joins = list.children.iter().filter(|child| child.is(Roles::CLAUSE));
        let direct = list
            .children
            .iter()
            .filter(|child| child.is(Roles::RELATION));
        let joined =
            of_joins.flat_map(|join| join.children.iter().filter(|part| part.is(Roles::RELATION)));
        let mut all = direct.chain(joined);
        all.clone().count() > 1 && all.any(|part| part.id == id)
    })?;
    let first = list
        .children
        .iter()
        .find(|child| child.is(Roles::RELATION))?;
    let of_joins = list.children.iter().filter(|child| child.is(Roles::CLAUSE));
    let joins = of_joins.filter(|join| join.children.iter().any(|part| part.is(Roles::RELATION)));
    let going: Vec<u32> = joins.map(|join| join.id).collect();
    let direct = list
        .children
        .iter()
        .filter(|child| child.is(Roles::RELATION));
    let others: Vec<u32> = direct
        .filter(|part| part.id != first.id)
        .map(|part| part.id)
        .collect();
    let mut names: Vec<Vec<u8>> = list
        .all(Roles::RELATION)
        .into_iter()
        .filter_map(name_of)
        .collect();
    let kept_name = name_of(kept);
    names.retain(|name| Some(name) != kept_name.as_ref());
    let kept = Arc::new(Part {
        id: kept.id,
        roles: kept.roles,
        token: kept.token.clone(),
        children: kept.children.clone(),
    });
    let with = put_one(part, first.id, &kept);
    without(&with, literal, &|part| {
        let is_other = others.contains(&part.id) && part.id != id || going.contains(&part.id);
        is_other || is_column_of(part, &names)
    })
}

/// Returns the name of the table that a statement makes or adds rows to.
pub(super) fn subject(part: &Part) -> Option<Vec<u8>> {
    let heads = part.all(Roles::TABLE.with(Roles::INSERT));
    reference(heads.first()?)?.last_word()
}
