use super::{Conflict, Edit, Splice};
use crate::Span;

/// An edit that was applied to a base, indexed to rebase spans of the old base to the new base in
/// logarithmic time.
///
/// ```
/// use nubbin_edit::{Applied, Edit};
/// use nubbin_edit::Span;
///
/// let mut applied = Applied::default();
/// applied.apply(&Edit::delete(Span::new(0, 10))).unwrap();
/// let later = Edit::delete(Span::new(5, 15));        // half of it was deleted already
/// assert_eq!(applied.rebase(&later).unwrap(), Edit::delete(Span::new(0, 5)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Applied {
    edit: Edit,
    /// For each splice, the total growth of the splices before it.
    shifts: Vec<i64>,
    total: i64,
}

impl Applied {
    /// Creates the index of an edit.
    pub fn new(edit: Edit) -> Self {
        let mut total = 0;
        let shifts = edit
            .splices()
            .iter()
            .map(|splice| {
                let before = total;
                total += splice.growth();
                before
            })
            .collect();
        Applied {
            edit,
            shifts,
            total,
        }
    }

    /// Returns all changes applied so far, as one edit of the old base.
    pub fn edit(&self) -> &Edit {
        &self.edit
    }

    /// Applies an edit that was proposed for the old base.
    ///
    /// # Errors
    /// Returns [`Conflict`] for the same reasons as [`Edit::combine`]; nothing is changed in that
    /// case.
    pub fn apply(&mut self, edit: &Edit) -> Result<(), Conflict> {
        *self = Applied::new(self.edit.combine(edit)?);
        Ok(())
    }

    /// Applies an edit of the new base.
    pub fn then(&mut self, edit: &Edit) {
        *self = Applied::new(self.edit.then(edit));
    }

    /// Converts an edit of the old base to an edit of the new base. The result is [`Edit::none`] if
    /// all its changes were already made.
    ///
    /// # Errors
    /// Returns [`Conflict`] if the edit cannot be combined with the applied changes.
    pub fn rebase(&self, edit: &Edit) -> Result<Edit, Conflict> {
        let mut out = Edit::none();
        for splice in edit.splices() {
            if let Some(moved) = self.carry(splice)? {
                out.push(moved);
            }
        }
        Ok(out)
    }

    /// Converts a span of the old base to a span of the new base. The result is empty if the span
    /// was removed.
    pub fn span(&self, span: Span) -> Span {
        let start = self.start(span.start);
        Span::new(start, self.end(span.end).max(start))
    }

    fn carry(&self, splice: &Splice) -> Result<Option<Splice>, Conflict> {
        let met = self.met(splice.span);
        let conflict = Conflict {
            at: splice.span.start,
        };
        if let [only] = met
            && !(only.is_deletion() && splice.is_deletion())
            && only.outranks(splice)
        {
            return Ok(None);
        }
        // All splices between the first and the last one met lie inside this one.
        for edge in [met.first(), met.last()].into_iter().flatten() {
            let unite = edge.is_deletion() && splice.is_deletion();
            if !unite && !splice.outranks(edge) && !splice.is_beyond(edge) {
                return Err(conflict);
            }
        }
        let span = if splice.is_insertion() {
            let at = self.start(splice.span.start);
            Span::new(at, at)
        } else {
            let mut span = self.span(splice.span);
            // A replacement that reaches into a deletion is kept.
            let before = met.first().filter(|first| {
                splice.is_deletion() && !first.is_deletion() && first.span.start < splice.span.start
            });
            if let Some(before) = before {
                span.start = self.end(before.span.end).min(span.end);
            }
            span
        };
        let nothing = span.is_empty() && splice.is_deletion();
        Ok((!nothing).then(|| Splice {
            span,
            text: splice.text.clone(),
            rank: splice.rank,
        }))
    }

    /// Returns the applied splices that concern bytes (or the point) of a span.
    fn met(&self, span: Span) -> &[Splice] {
        let splices = self.edit.splices();
        let (from, to) = if span.is_empty() {
            // Strictly inside a span, or at the same point.
            let from = splices.partition_point(|s| {
                s.span.end < span.start || (s.span.end == span.start && !s.is_insertion())
            });
            let to = from
                + splices[from..].partition_point(|s| {
                    s.span.start < span.start || (s.span.start == span.start && s.is_insertion())
                });
            (from, to)
        } else {
            let from = splices.partition_point(|s| s.span.end <= span.start);
            let to = from + splices[from..].partition_point(|s| s.span.start < span.end);
            (from, to)
        };
        &splices[from..to]
    }

    /// Returns the present start of text that starts at an old offset: after any insertion there.
    fn start(&self, at: u32) -> u32 {
        let splices = self.edit.splices();
        let before = splices.partition_point(|s| s.span.end <= at);
        self.place(before, at)
    }

    /// Converts the end of a span of the old base to an offset of the new base, before any
    /// insertion at that offset.
    pub fn end(&self, at: u32) -> u32 {
        let splices = self.edit.splices();
        let before =
            splices.partition_point(|s| s.span.end < at || (s.span.end == at && !s.is_insertion()));
        self.place(before, at)
    }

    /// Returns the new offset of `at`, after the first `before` splices. For an offset inside the
    /// next splice, it is the start of that splice.
    fn place(&self, before: usize, at: u32) -> u32 {
        let inside = self
            .edit
            .splices()
            .get(before)
            .map(|s| s.span.start)
            .filter(|&s| s < at);
        let shift = self.shifts.get(before).copied().unwrap_or(self.total);
        (i64::from(inside.unwrap_or(at)) + shift) as u32
    }
}

impl Edit {
    /// Converts this edit of a base to an edit of the base after `applied`. To convert many edits,
    /// use [`Applied`].
    ///
    /// # Errors
    /// Returns [`Conflict`] if the two cannot be combined.
    pub fn rebase(&self, applied: &Edit) -> Result<Edit, Conflict> {
        Applied::new(applied.clone()).rebase(self)
    }
}
