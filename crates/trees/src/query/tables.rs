use super::change::{is_column_of, name_of, reference, without};
use super::part::{Part, Roles};
use super::read::Unit;
use super::relations::subject;
use std::sync::Arc;

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    table: Vec<u8>,
    name: Vec<u8>,
    /// The place in the table.
    at: usize,
}

/// The maximum number of columns that are looked at.
const MOST_COLUMNS: usize = 256;

/// Returns the names of the tables that a script makes.
pub(super) fn tables(units: &[Unit]) -> Vec<Vec<u8>> {
    let parts = units.iter().filter_map(|unit| unit.part.as_ref());
    let tables = parts.flat_map(|part| part.all(Roles::TABLE));
    let names = tables.filter_map(|table| reference(table)?.last_word());
    names.collect()
}

/// Returns the columns of the tables that a script makes.
pub(super) fn columns(units: &[Unit]) -> Vec<Column> {
    let parts = units.iter().filter_map(|unit| unit.part.as_ref());
    let tables = parts.flat_map(|part| part.all(Roles::TABLE));
    let of_table = |table: &Part| {
        let name = reference(table).and_then(Part::last_word);
        let columns = table.all(Roles::TABLE_COLUMN).into_iter().enumerate();
        let column = |(at, column): (usize, &Part)| {
            let words = column.all(Roles::WORD);
            Some(Column {
                table: name.clone()?,
                name: words.first()?.last_word()?,
                at,
            })
        };
        columns.filter_map(column).collect::<Vec<_>>()
    };
    tables.flat_map(of_table).take(MOST_COLUMNS).collect()
}

/// Returns a script without a table: its definition, the statements that add rows to it, and
/// everything that queries read from it.
pub(super) fn without_table(
    units: &[Unit],
    table: &[u8],
    literal: &'static str,
) -> Option<Arc<[Unit]>> {
    let each = units.iter().map(|unit| {
        let part = unit.part.as_ref()?;
        if subject(part).is_some_and(|name| name == table) {
            return None;
        }
        let reads = |part: &Part| {
            let read = reference(part).and_then(Part::last_word);
            part.is(Roles::RELATION) && read.is_some_and(|name| name == table)
        };
        let relations = part.all(Roles::RELATION).into_iter();
        let names: Vec<Vec<u8>> = relations
            .filter(|part| reads(part))
            .filter_map(name_of)
            .collect();
        without(part, literal, &|part| {
            reads(part) || is_column_of(part, &names)
        })
    });
    let parts: Vec<Option<Arc<Part>>> = each.collect();
    parts
        .iter()
        .any(Option::is_some)
        .then(|| replaced(units, parts))
}

/// Returns a script without some columns: their definitions, their values in rows, and the
/// expressions that use them.
pub(super) fn without_columns(
    units: &[Unit],
    going: &[Column],
    literal: &'static str,
) -> Option<Arc<[Unit]>> {
    let known = columns(units);
    let going: Vec<&Column> = going
        .iter()
        .filter_map(|column| {
            known
                .iter()
                .find(|other| (&other.table, &other.name) == (&column.table, &column.name))
        })
        .collect();
    if going.is_empty() {
        return None;
    }
    let is_going = |name: &[u8]| {
        let mut of_name = known.iter().filter(|column| column.name == name).peekable();
        of_name.peek().is_some() && of_name.all(|column| going.contains(&column))
    };
    let each = units.iter().map(|unit| {
        let part = unit.part.as_ref()?;
        let table = subject(part);
        let own: Vec<&Column> = going
            .iter()
            .copied()
            .filter(|column| Some(&column.table) == table.as_ref())
            .collect();
        let part = match part.all(Roles::INSERT).first() {
            Some(insert) if !own.is_empty() => {
                let all = known
                    .iter()
                    .filter(|column| Some(&column.table) == table.as_ref());
                let names: Vec<&[u8]> = all.map(|column| &*column.name).collect();
                let insert = rows_without(insert, &own, &names)?;
                super::change::put_one(part, insert.id, &insert)
            }
            _ => Arc::clone(part),
        };
        without(&part, literal, &|part| {
            let defined = part.is(Roles::TABLE_COLUMN).then(|| part.all(Roles::WORD));
            let defined = defined.and_then(|words| words.first()?.last_word());
            let is_own = defined.is_some_and(|name| own.iter().any(|column| column.name == name));
            let is_used =
                part.is(Roles::COLUMN) && part.last_word().is_some_and(|name| is_going(&name));
            is_own || is_used
        })
    });
    let parts: Vec<Option<Arc<Part>>> = each.collect();
    parts
        .iter()
        .any(Option::is_some)
        .then(|| replaced(units, parts))
}

/// Returns a statement that adds rows without the values of some columns; `None` if a row would be
/// empty.
fn rows_without(insert: &Part, going: &[&Column], table: &[&[u8]]) -> Option<Arc<Part>> {
    let rows = insert.children.iter().filter(|part| part.is(Roles::ROW));
    // A list of column names assigns each value to a column.
    let mut listed = rows.clone().map(|row| {
        let parts = inner(row);
        let names = parts
            .split(is_comma)
            .map(|parts| parts.last().and_then(|part| part.last_word()));
        names.collect::<Option<Vec<Vec<u8>>>>()
    });
    let listed = listed
        .next()
        .flatten()
        .filter(|names| names.iter().all(|name| table.contains(&&**name)));
    let places: Vec<usize> = going
        .iter()
        .filter_map(|column| match &listed {
            Some(names) => names.iter().position(|name| *name == column.name),
            None => Some(column.at),
        })
        .collect();
    let children = insert.children.iter().map(|part| {
        if !part.is(Roles::ROW) {
            return Some(Arc::clone(part));
        }
        let parts = inner(part);
        let values: Vec<&[Arc<Part>]> = parts.split(is_comma).collect();
        let comma = parts.iter().find(|part| is_comma(part));
        let left = values
            .iter()
            .enumerate()
            .filter(|(at, _)| !places.contains(at));
        let mut kept: Vec<Arc<Part>> = part.children.first().cloned().into_iter().collect();
        for (nth, (_, value)) in left.enumerate() {
            kept.extend(comma.filter(|_| nth > 0).cloned());
            kept.extend(value.iter().cloned());
        }
        let is_empty = kept.len() < 2;
        kept.extend(part.children.last().cloned());
        (!is_empty).then(|| part.around(kept))
    });
    Some(insert.around(children.collect::<Option<Vec<_>>>()?))
}

/// Returns the parts between the brackets of a row.
fn inner(row: &Part) -> &[Arc<Part>] {
    match row.children.len() {
        0..=2 => &[],
        len => &row.children[1..len - 1],
    }
}

fn is_comma(part: &Arc<Part>) -> bool {
    part.token.as_ref().is_some_and(|(_, text)| **text == *b",")
}

fn replaced(units: &[Unit], parts: Vec<Option<Arc<Part>>>) -> Arc<[Unit]> {
    let pairs = units.iter().zip(parts);
    let units = pairs.map(|(unit, part)| Unit {
        part,
        ..unit.clone()
    });
    units.collect()
}
