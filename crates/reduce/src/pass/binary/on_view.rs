use crate::edit::{Edit, Splice};
use crate::input::File;
use crate::pass::{Context, OpenedBy, Pass};
use crate::span::Span;
use crate::work::{Machine, Work};
use nubbin_binary::{Cut, Layout, View};
use std::sync::Arc;

/// Returns a pass on the structure of binary files, and of texts with encoded parts.
///
/// The pass is opened on the [view](Layout::view) of a file whose format is known: its bytes, with
/// all that is compressed or encoded decoded. Each proposal is [completed](Layout::rewrite):
/// lengths, counts, offsets, indices, and checksums follow, and what was decoded is encoded again.
/// So any pass reduces any such file, and its candidates are files of the format.
///
/// A field depends on everything that was removed. So each edit is the whole change since the pass
/// was opened, and its splices [outrank](Splice::rank) those of earlier edits.
/// Of a file of an unknown format, the structure is [guessed](nubbin_binary::guess); if none of the
/// first [`PATIENCE`] proposals is adopted, the guess is wrong, and there are no more.
pub(crate) fn on_its_view(pass: Arc<dyn Pass>) -> Arc<dyn Pass> {
    OpenedBy::wrap(pass, |pass, files, context| {
        let works = files.iter().filter_map(|file| {
            on_view(file, context, nubbin_binary::guess, |file, _, _| {
                pass.open(file, context)
            })
        });
        Work::joined(works, context.lists)
    })
}

/// Returns the work on the structure of a file, by a function that makes the work on its view.
///
/// The layout of a file of an unknown format is `guessed`, or there is no work. `open` is told so.
pub(crate) fn on_view(
    file: &File<'_>,
    context: &Context<'_>,
    guessed: fn(&[u8]) -> Option<Layout>,
    open: impl Fn(&File<'_>, &View, bool) -> Option<Work>,
) -> Option<Work> {
    let known = nubbin_binary::read(file.text).or_else(|| nubbin_binary::read_encoded(file.text));
    let patience = known.is_none().then_some(PATIENCE);
    let layout = known.or_else(|| guessed(file.text))?;
    let view = layout.view();
    let start = file.span.start;
    let end = start.checked_add(u32::try_from(view.text.len()).ok()?)?;
    let on_view = File {
        text: &view.text,
        span: Span::new(start, end),
        ..*file
    };
    let machine = open(&on_view, &view, patience.is_some())?.start(context.lists);
    Some(Work::Machine(Box::new(Completed {
        machine,
        layout: Arc::new(layout),
        start,
        adopted: Edit::none(),
        complete: Edit::none(),
        rank: 1,
        asked: None,
        patience,
    })))
}

/// A machine on the view of a file, whose proposals are completed to changes of the file.
struct Completed {
    machine: Box<dyn Machine>,
    layout: Arc<Layout>,
    /// Where the file begins in the input.
    start: u32,
    /// The adopted changes of the view, and all that follows from them in the file.
    adopted: Edit,
    complete: Edit,
    rank: u32,
    /// The present proposal: all changes of the view, and of the file.
    asked: Option<(Edit, Edit)>,
    /// How many more proposals there are before the first one that is adopted.
    patience: Option<u32>,
}

/// The tests after which a guess is wrong, if none of them fails.
const PATIENCE: u32 = 32;

impl Completed {
    /// Returns all changes of the file that follow from those of the view.
    fn complete(&self, change: &Edit) -> Edit {
        let cuts: Vec<Cut> = change
            .splices()
            .iter()
            .map(|splice| Cut {
                span: splice.span.start - self.start..splice.span.end - self.start,
                text: splice.text().to_vec(),
            })
            .collect();
        let cuts = self.layout.rewrite(&cuts);
        let mut splices: Vec<Splice> = Vec::with_capacity(cuts.len());
        for cut in cuts {
            let mut span = Span::new(cut.span.start + self.start, cut.span.end + self.start);
            let mut text = cut.text;
            // An insertion cannot outrank another. So it replaces the byte before it as well.
            if span.is_empty() {
                match splices.last_mut() {
                    Some(last) if last.span.end == span.start => {
                        text.splice(0..0, last.text().iter().copied());
                        *last = Splice::replace(last.span, &text).ranked(self.rank);
                        continue;
                    }
                    _ if cut.span.start == 0 => continue,
                    _ => {
                        span.start -= 1;
                        text.insert(0, self.layout.text[cut.span.start as usize - 1]);
                    }
                }
            }
            splices.push(Splice::replace(span, &text).ranked(self.rank));
        }
        // A field whose value is that of the beginning again.
        for old in self.complete.splices() {
            let after = splices.partition_point(|new| new.span.end <= old.span.start);
            let is_met = splices
                .get(after)
                .is_some_and(|new| new.span.start < old.span.end);
            if !is_met && !old.span.is_empty() {
                let range =
                    (old.span.start - self.start) as usize..(old.span.end - self.start) as usize;
                let text = self.layout.text.get(range).unwrap_or_default();
                splices.insert(after, Splice::replace(old.span, text).ranked(self.rank));
            }
        }
        Edit::from_sorted(splices)
    }
}

impl Machine for Completed {
    fn next(&mut self) -> Option<Edit> {
        if let Some((_, edit)) = &self.asked {
            return Some(edit.clone());
        }
        if self.patience == Some(0) {
            return None;
        }
        let edit = self.machine.next()?;
        let asked = match self.adopted.combine(&edit) {
            Ok(all) if all != self.adopted => {
                let complete = self.complete(&all);
                (all, complete)
            }
            // Changes that have been made, or contradict those.
            _ => (self.adopted.clone(), Edit::none()),
        };
        let edit = asked.1.clone();
        self.asked = Some(asked);
        Some(edit)
    }

    fn record(&mut self, adopted: bool) {
        if let Some((all, complete)) = self.asked.take()
            && adopted
            && !complete.is_none()
        {
            (self.adopted, self.complete) = (all, complete);
            self.rank += 1;
            self.patience = None;
        }
        self.patience = self.patience.map(|left| left.saturating_sub(1));
        self.machine.record(adopted);
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(Completed {
            machine: self.machine.fork(),
            layout: Arc::clone(&self.layout),
            start: self.start,
            adopted: self.adopted.clone(),
            complete: self.complete.clone(),
            rank: self.rank,
            asked: self.asked.clone(),
            patience: self.patience,
        })
    }

    fn configurations(&self) -> Option<u64> {
        self.machine.configurations()
    }
}
