use nubbin_choices::{Choice, Kind, Replay, Run, Value, decode, encode_run};
use nubbin_edit::{Edit, File, Fingerprint, Span, fingerprint};
use nubbin_engine::work::{Machine, Work};
use std::sync::Arc;

/// The decisions of a pass over choices. [`ChoiceMachine`] does the other tasks of a machine.
pub(super) trait Search: Clone + Send + 'static {
    /// Returns the next sequence to try in place of the present one, or `None` at the end. It is
    /// called once for each sequence, and gets the result before it is called again.
    fn next(&mut self, now: &Run, replay: &dyn Replay) -> Option<Attempt>;

    /// Takes the result. `now` is the present run: the new one if it was adopted.
    fn record(&mut self, now: &Run, adopted: bool);
}

/// A sequence to try.
pub(super) struct Attempt {
    values: Vec<Value>,
    /// For each value, the question that it answered, if the fit is [`Fit::Aligned`].
    kinds: Vec<Kind>,
    fit: Fit,
}

/// The condition on a replay under which a sequence is worth a test.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// The run may be any run that is simpler than the current run.
    Any,
    /// The generator must take exactly these values, each unchanged, so that no value answers
    /// another question.
    Exact,
    /// The generator must take exactly these values, and every value must be at its former site.
    Shape,
    /// The generator must ask the same questions, except questions that it no longer asks. For
    /// example, one of two alternatives may now be the only one.
    Aligned,
}

impl Attempt {
    pub(super) fn any(values: Vec<Value>) -> Self {
        Attempt {
            values,
            kinds: vec![],
            fit: Fit::Any,
        }
    }

    pub(super) fn exact(values: Vec<Value>) -> Self {
        Attempt {
            values,
            kinds: vec![],
            fit: Fit::Exact,
        }
    }

    pub(super) fn same_shape(values: Vec<Value>) -> Self {
        Attempt {
            values,
            kinds: vec![],
            fit: Fit::Shape,
        }
    }

    /// Creates an attempt that keeps only the given choices of the current run.
    pub(super) fn aligned<'a>(choices: impl Iterator<Item = &'a Choice>) -> Self {
        let both = choices.map(|choice| (choice.value.clone(), choice.kind.clone()));
        let (values, kinds) = both.unzip();
        Attempt {
            values,
            kinds,
            fit: Fit::Aligned,
        }
    }

    /// Returns the run that the generator makes of the attempt, if it has the intended fit.
    fn realise(mut self, now: &Run, replay: &dyn Replay) -> Option<Arc<Run>> {
        let mut run = replay.replay(&self.values)?;
        for _ in 0..MAX_LOST {
            let Some(gone) = self.gone(&run) else {
                break;
            };
            self.values.remove(gone);
            self.kinds.remove(gone);
            run = replay.replay(&self.values)?;
        }
        let fits = match self.fit {
            Fit::Any => true,
            Fit::Exact => run.is_of(&self.values),
            Fit::Shape => run.is_of(&self.values) && run.spans == now.spans,
            Fit::Aligned => {
                let same = |(choice, kind): (&Choice, &Kind)| alike(&choice.kind, kind);
                run.choices.len() == self.kinds.len()
                    && run.choices.iter().zip(&self.kinds).all(same)
            }
        };
        (fits && run.choices.len() <= now.choices.len()).then_some(run)
    }

    /// Returns the first value whose question is no longer asked: the question in its place is the
    /// one that the next value answered.
    fn gone(&self, run: &Run) -> Option<usize> {
        if self.fit != Fit::Aligned {
            return None;
        }
        let mut at = 0;
        while let Some(kind) = self.kinds.get(at) {
            match (run.choices.get(at), self.kinds.get(at + 1)) {
                (Some(asked), _) if asked.kind == *kind => {}
                (Some(asked), Some(next)) if asked.kind == *next => return Some(at),
                (Some(asked), _) if alike(&asked.kind, kind) => {}
                _ => return Some(at),
            }
            at += 1;
        }
        None
    }
}

/// The maximum number of choices that an attempt may lose by alignment.
const MAX_LOST: usize = 16;

/// Returns whether two kinds are of one type, independent of their bounds.
fn alike(left: &Kind, right: &Kind) -> bool {
    std::mem::discriminant(left) == std::mem::discriminant(right)
}

/// The number of attempts in a row without a proposal, after which the engine gets a chance to
/// check its time limit.
const BREATH: u32 = 64;

/// A machine that proposes the runs that the generator creates from the sequences of a search.
pub(super) struct ChoiceMachine<S> {
    replay: Arc<dyn Replay>,
    /// The length of the input on which the work was opened.
    opened: u32,
    now: Arc<Run>,
    now_encoded: Arc<[u8]>,
    pending: Option<Pending>,
    search: S,
}

#[derive(Clone)]
struct Pending {
    /// The current run; `None` during a pause for the engine.
    run: Option<Arc<Run>>,
    encoded: Arc<[u8]>,
    known_by: Fingerprint,
}

impl<S: Search> ChoiceMachine<S> {
    /// Returns the work of a pass, or `None` if the input is not a sequence or the search is empty.
    pub(super) fn open(
        file: &File<'_>,
        replay: &Arc<dyn Replay>,
        search: impl FnOnce(&Run) -> S,
    ) -> Option<Work> {
        let now = replay.replay(&decode(file.text).ok()?)?;
        let search = search(&now);
        Some(Work::Machine(Box::new(ChoiceMachine {
            replay: Arc::clone(replay),
            opened: file.span.len(),
            now_encoded: encode_run(&now).into(),
            now,
            pending: None,
            search,
        })))
    }

    fn think(&mut self) -> Option<Pending> {
        for _ in 0..BREATH {
            let attempt = self.search.next(&self.now, &*self.replay)?;
            if let Some(run) = attempt.realise(&self.now, &*self.replay) {
                let encoded = encode_run(&run);
                if encoded[..] < self.now_encoded[..] {
                    return Some(Pending {
                        known_by: fingerprint(&run.text),
                        run: Some(run),
                        encoded: encoded.into(),
                    });
                }
            }
            self.search.record(&self.now, false);
        }
        Some(Pending {
            run: None,
            encoded: Arc::clone(&self.now_encoded),
            known_by: fingerprint(&self.now.text),
        })
    }
}

impl<S: Search> Machine for ChoiceMachine<S> {
    fn next(&mut self) -> Option<Edit> {
        if self.pending.is_none() {
            self.pending = self.think();
        }
        let pending = self.pending.as_ref()?;
        Some(Edit::replace(Span::new(0, self.opened), &pending.encoded))
    }

    fn record(&mut self, adopted: bool) {
        let Some(Pending { run, encoded, .. }) = self.pending.take() else {
            return;
        };
        let Some(run) = run else {
            return;
        };
        if adopted {
            self.now = Arc::clone(&run);
            self.now_encoded = encoded;
        }
        self.search.record(&self.now, adopted);
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(ChoiceMachine {
            replay: Arc::clone(&self.replay),
            opened: self.opened,
            now: Arc::clone(&self.now),
            now_encoded: Arc::clone(&self.now_encoded),
            pending: self.pending.clone(),
            search: self.search.clone(),
        })
    }

    fn known_by(&self) -> Option<Fingerprint> {
        Some(self.pending.as_ref()?.known_by)
    }
}
