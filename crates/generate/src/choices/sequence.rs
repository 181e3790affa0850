use super::record::Recorder;
use crate::random::Random;
use nubbin_choices::{Kind, Run, Value};

/// The index that means the alternative that ends soonest, in a recording of choices by index.
pub const DEFAULT: u32 = u32::MAX;

/// A sequence of choices. The sequence is drawn or replayed, and recorded in both cases.
///
/// A generator draws all its random decisions from this type. So its output can be generated again
/// from the recorded choices, and reduced by simpler choices.
///
/// Choices by index ([`Choices::choose`]) are always recorded. Numbers, texts, and
/// [spans](Choices::span) are recorded only by a sequence from [`Choices::recording`] or
/// [`Choices::of`]; the other constructors are slightly faster.
///
/// Every sequence can be replayed: an index is taken modulo the number of alternatives, a number is
/// clamped, and a value of another type becomes the simplest value. At [`DEFAULT`], at
/// [`Value::Simplest`], and after the end of the sequence, a choice takes the simplest value, which
/// is the alternative that ends soonest.
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
    /// While set, every choice takes the simplest value and consumes nothing of the sequence.
    pub(super) closing: bool,
    pub(super) rejected: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Source {
    Random(Random),
    Replay { choices: Vec<u32>, next: usize },
    Values { values: Vec<Value>, next: usize },
}

impl Choices {
    /// Creates a sequence that draws from a seed. The choices are the same on every machine.
    pub fn seeded(seed: u64) -> Self {
        Choices::from(Source::Random(Random::new(seed)))
    }

    /// Creates a sequence that replays a recording of choices by index.
    pub fn replay(choices: Vec<u32>) -> Self {
        Choices::from(Source::Replay { choices, next: 0 })
    }

    /// Creates a sequence that draws from a seed and records all values and spans.
    pub fn recording(seed: u64) -> Self {
        Choices {
            run: Some(Box::default()),
            ..Choices::seeded(seed)
        }
    }

    /// Creates a sequence that replays values and records the converted values and spans.
    pub fn of(values: Vec<Value>) -> Self {
        Choices {
            run: Some(Box::default()),
            ..Choices::from(Source::Values { values, next: 0 })
        }
    }

    /// Sets the maximum number of recorded choices; the default is 65,536.
    ///
    /// A run that exceeds the maximum is rejected, and its further choices take the simplest value.
    /// The maximum ends a generator that would otherwise not terminate, provided that it ends with
    /// the simplest choices. A text that is small enough for a person to read needs fewer choices
    /// than the default.
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
            rejected: false,
        }
    }

    /// Chooses one of `count` equally likely alternatives. `default` is the simplest alternative.
    ///
    /// A choice with fewer than two alternatives is not recorded.
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

    /// Chooses one of the allowed alternatives among `count`. The allowed alternatives are equally
    /// likely, and the first allowed alternative is the simplest.
    ///
    /// `allowed` is in ascending order. An alternative that is listed several times is that many
    /// times as likely. The choice is recorded by its index among all alternatives, even if only
    /// one is allowed, so that it has the same meaning if other alternatives are allowed.
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

    /// Chooses one of `count` alternatives, one of the `favored` ones 15 times of 16; the first
    /// of these is the simplest.
    pub(crate) fn choose_favoring(&mut self, count: usize, favored: &[u32]) -> usize {
        if count < 2 {
            return 0;
        }
        let default = favored.first().map_or(0, |&first| first as usize);
        let full = self.is_full();
        let choice = match &mut self.source {
            Source::Random(_) if full => default,
            Source::Random(random) => match favored.is_empty() || random.below(16) == 0 {
                true => random.below(count as u32) as usize,
                false => favored[random.below(favored.len() as u32) as usize] as usize,
            },
            _ => return self.repeated(count, default),
        };
        self.record(count, default, choice)
    }

    /// Chooses one of several alternatives by their weights. If all weights are zero, all
    /// alternatives are equally likely.
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

    /// Chooses one of two alternatives, and returns whether it is the second. The second
    /// alternative has the given probability, and the first is simpler.
    ///
    /// Use [`Choices::boolean_with`] for a choice that is not recorded by index.
    pub fn second_with(&mut self, probability: f32) -> bool {
        let full = self.is_full();
        let choice = match &mut self.source {
            Source::Random(_) if full => 0,
            Source::Random(random) => usize::from(random.unit() < probability),
            _ => return self.repeated(2, 0) == 1,
        };
        self.record(2, 0, choice) == 1
    }

    /// Returns the choices by index so far.
    pub fn recorded(&self) -> &[u32] {
        &self.recorded
    }

    /// Converts the sequence into its choices by index so far.
    pub fn into_recorded(self) -> Vec<u32> {
        self.recorded
    }

    /// Converts the sequence into the record of a run that generated `text`.
    ///
    /// Returns `None` if the generator [rejected](Choices::reject) the choices, if the run exceeded
    /// its [maximum](Choices::most), or if the sequence does not record values.
    pub fn into_run(self, text: Vec<u8>) -> Option<Run> {
        let overran = match &self.source {
            Source::Values { values, next } => *next > values.len(),
            _ => false,
        };
        (*self.run?).finish(text, overran)
    }

    /// Clears the record. The next choices continue the sequence.
    pub fn forget(&mut self) {
        self.recorded.clear();
        self.rejected = false;
        if let Some(run) = &mut self.run {
            **run = Recorder::default();
        }
    }

    fn repeated(&mut self, count: usize, default: usize) -> usize {
        let choice = self.said(count, default);
        self.record(count, default, choice)
    }

    /// Takes the next index of a replayed sequence.
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

    /// Returns whether the generator [rejected](Choices::reject) the choices since the last
    /// [`Choices::forget`]. The text of the generator is then not valid.
    pub fn is_rejected(&self) -> bool {
        self.rejected
    }

    /// Returns whether the sequence records spans and all values.
    pub fn is_recording(&self) -> bool {
        self.run.is_some()
    }

    /// Returns whether the next item of a replayed sequence requests the simplest value.
    pub(crate) fn says_default(&self) -> bool {
        match &self.source {
            _ if self.closing => false,
            Source::Random(_) => false,
            Source::Replay { choices, next } => choices.get(*next) == Some(&DEFAULT),
            Source::Values { values, next } => values.get(*next) == Some(&Value::Simplest),
        }
    }

    /// Consumes one item of a replayed sequence, and takes the simplest value for every choice
    /// until [`Choices::open`].
    pub(crate) fn close(&mut self) {
        if let Source::Replay { next, .. } | Source::Values { next, .. } = &mut self.source {
            *next += 1;
        }
        self.closing = true;
    }

    /// Ends the effect of [`Choices::close`].
    pub(crate) fn open(&mut self) {
        self.closing = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_indices_replay() {
        let mut drawn = Choices::seeded(7);
        let first: Vec<_> = (2..50).map(|count| drawn.choose(count, 0)).collect();
        let mut again = Choices::replay(drawn.recorded().to_vec());
        let second: Vec<_> = (2..50).map(|count| again.choose(count, 0)).collect();
        assert_eq!(first, second);
        assert_eq!(again.recorded(), drawn.recorded());
    }

    #[test]
    fn any_sequence_replays() {
        let mut choices = Choices::replay(vec![7, DEFAULT]);
        assert_eq!(choices.choose(3, 2), 1);
        assert_eq!(choices.choose(3, 2), 2);
        assert_eq!(choices.choose(3, 1), 1);
        assert_eq!(choices.choose(1, 0), 0);
        assert_eq!(choices.recorded(), [1, 2, 1]);
    }

    #[test]
    fn an_allowed_alternative_is_recorded_by_its_index_among_all() {
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
    fn choices_follow_their_weights() {
        let mut choices = Choices::seeded(1);
        let mut seen = [0; 3];
        for _ in 0..4000 {
            seen[choices.choose_weighted([1.0, 0.0, 3.0].into_iter(), 0)] += 1;
        }
        assert_eq!(seen[1], 0);
        assert!((800..1200).contains(&seen[0]), "{seen:?}");
    }
}
