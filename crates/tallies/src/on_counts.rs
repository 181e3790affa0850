use nubbin_counted::{Count, Cut};
use nubbin_edit::{Edit, File, Splice};
use nubbin_engine::work::{Complete, Completed, Lists, Machine, Work};

/// Returns the work whose proposals also update the numbers that depend on them.
pub(super) fn completed(
    work: Work,
    lists: &Lists,
    texts: Vec<Counted>,
    patience: Option<u32>,
) -> Box<dyn Machine> {
    let machine = work.start(lists);
    Box::new(Completed::new(machine, OnCounts { texts }, patience))
}

/// A text with its counts.
pub(super) struct Counted {
    /// The offset of the file in the input.
    start: u32,
    text: Vec<u8>,
    counts: Vec<Count>,
}

impl Counted {
    pub(super) fn new(file: &File<'_>, counts: Vec<Count>) -> Self {
        Counted {
            start: file.span.start,
            text: file.text.to_vec(),
            counts,
        }
    }

    /// Returns the numbers that change with an edit of the input.
    fn numbers(&self, all: &Edit) -> Vec<Splice> {
        let end = self.start + self.text.len() as u32;
        let splices = all.splices();
        let first = splices.partition_point(|splice| splice.span.end < self.start);
        let within = splices[first..]
            .iter()
            .take_while(|splice| splice.span.start <= end);
        let cut = |splice: &Splice| {
            let start = splice.span.start.max(self.start) - self.start;
            Cut {
                span: start..splice.span.end.clamp(self.start, end) - self.start,
                text: splice.text().to_vec(),
            }
        };
        let cuts: Vec<Cut> = within.map(cut).collect();
        nubbin_counted::complete(&self.text, &self.counts, &cuts)
            .into_iter()
            .map(|number| self.splice(&number))
            .collect()
    }

    fn splice(&self, cut: &Cut) -> Splice {
        let (start, end) = (cut.span.start + self.start, cut.span.end + self.start);
        Splice::replace(nubbin_edit::Span::new(start, end), &cut.text)
    }

    /// Returns a splice that restores the former value of a number, if the number is in this text.
    fn restored(&self, number: &Splice) -> Option<Splice> {
        let start = number.span.start.checked_sub(self.start)? as usize;
        let text = self.text.get(start..start + number.span.len() as usize)?;
        Some(Splice::replace(number.span, text))
    }
}

/// Texts whose numbers follow from the rest.
struct OnCounts {
    texts: Vec<Counted>,
}

/// A change of an input since a pass was opened.
#[derive(Clone, Default)]
struct Whole {
    edit: Edit,
    /// The numbers that differ from the numbers of the original text.
    numbers: Vec<Splice>,
}

impl Complete for OnCounts {
    type Whole = Whole;

    fn complete(&self, all: &Edit, adopted: &Whole, rank: u32) -> Whole {
        let mut numbers: Vec<Splice> = self
            .texts
            .iter()
            .flat_map(|text| text.numbers(all))
            .collect();
        for number in &mut numbers {
            let old = adopted.numbers.iter().find(|old| old.span == number.span);
            *number = match old {
                Some(old) if old.text() == number.text() => old.clone(),
                _ => number.clone().ranked(rank),
            };
        }
        for old in &adopted.numbers {
            let is_met =
                |new: &Splice| new.span.start < old.span.end && old.span.start < new.span.end;
            if numbers.iter().any(is_met) || all.splices().iter().any(is_met) {
                continue;
            }
            let restored = self.texts.iter().find_map(|text| text.restored(old));
            numbers.extend(restored.map(|splice| splice.ranked(rank)));
        }
        let edit = Edit::new(numbers.clone()).and_then(|numbers| all.combine(&numbers));
        Whole {
            edit: edit.unwrap_or_else(|_| all.clone()),
            numbers,
        }
    }

    fn edit(whole: &Whole) -> &Edit {
        &whole.edit
    }
}
