use crate::count::{Cells, Count, Unit, cells, elements, lines, slice, words};
use crate::dimacs;
use std::ops::Range;

/// A change of a text: a span whose bytes are replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The span in the text before the change.
    pub span: Range<u32>,
    /// The bytes that replace the span.
    pub text: Vec<u8>,
}

/// Returns the numbers that change with a text. These numbers count items, of which `cuts` leave
/// another number. The cuts must be sorted and disjoint.
///
/// A number that a cut touches is left to the cut. Of several explanations of one number, the first
/// holds.
pub fn complete(text: &[u8], counts: &[Count], cuts: &[Cut]) -> Vec<Cut> {
    let mut seen: Vec<&Range<u32>> = vec![];
    let mut numbers = vec![];
    for count in counts {
        let number = &count.number;
        let meets = |other: &Range<u32>| other.start < number.end && number.start < other.end;
        if seen.iter().any(|other| meets(other)) || cuts.iter().any(|cut| meets(&cut.span)) {
            continue;
        }
        seen.push(number);
        let value = value_after(text, count, cuts);
        numbers.extend(
            value
                .filter(|&value| value != count.value)
                .map(|value| Cut {
                    span: number.clone(),
                    text: value.to_string().into_bytes(),
                }),
        );
    }
    numbers.sort_by_key(|cut| cut.span.start);
    numbers
}

/// Returns the value of a number after a change, if that is known.
fn value_after(text: &[u8], count: &Count, cuts: &[Cut]) -> Option<u64> {
    let units = match count.unit {
        Unit::Rows(of) => table_after(text, count, of, cuts).0,
        Unit::Columns(of) => table_after(text, count, of, cuts).1,
        unit => {
            let touches =
                |cut: &Cut| cut.span.start < count.region.end && count.region.start <= cut.span.end;
            if !cuts.iter().any(touches) {
                return Some(count.value);
            }
            number_of(unit, &region_after(text, &count.region, cuts))?
        }
    };
    units.checked_add_signed(count.more)
}

/// Returns the text of a region after a change.
fn region_after(text: &[u8], region: &Range<u32>, cuts: &[Cut]) -> Vec<u8> {
    let mut after = Vec::with_capacity(region.len());
    let mut at = region.start;
    for cut in cuts {
        if cut.span.end < region.start || (cut.span.end == region.start && !cut.span.is_empty()) {
            continue;
        }
        if cut.span.start > region.end || (cut.span.start == region.end && !cut.span.is_empty()) {
            break;
        }
        let start = cut.span.start.clamp(at, region.end);
        after.extend_from_slice(slice(text, &(at..start)));
        after.extend_from_slice(&cut.text);
        at = cut.span.end.clamp(at, region.end);
    }
    after.extend_from_slice(slice(text, &(at..region.end)));
    after
}

/// Returns the numbers of rows and columns that a change leaves of a table.
fn table_after(text: &[u8], count: &Count, of: Cells, cuts: &[Cut]) -> (u64, u64) {
    let mut cuts = cuts.iter().filter(|cut| cut.text.is_empty()).peekable();
    let (mut rows, mut columns) = (0, 0);
    for row in cells(text, &count.region, of).chunks(of.row.max(1) as usize) {
        let mut left = 0_u64;
        for cell in row {
            while cuts.next_if(|cut| cut.span.end < cell.end).is_some() {}
            let is_cut = cuts.peek().is_some_and(|cut| cut.span.start <= cell.start);
            left += u64::from(!is_cut);
        }
        if left > 0 {
            rows += 1;
            columns = columns.max(left);
        }
    }
    (rows, columns / u64::from(of.column.max(1)))
}

/// Returns the number of units in a text, which is a region after a change.
fn number_of(unit: Unit, text: &[u8]) -> Option<u64> {
    Some(match unit {
        Unit::Lines => lines(text).count() as u64,
        Unit::Words => words(text).count() as u64,
        Unit::Bytes => text.len() as u64,
        Unit::Elements => elements(text).len() as u64,
        Unit::Clauses => dimacs::clauses(text),
        Unit::Variables => dimacs::greatest_variable(text),
        Unit::Rows(_) | Unit::Columns(_) => return None,
    })
}
