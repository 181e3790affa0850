use super::step::Steps;
use nubbin_edit::{Edit, File, Span, Splice};
use nubbin_engine::work::{Chain, Complete, Completed, Context, Work};
use nubbin_ir::{Cut, Module};
use std::sync::Arc;

/// Returns the work on a module. The `works` propose changes on the scale of the steps, and each
/// proposal is completed to a change of the file.
pub(super) fn completed(
    file: &File<'_>,
    context: &Context<'_>,
    module: Arc<Module>,
    steps: Steps,
    works: Vec<Work>,
) -> Option<Work> {
    if steps.is_empty() {
        return None;
    }
    let machine = Chain::work(works, context.lists)?.start(context.lists);
    let form = OnModule {
        module,
        steps,
        start: file.span.start,
    };
    Some(Work::Machine(Box::new(Completed::new(machine, form, None))))
}

/// The steps of a pass, whose changes are completed to changes of the file.
struct OnModule {
    module: Arc<Module>,
    steps: Steps,
    /// The offset of the file in the input.
    start: u32,
}

/// A change of a file since the pass was opened.
#[derive(Clone, Debug, Default)]
pub(super) struct Whole {
    edit: Edit,
    /// Sorted, disjoint parts of the file. One splice replaces each part.
    regions: Vec<Span>,
}

impl Complete for OnModule {
    type Whole = Whole;

    fn complete(&self, all: &Edit, adopted: &Whole, rank: u32) -> Whole {
        let ranks = Ranks { adopted, rank };
        let spans = all.splices().iter().map(|splice| splice.span);
        let change = self.steps.change(&self.module, spans);
        let cuts = self.module.complete(&change);
        let mut regions = adopted.regions.clone();
        let mut splices = self.splices(&cuts, &regions, &ranks);
        let mut back = vec![];
        let count = regions.len();
        for old in adopted.edit.splices() {
            let after = splices.partition_point(|new| new.span.end <= old.span.start);
            match splices
                .get(after)
                .filter(|new| new.span.start < old.span.end)
            {
                Some(new) if new.span.covers(old.span) => {}
                None if !old.is_deletion() => {
                    let span = old.span.start - self.start..old.span.end - self.start;
                    let text = self.module.bytes(&span);
                    back.push(Splice::replace(old.span, text).ranked(rank));
                }
                // Removing more blocks can make another block reachable again. A splice inside a
                // deletion would be lost, so the edit restores an item around it.
                _ => regions.push(self.items_around(old.span)),
            }
        }
        if regions.len() > count {
            regions = united(regions);
            splices = self.splices(&cuts, &regions, &ranks);
            let is_within =
                |splice: &Splice| regions.iter().any(|region| region.covers(splice.span));
            back.retain(|splice| !is_within(splice));
        }
        if !back.is_empty() {
            splices.extend(back);
            splices.sort_by_key(|splice| splice.span);
        }
        Whole {
            edit: Edit::from_sorted(splices),
            regions,
        }
    }

    fn edit(whole: &Whole) -> &Edit {
        &whole.edit
    }
}

impl OnModule {
    /// Makes splices of cuts: one for all cuts within a region.
    fn splices(&self, cuts: &[Cut], regions: &[Span], ranks: &Ranks<'_>) -> Vec<Splice> {
        let mut splices = vec![];
        let mut cuts = cuts.iter().peekable();
        let place = |cut: &Cut| Span::new(cut.span.start + self.start, cut.span.end + self.start);
        for region in regions {
            while let Some(cut) = cuts.next_if(|cut| place(cut).start < region.start) {
                splices.push(ranks.ranked(Splice::replace(place(cut), &cut.text)));
            }
            let (mut text, mut at) = (vec![], region.start - self.start);
            while let Some(cut) = cuts.next_if(|cut| place(cut).start < region.end) {
                text.extend_from_slice(self.module.bytes(&(at..cut.span.start)));
                text.extend_from_slice(&cut.text);
                at = cut.span.end;
            }
            text.extend_from_slice(self.module.bytes(&(at..region.end - self.start)));
            splices.push(ranks.ranked(Splice::replace(*region, &text)));
        }
        splices.extend(cuts.map(|cut| ranks.ranked(Splice::replace(place(cut), &cut.text))));
        splices
    }

    /// Returns the span of all items that a span reaches into.
    fn items_around(&self, span: Span) -> Span {
        let items = &self.module.items;
        let (start, end) = (span.start - self.start, span.end - self.start);
        let first = items.partition_point(|item| item.span.end <= start);
        let last = items.partition_point(|item| item.span.start < end);
        let start = items
            .get(first)
            .map_or(start, |item| item.span.start.min(start));
        let end = last
            .checked_sub(1)
            .map_or(end, |last| items[last].span.end.max(end));
        Span::new(start + self.start, end + self.start)
    }
}

/// The ranks of splices: those that were adopted keep theirs.
struct Ranks<'a> {
    adopted: &'a Whole,
    rank: u32,
}

impl Ranks<'_> {
    /// Gives a splice the rank of the present proposal, unless it has been adopted.
    fn ranked(&self, splice: Splice) -> Splice {
        let adopted = self.adopted.edit.splices();
        let at = adopted.partition_point(|other| other.span < splice.span);
        match adopted.get(at) {
            Some(old) if old.span == splice.span && old.text() == splice.text() => old.clone(),
            _ => splice.ranked(self.rank),
        }
    }
}

/// Sorts spans, and unites those that meet.
fn united(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut all: Vec<Span> = vec![];
    for span in spans {
        match all.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => all.push(span),
        }
    }
    all
}
