use super::record::Recorder;
use crate::random::Random;
use nubbin_choices::{Kind, Run, Value};

/// In a recording: take the way that ends soonest, whatever it is.
pub const DEFAULT: u32 = u32::MAX;

/// Choices of a recorded run, at most.
pub(super) const MOST: usize = 1 << 16;

/// A sequence of choices, drawn or replayed, and recorded either way.
///
/// Whoever makes something by chance draws from this instead: then what it made can be made again,
/// and made smaller by making the choices simpler.
///
/// Choices by index ([`Choices::choose`]) are always recorded. Numbers, texts and [spans](Choices::span)
/// are where the sequence was begun with [`Choices::recording`] or [`Choices::of`]; the others are a
/// little faster.
///
/// A replayed choice by index is taken modulo the number of possibilities, a number is clamped, and
/// a value of another type is the simplest, so every sequence means something. Where the sequence
/// is at its end, or says [`DEFAULT`] or [`Value::Simplest`], the simplest is taken: what ends
/// soonest.
///
/// * *Source:* R. Gopinath's `ChoiceSeq` and the Hypothesis project's choice sequences (MacIver).
///
/// ```
/// use nubbin_generate::Choices;
///
/// fn list(choices: &mut Choices) -> Vec<i64> {
///     choices.list(0..=10, |choices| choices.integer(-99..=99))
/// }
/// let mut choices = Choices::recording(7);
/// let drawn = list(&mut choices);
/// let run = choices.into_run(vec![]).unwrap();
/// assert_eq!(list(&mut Choices::of(run.values())), drawn);
/// assert!(list(&mut Choices::of(vec![])).is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Choices {
    pub(super) source: Source,
    recorded: Vec<u32>,
    pub(super) run: Option<Box<Recorder>>,
    /// Whatever is asked for, the simplest is taken, and nothing of the sequence is used up.
    pub(super) closing: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Source {
    Random(Random),
    Replay { choices: Vec<u32>, next: usize },
    Values { values: Vec<Value>, next: usize },
}

impl Choices {
    /// Draws from a seed; the same on every machine.
    pub fn seeded(seed: u64) -> Self {
        Choices::from(Source::Random(Random::new(seed)))
    }

    /// Repeats a recording of choices by index.
    pub fn replay(choices: Vec<u32>) -> Self {
        Choices::from(Source::Replay { choices, next: 0 })
    }

    /// Draws from a seed, and records all there is to record.
    pub fn recording(seed: u64) -> Self {
        Choices {
            run: Some(Box::default()),
            ..Choices::seeded(seed)
        }
    }

    /// Repeats values, and records what becomes of them.
    pub fn of(values: Vec<Value>) -> Self {
        Choices {
            run: Some(Box::default()),
            ..Choices::from(Source::Values { values, next: 0 })
        }
    }

    /// Gives up after this many choices, where they are recorded: from then on the simplest is taken
    /// of all that is asked for, and nothing comes of the run. The default is 65,536, which no
    /// generator needs that is to make something a person looks at, and which ends one that goes on
    /// for ever as long as that asks the simplest to.
    #[must_use]
    pub fn most(mut self, choices: usize) -> Self {
        if let Some(run) = &mut self.run {
            run.set_most(choices);
        }
        self
    }

    fn from(source: Source) -> Self {
        Choices {
            source,
            recorded: vec![],
            run: None,
            closing: false,
        }
    }

    /// One of `count` possibilities, all equally likely; `default` where nothing is said.
    ///
    /// With one possibility there is nothing to choose, and nothing is recorded.
    pub fn choose(&mut self, count: usize, default: usize) -> usize {
        if count < 2 {
            return 0;
        }
        let full = self.is_full();
        let choice = match &mut self.source {
            Source::Random(_) if full => default,
            Source::Random(random) => random.below(count as u32) as usize,
            _ => return self.repeated(count, default),
        };
        self.record(count, default, choice)
    }

    /// One of those of `count` possibilities that are allowed here, all equally likely; the first of
    /// them where nothing is said. Recorded by its place among all, also where only one is allowed,
    /// so that it means the same where others are.
    pub fn choose_among(&mut self, count: usize, allowed: &[u32]) -> usize {
        let Some(&first) = allowed.first().filter(|_| count >= 2) else {
            return 0;
        };
        let first = first as usize;
        let full = self.is_full();
        let choice = match &mut self.source {
            Source::Random(_) if full || allowed.len() < 2 => first,
            Source::Random(random) => allowed[random.below(allowed.len() as u32) as usize] as usize,
            _ => {
                let said = self.said(count, first);
                match allowed.binary_search(&(said as u32)) {
                    Ok(_) => said,
                    Err(_) => allowed[said % allowed.len()] as usize,
                }
            }
        };
        self.record(count, first, choice)
    }

    /// One of several possibilities by their weights. All zero means equally likely.
    pub fn choose_weighted(
        &mut self,
        weights: impl ExactSizeIterator<Item = f32> + Clone,
        default: usize,
    ) -> usize {
        let count = weights.len();
        let total: f32 = weights.clone().sum();
        if count < 2 || total <= 0.0 || !total.is_finite() {
            return self.choose(count, default);
        }
        let full = self.is_full();
        let choice = match &mut self.source {
            Source::Random(_) if full => default,
            Source::Random(random) => {
                let mut left = random.unit() * total;
                let mut last = 0;
                for (i, weight) in weights.enumerate() {
                    if weight > 0.0 {
                        last = i;
                        if left < weight {
                            break;
                        }
                        left -= weight;
                    }
                }
                last
            }
            _ => return self.repeated(count, default),
        };
        self.record(count, default, choice)
    }

    /// What has been chosen by index.
    pub fn recorded(&self) -> &[u32] {
        &self.recorded
    }

    /// What has been chosen by index.
    pub fn into_recorded(self) -> Vec<u32> {
        self.recorded
    }

    /// The record of all that was chosen, with the text that came of it; `None` where the generator
    /// [gave up](Choices::reject), or nothing was to be recorded.
    pub fn into_run(self, text: Vec<u8>) -> Option<Run> {
        let overran = match &self.source {
            Source::Values { values, next } => *next > values.len(),
            _ => false,
        };
        (*self.run?).finish(text, overran)
    }

    /// Forgets what has been chosen; what comes goes on from here.
    pub fn forget(&mut self) {
        self.recorded.clear();
        if let Some(run) = &mut self.run {
            **run = Recorder::default();
        }
    }

    fn repeated(&mut self, count: usize, default: usize) -> usize {
        let choice = self.said(count, default);
        self.record(count, default, choice)
    }

    /// What the sequence says next.
    fn said(&mut self, count: usize, default: usize) -> usize {
        match &mut self.source {
            _ if self.closing => default,
            Source::Replay { choices, next } => {
                let choice = choices.get(*next).copied().unwrap_or(DEFAULT);
                *next += 1;
                match choice {
                    DEFAULT => default,
                    choice => choice as usize % count,
                }
            }
            Source::Values { values, next } => {
                let value = values.get(*next).unwrap_or(&Value::Simplest);
                *next += 1;
                let kind = Kind::Index {
                    of: count as u32,
                    simplest: default as u32,
                };
                match kind.admit(value) {
                    Value::Integer(place) => usize::try_from(place).unwrap_or(default),
                    _ => default,
                }
            }
            Source::Random(_) => default,
        }
    }

    fn record(&mut self, count: usize, default: usize, choice: usize) -> usize {
        self.recorded.push(choice as u32);
        if let Some(run) = &mut self.run {
            let kind = Kind::Index {
                of: count as u32,
                simplest: default as u32,
            };
            run.push(kind, Value::Integer(choice as i64));
        }
        choice
    }

    pub(super) fn is_full(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.is_full())
    }

    /// Whether spans and all values are recorded.
    pub fn is_recording(&self) -> bool {
        self.run.is_some()
    }

    /// Whether the sequence says explicitly that the simplest is to be taken here.
    pub(crate) fn says_default(&self) -> bool {
        match &self.source {
            _ if self.closing => false,
            Source::Random(_) => false,
            Source::Replay { choices, next } => choices.get(*next) == Some(&DEFAULT),
            Source::Values { values, next } => values.get(*next) == Some(&Value::Simplest),
        }
    }

    /// Uses up what says so, and takes the simplest of all that is asked for until it is opened
    /// again.
    pub(crate) fn close(&mut self) {
        if let Source::Replay { next, .. } | Source::Values { next, .. } = &mut self.source {
            *next += 1;
        }
        self.closing = true;
    }

    pub(crate) fn open(&mut self) {
        self.closing = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_recorded_replays() {
        let mut drawn = Choices::seeded(7);
        let first: Vec<_> = (2..50).map(|count| drawn.choose(count, 0)).collect();
        let mut again = Choices::replay(drawn.recorded().to_vec());
        let second: Vec<_> = (2..50).map(|count| again.choose(count, 0)).collect();
        assert_eq!(first, second);
        assert_eq!(again.recorded(), drawn.recorded());
    }

    #[test]
    fn any_sequence_means_something() {
        let mut choices = Choices::replay(vec![7, DEFAULT]);
        assert_eq!(choices.choose(3, 2), 1);
        assert_eq!(choices.choose(3, 2), 2);
        assert_eq!(choices.choose(3, 1), 1);
        assert_eq!(choices.choose(1, 0), 0);
        assert_eq!(choices.recorded(), [1, 2, 1]);
    }

    #[test]
    fn what_is_allowed_is_recorded_by_its_place_among_all() {
        let mut choices = Choices::replay(vec![3, 2, 7, 1]);
        assert_eq!(choices.choose_among(5, &[1, 3]), 3);
        assert_eq!(choices.choose_among(5, &[1, 3]), 1);
        assert_eq!(choices.choose_among(5, &[4]), 4);
        assert_eq!(choices.choose_among(1, &[0]), 0);
        assert_eq!(choices.choose_among(2, &[0, 1]), 1);
        assert_eq!(choices.choose_among(5, &[1, 3]), 1);
        assert_eq!(choices.recorded(), [3, 1, 4, 1, 1]);
    }

    #[test]
    fn weights_are_kept_to() {
        let mut choices = Choices::seeded(1);
        let mut seen = [0; 3];
        for _ in 0..4000 {
            seen[choices.choose_weighted([1.0, 0.0, 3.0].into_iter(), 0)] += 1;
        }
        assert_eq!(seen[1], 0);
        assert!((800..1200).contains(&seen[0]), "{seen:?}");
    }
}
