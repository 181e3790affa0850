use super::book::likely;
use super::on_counts::{Counted, completed};
use nubbin_counted::{Cells, Count, Unit, cells};
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Chain, Context, List, Pass, PassInfo, Proposals, Spans, Work};
use std::ops::Range;

/// Deletes rows and columns of a table whose height and width the text states.
///
/// The cells are words or single bytes, and lines need not be rows: the samples of an image in
/// Netpbm are on lines of any length. Both counts are updated.
///
/// Cost: the tests of a list minimizer on the rows, and then on the columns.
///
/// Source: nubbin.
///
/// ```
/// use nubbin_reduce::pass::{CountedTables, preview};
///
/// let candidates = preview(&CountedTables, b"P2 2 2 9\n1 2 3 4\n", 4);
/// assert_eq!(candidates[0], "P2 2 1 9\n1 2 ");
/// assert_eq!(candidates[2], "P2 1 2 9\n1 3\n");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CountedTables;

/// The number of cells up to which a table has a list of its columns.
const MAX_CELLS: usize = 1 << 20;

impl Pass for CountedTables {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "counted-tables",
            "deletes rows and columns of a table, and lowers the numbers of them",
            "nubbin",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let counts = likely(file.text);
        let mut works = vec![];
        for count in &counts {
            let list = match count.unit {
                Unit::Rows(_) => {
                    let rows = rows(file.text, count);
                    List::new(Spans::new(spans(file, rows).collect::<Vec<_>>()))
                }
                Unit::Columns(of) => List::new(Proposals::new(columns(file, count, of))),
                _ => continue,
            };
            let pair: Vec<Count> = counts
                .iter()
                .filter(|other| other.region == count.region)
                .cloned()
                .collect();
            let texts = vec![Counted::new(file, pair)];
            let machine = completed(Work::List(list), context.lists, texts, None);
            works.push(Work::Machine(machine));
        }
        Chain::work(works, context.lists)
    }
}

fn spans(file: &File<'_>, all: Vec<Range<u32>>) -> impl Iterator<Item = Span> {
    let start = file.span.start;
    all.into_iter()
        .map(move |span| Span::new(span.start + start, span.end + start))
}

/// Returns the rows of a table. Each row extends to the start of the next row.
pub(super) fn rows(text: &[u8], count: &Count) -> Vec<Range<u32>> {
    let (Unit::Rows(of) | Unit::Columns(of)) = count.unit else {
        return vec![];
    };
    let all = cells(text, &count.region, of);
    let starts = all.chunks(of.row.max(1) as usize).map(|row| row[0].start);
    let ends = starts.clone().skip(1).chain([count.region.end]);
    starts.zip(ends).map(|(start, end)| start..end).collect()
}

/// Returns edits that delete one column each.
fn columns(file: &File<'_>, count: &Count, of: Cells) -> Vec<Edit> {
    let all = cells(file.text, &count.region, of);
    if all.len() > MAX_CELLS {
        return vec![];
    }
    let rows: Vec<&[Range<u32>]> = all.chunks(of.row.max(1) as usize).collect();
    let width = of.column.max(1) as usize;
    let column = |from: usize| {
        let within = rows.iter().filter_map(|row| {
            let cells = row.get(from..from + width)?;
            let (first, last) = (cells.first()?, cells.last()?);
            let before = from.checked_sub(1).and_then(|at| row.get(at));
            Some(match (row.get(from + width), before) {
                (Some(next), _) => first.start..next.start,
                // The space before the last column belongs to that column.
                (None, Some(before)) => before.end..last.end,
                (None, None) => first.start..last.end,
            })
        });
        Edit::delete_all(spans(file, within.collect()))
    };
    (0..of.row as usize).step_by(width).map(column).collect()
}
