use super::{Chain, Complete, Completed, Context, List, OneByOne, Spans, Work};
use nubbin_edit::{Edit, File, Span};
use std::sync::Arc;

/// A file as a value, which is written again after a change: a circuit, or a script of terms.
pub trait Document: Send + Sync + 'static {
    /// A part of a change that list minimizers take as one unit.
    type Step: Send + Sync;

    /// Returns the file after some steps.
    fn write(&self, steps: &[&Self::Step]) -> Vec<u8>;
}

/// The steps of a list up to which all are tried at once.
const MAX_SHORT: usize = 4;

/// The way in which a list of steps is worked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// By a list minimizer.
    Some,
    /// By a list minimizer, after a test of all steps at once.
    AllFirst,
    /// One after another, up to the first one that is adopted.
    FirstOf,
}

/// Returns the work on a file: lists of steps, one list after another. What the steps of one list
/// changed, the next one keeps.
///
/// Each proposal replaces the whole file, and outranks earlier ones.
pub fn on_document<D: Document>(
    file: &File<'_>,
    context: &Context<'_>,
    document: Arc<D>,
    lists: Vec<(Vec<D::Step>, Steps)>,
) -> Option<Work> {
    let (mut steps, mut works) = (vec![], vec![]);
    for (list, how) in lists {
        let from = steps.len() as u32;
        steps.extend(list);
        let spans: Vec<Span> = (from..steps.len() as u32)
            .map(|at| Span::new(at, at + 1))
            .collect();
        works.push(match how {
            // List minimizers by themselves keep the last one of a list.
            Steps::Some if spans.len() > MAX_SHORT => Work::List(List::new(Spans::new(spans))),
            Steps::Some | Steps::AllFirst => Work::List(List::new(Spans::new(spans)).try_all()),
            Steps::FirstOf => {
                let each: Vec<Edit> = spans.into_iter().map(Edit::delete).collect();
                Work::Machine(Box::new(OneByOne::new(each).first_only()))
            }
        });
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
