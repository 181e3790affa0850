use crate::edit::{Edit, Fingerprint, fingerprint};
use crate::input::File;
use crate::span::Span;
use crate::work::{Machine, Work};
use nubbin_choices::{Replay, Run, Value, decode, encode_run};
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
}

impl Attempt {
    pub(super) fn any(values: Vec<Value>) -> Self {
        Attempt {
            values,
            fit: Fit::Any,
        }
    }

    pub(super) fn exact(values: Vec<Value>) -> Self {
        Attempt {
            values,
            fit: Fit::Exact,
        }
    }

    pub(super) fn same_shape(values: Vec<Value>) -> Self {
        Attempt {
            values,
            fit: Fit::Shape,
        }
    }

    fn fits(&self, now: &Run, run: &Run) -> bool {
        run.choices.len() <= now.choices.len()
            && (self.fit == Fit::Any || run.is_of(&self.values))
            && (self.fit != Fit::Shape || run.spans == now.spans)
    }
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
            let realised = self.replay.replay(&attempt.values);
            if let Some(run) = realised.filter(|run| attempt.fits(&self.now, run)) {
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
