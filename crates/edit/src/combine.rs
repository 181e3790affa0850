use super::{Conflict, Edit, Splice};

/// The relation of two splices of different edits.
enum Meeting {
    Apart,
    Union,
    /// A deletion that reaches over the border of a replacement: it covers bytes outside of it.
    Beyond,
    FirstWins,
    SecondWins,
    Conflict,
}

fn meet(a: &Splice, b: &Splice) -> Meeting {
    if !touch(a, b) {
        return Meeting::Apart;
    }
    if a.is_deletion() && b.is_deletion() {
        Meeting::Union
    } else if a.outranks(b) {
        Meeting::FirstWins
    } else if b.outranks(a) {
        Meeting::SecondWins
    } else if a.is_beyond(b) {
        Meeting::Beyond
    } else {
        Meeting::Conflict
    }
}

impl Splice {
    /// Returns whether this splice wins where both splices change the same bytes. A splice wins if
    /// it contains the other splice. For the same span, the higher rank wins, and then the smaller
    /// text.
    pub(super) fn outranks(&self, other: &Splice) -> bool {
        if self.span == other.span && self.rank != other.rank {
            return self.rank > other.rank;
        }
        if self.is_insertion() {
            return false;
        }
        if self.span != other.span {
            return self.span.covers(other.span);
        }
        let rank = |splice: &Splice| (splice.text().len(), splice.text.clone());
        rank(self) <= rank(other)
    }

    /// Returns whether one splice deletes and the other one replaces, for two splices that share
    /// bytes and of which neither contains the other.
    pub(super) fn is_beyond(&self, other: &Splice) -> bool {
        self.is_deletion() != other.is_deletion() && !self.is_insertion() && !other.is_insertion()
    }
}

/// Returns whether two splices change the same bytes, or the same point between two bytes. An
/// insertion at the border of a span is next to the span, not in it.
fn touch(a: &Splice, b: &Splice) -> bool {
    match (a.is_insertion(), b.is_insertion()) {
        (true, true) => a.span == b.span,
        (true, false) => b.span.start < a.span.start && a.span.start < b.span.end,
        (false, true) => a.span.start < b.span.start && b.span.start < a.span.end,
        (false, false) => a.span.start < b.span.end && b.span.start < a.span.end,
    }
}

impl Edit {
    /// Combines two edits that were proposed for the same base.
    ///
    /// Deletions are united. If one edit deletes or replaces a span as a whole, changes of the
    /// other edit inside the span are dropped. Of two texts for one span, the smaller text wins
    /// (fewer bytes, then alphabetical order). If a deletion reaches over the border of a
    /// replacement, the replacement is kept and the rest is deleted, since such a deletion may be
    /// two merged deletions. This takes time linear in the number of splices.
    ///
    /// # Errors
    /// Returns [`Conflict`] if two replacements overlap and neither is inside the other, or if both
    /// insert at the same position.
    pub fn combine(&self, other: &Edit) -> Result<Edit, Conflict> {
        let (mut left, mut right) = (
            self.splices.iter().cloned().peekable(),
            other.splices.iter().cloned().peekable(),
        );
        let mut out: Vec<Splice> = Vec::with_capacity(self.splices.len() + other.splices.len());
        loop {
            let next = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => left.next(),
                (None, Some(_)) => right.next(),
                (Some(a), Some(b)) if a.span <= b.span => left.next(),
                _ => right.next(),
            };
            if let Some(splice) = next {
                settle(&mut out, splice)?;
            }
        }
        Ok(Edit::from_sorted(beyond_replacements(out)))
    }
}

/// Moves the start of a deletion to the end of a replacement that reaches into it. This is the last
/// step, since until all splices are present, the bytes that they cover count.
fn beyond_replacements(mut splices: Vec<Splice>) -> Vec<Splice> {
    let mut end = 0;
    for splice in &mut splices {
        splice.span.start = splice.span.start.max(end);
        end = splice.span.end;
    }
    splices
}

/// Adds a splice that starts no earlier than all before it. Those before are disjoint (except for
/// deletions that are to begin after a replacement), so it can only meet the last few: the last,
/// and, where that is an insertion at its end, the one before.
fn settle(out: &mut Vec<Splice>, mut splice: Splice) -> Result<(), Conflict> {
    while let Some(last) = out.last_mut() {
        match meet(last, &splice) {
            Meeting::Conflict => {
                return Err(Conflict {
                    at: splice.span.start,
                });
            }
            Meeting::FirstWins => return Ok(()),
            Meeting::Union => {
                last.span.end = last.span.end.max(splice.span.end);
                last.rank = last.rank.max(splice.rank);
                return Ok(());
            }
            Meeting::SecondWins => {
                splice.span.start = splice.span.start.min(last.span.start);
                out.pop();
            }
            Meeting::Beyond if last.is_deletion() => {
                last.span.end = splice.span.start;
                break;
            }
            Meeting::Beyond | Meeting::Apart => break,
        }
    }
    // A splice that covers several others absorbs them one by one. They start after it, so each one
    // meets it as the last output. The reverse cannot happen.
    out.push(splice);
    Ok(())
}
