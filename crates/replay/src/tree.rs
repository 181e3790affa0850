use nubbin_choices::{Choice, Run, Span, Value};
use std::sync::Arc;

/// The nesting of spans.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// The spans of all families, one family after another. The outermost spans come first.
    children: Arc<[u32]>,
    /// The start of each family in `children`, and the end of the last family.
    starts: Arc<[u32]>,
}

impl Tree {
    pub(super) fn of(run: &Run) -> Self {
        let parent = |span: &Span| span.parent.map_or(0, |parent| parent as usize + 1);
        let mut starts = vec![0; run.spans.len() + 3];
        for span in &run.spans {
            starts[parent(span) + 2] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut children = vec![0; run.spans.len()];
        for (number, span) in run.spans.iter().enumerate() {
            let at = &mut starts[parent(span) + 1];
            children[*at as usize] = number as u32;
            *at += 1;
        }
        starts.pop();
        Tree {
            children: children.into(),
            starts: starts.into(),
        }
    }

    /// Returns the number of families: one family of the outermost spans, and one family per
    /// span.
    pub(super) fn families(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the spans of one family in order. Family 0 contains the outermost spans, and family
    /// i + 1 contains the children of span i.
    pub(super) fn family(&self, number: usize) -> &[u32] {
        match (self.starts.get(number), self.starts.get(number + 1)) {
            (Some(&start), Some(&end)) => &self.children[start as usize..end as usize],
            _ => &[],
        }
    }
}

/// Returns the choices of a run without some spans, which must be disjoint and in order.
pub(super) fn kept<'r>(run: &'r Run, spans: &'r [u32]) -> impl Iterator<Item = &'r Choice> {
    let spans = spans
        .iter()
        .filter_map(|&span| run.spans.get(span as usize));
    let starts = spans.clone().map(|span| span.start as usize);
    let starts = starts.chain([run.choices.len()]);
    let ends = std::iter::once(0).chain(spans.map(|span| span.end as usize));
    ends.zip(starts)
        .flat_map(|(end, start)| run.choices.get(end..start).unwrap_or_default())
}

/// Returns the values of the choices that [`kept`] returns.
pub(super) fn without(run: &Run, spans: &[u32]) -> Vec<Value> {
    kept(run, spans)
        .map(|choice| choice.value.clone())
        .collect()
}

/// Returns the values of the choices from `start` to `end`.
pub(super) fn slice(run: &Run, start: usize, end: usize) -> impl Iterator<Item = Value> {
    let choices = run.choices.get(start..end).unwrap_or_default();
    choices.iter().map(|choice| choice.value.clone())
}
