use crate::count::{Cells, Count, Place, Unit, lines, slice, words};
use std::ops::Range;

/// Reads the header of a text in Netpbm (`P1`, `P2`, or `P3`): the width and height of an image.
pub(crate) fn netpbm(text: &[u8]) -> Option<Vec<Count>> {
    let (kind, samples) = match text.get(..2) {
        Some(b"P1") => (2, 1),
        Some(b"P2") => (3, 1),
        Some(b"P3") => (3, 3),
        _ => return None,
    };
    let mut fields: Vec<Range<usize>> = vec![];
    let mut at = 2;
    while fields.len() < kind {
        let word = words(&text[at..]).next()?;
        let word = at + word.start..at + word.end;
        at = word.end;
        match text[word.start] {
            b'#' => at += text[at..].iter().take_while(|&&byte| byte != b'\n').count(),
            _ => fields.push(word),
        }
    }
    let region = at as u32..text.len() as u32;
    // The samples of a bitmap may be written without spaces between them.
    let are_bytes = kind == 2;
    let shape = (samples, are_bytes);
    let known = Place::Known;
    Some(table(text, &fields[1], &fields[0], region, shape, known))
}

/// Reads the size line of a text in MatrixMarket.
pub(crate) fn matrix_market(text: &[u8]) -> Option<Vec<Count>> {
    if !text.starts_with(b"%%MatrixMarket") {
        return None;
    }
    let mut all = lines(text).filter(|line| text[line.start] != b'%');
    let size = all.next()?;
    let fields: Vec<_> = words(&text[size.clone()])
        .map(|word| size.start + word.start..size.start + word.end)
        .collect();
    let region = size.end as u32..text.len() as u32;
    Some(match fields.as_slice() {
        [_, _, entries] => {
            let value = crate::number(&text[entries.clone()])?;
            let is_right = lines(slice(text, &region)).count() as u64 == value;
            let count = Count {
                number: entries.start as u32..entries.end as u32,
                value,
                region,
                unit: Unit::Lines,
                more: 0,
                place: Place::Known,
            };
            is_right.then_some(count).into_iter().collect()
        }
        // An array stores its columns one after another.
        [rows, columns] => table(text, columns, rows, region, (1, false), Place::Known),
        _ => vec![],
    })
}

/// Returns the counts of rows and columns of a table, if the table has the number of cells that
/// they state.
///
/// Each column has `cells.0` cells within a row, which are bytes if `cells.1` is true.
pub(crate) fn table(
    text: &[u8],
    rows: &Range<usize>,
    columns: &Range<usize>,
    region: Range<u32>,
    (column, are_bytes): (u32, bool),
    place: Place,
) -> Vec<Count> {
    let value = |field: &Range<usize>| crate::number(&text[field.clone()]);
    let (Some(height), Some(width)) = (value(rows), value(columns)) else {
        return vec![];
    };
    let row = width.checked_mul(u64::from(column));
    let row = row.and_then(|row| u32::try_from(row).ok());
    let Some(row) = row.filter(|&row| row > 0) else {
        return vec![];
    };
    let of = Cells {
        row,
        column,
        are_bytes,
    };
    let there = match are_bytes {
        true => {
            let is_cell = |byte: &&u8| !byte.is_ascii_whitespace();
            slice(text, &region).iter().filter(is_cell).count()
        }
        false => words(slice(text, &region)).count(),
    };
    if u64::from(row).checked_mul(height) != Some(there as u64) {
        return vec![];
    }
    let count = |field: &Range<usize>, value, unit| Count {
        number: field.start as u32..field.end as u32,
        value,
        region: region.clone(),
        unit,
        more: 0,
        place,
    };
    vec![
        count(rows, height, Unit::Rows(of)),
        count(columns, width, Unit::Columns(of)),
    ]
}
