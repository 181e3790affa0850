use nubbin_choices::{Choice, Kind, Label, Run, Span, Value};

/// The default for the maximum number of choices of a recorded run.
const MAX_CHOICES: usize = 1 << 16;

/// A run that is being recorded.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    most: usize,
    run: Run,
    /// The indices of the spans that have not ended.
    open: Vec<u32>,
    rejected: bool,
}

impl Default for Recorder {
    fn default() -> Self {
        Recorder {
            most: MAX_CHOICES,
            run: Run::default(),
            open: vec![],
            rejected: false,
        }
    }
}

impl Recorder {
    /// Returns whether the run has its maximum number of choices.
    pub(super) fn is_full(&self) -> bool {
        self.run.choices.len() >= self.most
    }

    pub(super) fn set_most(&mut self, most: usize) {
        self.most = most;
    }

    pub(super) fn push(&mut self, kind: Kind, value: Value) {
        if self.is_full() {
            self.rejected = true;
            return;
        }
        self.run.choices.push(Choice { kind, value });
    }

    pub(super) fn begin(&mut self, label: Label) {
        let at = self.run.choices.len() as u32;
        let parent = self.open.last().copied();
        self.open.push(self.run.spans.len() as u32);
        self.run.spans.push(Span {
            label,
            parent,
            start: at,
            end: at,
            discarded: false,
        });
    }

    pub(super) fn end(&mut self, discarded: bool) {
        let at = self.run.choices.len() as u32;
        let span = self.open.pop();
        if let Some(span) = span.and_then(|span| self.run.spans.get_mut(span as usize)) {
            span.end = at;
            span.discarded = discarded;
        }
    }

    pub(super) fn withdraw(&mut self) {
        let spans = &mut self.run.spans;
        if let Some(span) = self.open.pop()
            && span as usize + 1 == spans.len()
        {
            spans.pop();
        }
    }

    pub(super) fn reject(&mut self) {
        self.rejected = true;
    }

    pub(super) fn finish(mut self, text: Vec<u8>, overran: bool) -> Option<Run> {
        while !self.open.is_empty() {
            self.end(false);
        }
        self.run.text = text;
        self.run.overran = overran;
        (!self.rejected).then_some(self.run)
    }
}
