use crate::edit::{Edit, Fingerprint, fingerprint};
use crate::input::File;
use crate::span::Span;
use crate::work::{Machine, Work};
use nubbin_choices::{Choice, Kind, Replay, Run, Value, decode, encode_run};
use std::sync::Arc;

/// What a pass over choices decides; [`ChoiceMachine`] does the rest.
pub(super) trait Search: Clone + Send + 'static {
    /// The next sequence to try in place of the present one, `None` at the end. Is asked once for
    /// each, and told what came of it before it is asked again.
    fn next(&mut self, now: &Run, replay: &dyn Replay) -> Option<Attempt>;

    /// What came of it: `now` is the run there is from now on, the new one where it was adopted.
    fn record(&mut self, now: &Run, adopted: bool);
}

/// A sequence to try.
pub(super) struct Attempt {
    values: Vec<Value>,
    /// What each value answered, where the fit is [`Fit::Aligned`].
    kinds: Vec<Kind>,
    fit: Fit,
}

/// What the generator must make of a sequence, so that it is worth a test.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// Anything that is simpler than what there is.
    Any,
    /// It takes exactly these values, each as it is: nothing has slipped into another place.
    Exact,
    /// And everything is where it was before.
    Shape,
    /// It is asked for the same things, apart from those it does not ask for any more: what was one
    /// of two may be the only one now.
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

    /// Choices of the present run that are to be all there is.
    pub(super) fn aligned<'a>(choices: impl Iterator<Item = &'a Choice>) -> Self {
        let both = choices.map(|choice| (choice.value.clone(), choice.kind.clone()));
        let (values, kinds) = both.unzip();
        Attempt {
            values,
            kinds,
            fit: Fit::Aligned,
        }
    }

    /// What the generator makes of it, if that is what was meant.
    fn realise(mut self, now: &Run, replay: &dyn Replay) -> Option<Arc<Run>> {
        let mut run = replay.replay(&self.values)?;
        for _ in 0..GONE {
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

    /// The first value that nothing was asked for any more: what was asked in its place is what the
    /// one behind it answered.
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

/// Choices that an attempt may lose to alignment.
const GONE: usize = 16;

/// Whether two kinds are of one type, whatever their bounds.
fn alike(left: &Kind, right: &Kind) -> bool {
    std::mem::discriminant(left) == std::mem::discriminant(right)
}

/// Attempts in a row that came to nothing before the engine is given a moment to look after its
/// time.
const BREATH: u32 = 64;

/// Proposes what the generator makes of what a search comes up with.
pub(super) struct ChoiceMachine<S> {
    replay: Arc<dyn Replay>,
    /// Length of the input the work was opened on.
    opened: u32,
    now: Arc<Run>,
    now_encoded: Arc<[u8]>,
    pending: Option<Pending>,
    search: S,
}

#[derive(Clone)]
struct Pending {
    /// `None`: only a breath is drawn.
    run: Option<Arc<Run>>,
    encoded: Arc<[u8]>,
    known_by: Fingerprint,
}

impl<S: Search> ChoiceMachine<S> {
    /// The work of a pass: nothing where the input is no sequence, or nothing comes of it.
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
