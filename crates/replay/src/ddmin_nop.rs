use super::sites;
use nubbin_choices::{Replay, Value, decode, encode_values};
use nubbin_edit::{Edit, File, Fingerprint, Span, fingerprint};
use nubbin_engine::work::{Context, Machine, Pass, PassInfo, Work};
use std::sync::Arc;

/// Deletes choices as `choice-ddmin` does, but replaces each deleted part with one choice that
/// means "the simplest value".
///
/// At such a choice, a generator of a grammar takes its default for the whole symbol, so that the
/// choices after it may be read as before. `notes/decisions/0038-no-alignment-by-site.md` has
/// measurements of the effect.
///
/// * *Cost:* the same as for `choice-ddmin`.
/// * *Source:* R. Gopinath, "Reducing Generated Inputs by Their Choices", the variant with a
///   no-operation (-1).
/// * *Changed:* a grammar's defaults are its shortest phrases and need not be given; a generator
///   chooses its own, as what it makes of the simplest answer. A candidate must be shorter: the
///   printed program repeats an edit forever that puts the choice in the place of itself.
#[derive(Clone)]
pub struct DdminNop {
    replay: Arc<dyn Replay>,
}

impl DdminNop {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        DdminNop { replay }
    }
}

impl Pass for DdminNop {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-ddmin-nop",
            "delta debugging that replaces choices with the simplest instead of deleting them",
            "R. Gopinath, generator reduction",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        Seed::open(file, &self.replay, Variant::Nop)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    /// Deletes the part.
    Delete,
    /// Deletes the part, and sets the choice before it to the simplest value.
    Nop,
    /// Deletes the part, and moves the choices after it back to their sites.
    Align,
}

/// The machine of all variants. The first two variants propose the sequences unchanged, and not the
/// choices that the generator uses from them, since they only know that the generator may run out
/// of choices.
#[derive(Clone)]
pub(super) struct Seed {
    replay: Arc<dyn Replay>,
    opened: u32,
    variant: Variant,
    now: Vec<Value>,
    start: usize,
    part: usize,
    /// The number of choices at the start of this round.
    round: usize,
    pending: Option<(Vec<Value>, Fingerprint)>,
}

impl Seed {
    pub(super) fn open(
        file: &File<'_>,
        replay: &Arc<dyn Replay>,
        variant: Variant,
    ) -> Option<Work> {
        let now = decode(file.text).ok()?;
        Some(Work::Machine(Box::new(Seed {
            replay: Arc::clone(replay),
            opened: file.span.len(),
            variant,
            start: 0,
            part: now.len() / 2,
            round: now.len(),
            now,
            pending: None,
        })))
    }

    /// Returns the next part to try.
    fn candidate(&self) -> Option<Vec<Value>> {
        if self.variant != Variant::Align {
            return Some(self.stitched());
        }
        let now = self.replay.replay(&self.now)?;
        let end = self.start + self.part;
        let made = sites::without(&now, self.start, end, &*self.replay)?;
        Some(made.values())
    }

    fn stitched(&self) -> Vec<Value> {
        let (now, start) = (&self.now, self.start);
        let (head, skip) = match (self.variant, start) {
            (Variant::Delete | Variant::Align, _) => (start, self.part),
            (Variant::Nop, 0) => (0, self.part + 1),
            (Variant::Nop, _) => (start - 1, self.part),
        };
        let mut values = now[..head].to_vec();
        if self.variant == Variant::Nop {
            values.push(Value::Simplest);
        }
        values.extend_from_slice(now.get(start + skip..).unwrap_or_default());
        values
    }

    /// Handles the end of the sequence: shorter parts, or another round.
    fn turn(&mut self) -> Option<()> {
        self.start = 0;
        self.part /= 2;
        if self.part == 0 {
            if self.now.len() >= self.round || self.now.is_empty() {
                return None;
            }
            self.round = self.now.len();
            self.part = self.now.len() / 2;
        }
        (self.part > 0).then_some(())
    }
}

impl Machine for Seed {
    fn next(&mut self) -> Option<Edit> {
        while self.pending.is_none() && self.part > 0 {
            if self.start >= self.now.len() {
                if self.turn().is_none() {
                    self.part = 0;
                }
                continue;
            }
            let Some(values) = self.candidate() else {
                self.start += self.part;
                continue;
            };
            let run = self.replay.replay(&values);
            match run.filter(|run| !run.overran && values.len() < self.now.len()) {
                Some(run) => self.pending = Some((values, fingerprint(&run.text))),
                None => self.start += self.part,
            }
        }
        let (values, _) = self.pending.as_ref()?;
        let span = Span::new(0, self.opened);
        Some(Edit::replace(span, &encode_values(values)))
    }

    fn record(&mut self, adopted: bool) {
        match self.pending.take() {
            Some((values, _)) if adopted => self.now = values,
            _ => self.start += self.part,
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }

    fn known_by(&self) -> Option<Fingerprint> {
        Some(self.pending.as_ref()?.1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{list, reduced};
    use super::*;

    #[test]
    fn a_deleted_part_becomes_the_simplest_choice() {
        let fails = |text: &str| text.contains('7');
        let reduced = reduced(&DdminNop::new(list()), "[1, 7, 5, 3, 4, 5]", fails);
        assert!(reduced.contains('7') && reduced.len() <= 9, "{reduced}");
    }
}
