use crate::{Cut, Span};

/// The positions after some cuts, computed in logarithmic time.
pub(crate) struct Moves<'a> {
    cuts: &'a [Cut],
    /// The growth by the cuts before each cut. The last element is the growth by all cuts.
    shifts: Vec<i64>,
}

impl<'a> Moves<'a> {
    /// Creates the index of sorted, disjoint cuts.
    pub(crate) fn of(cuts: &'a [Cut]) -> Self {
        let mut shifts = Vec::with_capacity(cuts.len() + 1);
        let mut total = 0;
        for cut in cuts {
            shifts.push(total);
            total += cut.text.len() as i64 - i64::from(cut.span.end - cut.span.start);
        }
        shifts.push(total);
        Moves { cuts, shifts }
    }

    /// Returns the new position of a text that starts at `at`. For a removed text, it is the
    /// position from which it was removed.
    pub(crate) fn start(&self, at: u32) -> u32 {
        self.place(self.cuts.partition_point(|cut| cut.span.end <= at), at)
    }

    /// Returns the new position of a text that ends at `at`. This position is before any text that
    /// is inserted at `at`.
    pub(crate) fn end(&self, at: u32) -> u32 {
        let before =
            |cut: &Cut| cut.span.end < at || cut.span.end == at && cut.span.start < cut.span.end;
        self.place(self.cuts.partition_point(before), at)
    }

    fn place(&self, before: usize, at: u32) -> u32 {
        let inside = self
            .cuts
            .get(before)
            .map(|cut| cut.span.start)
            .filter(|&start| start < at);
        let shift = self.shifts.get(before).copied().unwrap_or(0);
        (i64::from(inside.unwrap_or(at)) + shift).max(0) as u32
    }

    pub(crate) fn span(&self, span: &Span) -> Span {
        let start = self.start(span.start);
        start..self.end(span.end).max(start)
    }

    /// Returns whether all bytes of a span are removed.
    pub(crate) fn removes(&self, span: &Span) -> bool {
        span.start < span.end
            && self.met(span).is_some_and(|cut| {
                cut.is_removal() && cut.span.start <= span.start && span.end <= cut.span.end
            })
    }

    /// Returns the first cut that changes bytes of a span or inserts bytes between them. For an
    /// empty span, it may be a cut that covers both sides.
    pub(crate) fn met(&self, span: &Span) -> Option<&'a Cut> {
        let first = self.cuts.partition_point(|cut| cut.span.end <= span.start);
        let cut = self.cuts.get(first)?;
        (cut.span.start < span.end).then_some(cut)
    }
}
