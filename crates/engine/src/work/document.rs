use super::{Chain, Complete, Completed, Context, Forest, List, OneByOne, Spans, Work};
use nubbin_edit::{Edit, File, Span};
use std::sync::Arc;

/// A file as a value that is written again after each change, such as a circuit or a script of
/// terms.
pub trait Document: Send + Sync + 'static {
    /// A part of a change that list minimizers take as one unit.
    type Step: Send + Sync;

    /// Returns the file after some steps.
    fn write(&self, steps: &[&Self::Step]) -> Vec<u8>;

    /// Returns the weight of a step, by which list minimizers divide a list: the bytes that it is
    /// expected to remove, or 1 where all steps count alike.
    fn weight(&self, _: &Self::Step) -> u32 {
        1
    }
}

/// The steps of a list up to which all are tried at once.
const MAX_SHORT: usize = 4;

/// The way in which a list of steps is tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Steps {
    /// A list minimizer removes several steps in one test.
    Some,
    /// All steps are tested at once, then a list minimizer continues.
    AllFirst,
    /// The steps are tried one after another until one is adopted.
    FirstOf,
    /// The steps are tried from the outside in, heaviest steps first, as in a [`Forest`]. For each
    /// step, the value is the earlier step that makes it unnecessary, if there is one.
    OuterFirst(Vec<Option<u32>>),
}

/// The greatest weight of all steps together.
const MAX_WEIGHT: u64 = 1 << 31;

/// Returns the work on a file: lists of steps, one list after another. A list starts with the
/// changes of the lists before it.
///
/// Each proposal replaces the whole file, and outranks earlier ones.
pub fn on_document<D: Document>(
    file: &File<'_>,
    context: &Context<'_>,
    document: Arc<D>,
    lists: Vec<(Vec<D::Step>, Steps)>,
) -> Option<Work> {
    let all = lists.iter().flat_map(|(list, _)| list);
    let weight: u64 = all.map(|step| u64::from(document.weight(step))).sum();
    // A step nested in many others counts once for each of them.
    let scale = u32::try_from(weight / MAX_WEIGHT).unwrap_or(u32::MAX) + 1;
    let (mut steps, mut works, mut end) = (vec![], vec![], 0);
    for (list, how) in lists {
        let mut spans: Vec<Span> = vec![];
        for step in list {
            let start = end;
            end += (document.weight(&step) / scale).max(1);
            spans.push(Span::new(start, end));
            steps.push((start, step));
        }
        works.push(match how {
            // List minimizers alone keep the last element of a list.
            Steps::Some if spans.len() > MAX_SHORT => Work::List(List::new(Spans::new(spans))),
            Steps::Some | Steps::AllFirst => Work::List(List::new(Spans::new(spans)).try_all()),
            Steps::FirstOf => {
                let each: Vec<Edit> = spans.into_iter().map(Edit::delete).collect();
                Work::Machine(Box::new(OneByOne::new(each).first_only()))
            }
            Steps::OuterFirst(within) => match Forest::new(Spans::new(spans), &within).walk() {
                Some(walk) => walk,
                None => continue,
            },
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
    /// The steps, each with the position that represents it.
    steps: Vec<(u32, D::Step)>,
    file: Span,
    text: Vec<u8>,
}

impl<D: Document> Complete for OnDocument<D> {
    type Whole = Edit;

    fn complete(&self, all: &Edit, _: &Edit, rank: u32) -> Edit {
        let steps: Vec<&D::Step> = all
            .splices()
            .iter()
            .flat_map(|splice| {
                let at = |position: u32| self.steps.partition_point(|step| step.0 < position);
                &self.steps[at(splice.span.start)..at(splice.span.end)]
            })
            .map(|(_, step)| step)
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
