use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Chain, Complete, Completed, Context, List, Spans, Work};
use std::sync::Arc;

/// A file as a value, which is written anew after a change.
pub(super) trait Document: Send + Sync + 'static {
    /// A part of a change that list minimizers take as one unit.
    type Step: Send + Sync;

    /// Returns the file after some steps.
    fn write(&self, steps: &[&Self::Step]) -> Vec<u8>;
}

/// Returns the work on a file: lists of steps, one list after another. What the steps of one list
/// changed, the next one keeps.
pub(super) fn on_document<D: Document>(
    file: &File<'_>,
    context: &Context<'_>,
    document: Arc<D>,
    lists: Vec<(Vec<D::Step>, bool)>,
) -> Option<Work> {
    let (mut steps, mut works) = (vec![], vec![]);
    for (list, try_all) in lists {
        let from = steps.len() as u32;
        steps.extend(list);
        let spans: Vec<Span> = (from..steps.len() as u32)
            .map(|at| Span::new(at, at + 1))
            .collect();
        let list = List::new(Spans::new(spans));
        works.push(Work::List(if try_all { list.try_all() } else { list }));
    }
    if steps.is_empty() {
        return None;
    }
    let machine = Chain::work(works, context.lists)?.start(context.lists);
    let form = OnDocument {
        document,
        steps,
        file: file.span,
        text: file.text.to_vec(),
    };
    Some(Work::Machine(Box::new(Completed::new(machine, form, None))))
}

/// The steps of a pass, whose changes are whole files.
struct OnDocument<D: Document> {
    document: Arc<D>,
    /// The steps, each at the position of its number.
    steps: Vec<D::Step>,
    file: Span,
    text: Vec<u8>,
}

impl<D: Document> Complete for OnDocument<D> {
    type Whole = Edit;

    fn complete(&self, all: &Edit, _: &Edit, rank: u32) -> Edit {
        let steps: Vec<&D::Step> = all
            .splices()
            .iter()
            .flat_map(|splice| &self.steps[splice.span.range()])
            .collect();
        let text = self.document.write(&steps);
        match text == self.text {
            true => Edit::none(),
            false => Edit::replace(self.file, &text).ranked(rank),
        }
    }

    fn edit(whole: &Edit) -> &Edit {
        whole
    }
}
