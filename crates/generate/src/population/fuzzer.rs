use super::{Feedback, Member, Mutator, Novelty, Population};
use crate::Choices;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// A program under test. A closure can be a target.
pub trait Target: Sync {
    /// The reason why a text could not be run.
    type Error: Send;

    /// Runs the program on a text.
    ///
    /// Runs of the same text should give the same feedback. If they do not, a member may show less
    /// than when it joined. Nothing else depends on this.
    ///
    /// # Errors
    /// Returns an error if there is no feedback. [`PopulationFuzzer::step`] then returns the same
    /// error.
    fn run(&self, text: &[u8]) -> Result<Feedback, Self::Error>;
}

impl<E: Send, F: Fn(&[u8]) -> Result<Feedback, E> + Sync> Target for F {
    type Error = E;

    fn run(&self, text: &[u8]) -> Result<Feedback, E> {
        self(text)
    }
}

/// A reducer of texts. A closure can be a reducer.
pub trait Reducer {
    /// Returns a smaller text for which `shows` returns `true`, as for `text`.
    ///
    /// Each call of `shows` is a run of the target. It may be called from several threads at once.
    fn reduce(&self, text: &[u8], shows: &(dyn Fn(&[u8]) -> bool + Sync)) -> Vec<u8>;
}

impl<F: Fn(&[u8], &(dyn Fn(&[u8]) -> bool + Sync)) -> Vec<u8>> Reducer for F {
    fn reduce(&self, text: &[u8], shows: &(dyn Fn(&[u8]) -> bool + Sync)) -> Vec<u8> {
        self(text, shows)
    }
}

/// The number of runs of a target and the size of the texts run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of runs of seeds and mutants, without the runs for their reduction.
    pub inputs: u64,
    /// The total size of the seeds and mutants run, in bytes.
    pub input_bytes: u64,
    /// The number of runs for the reduction of texts.
    pub reducing: u64,
    /// The total size in bytes of the texts that were run for the reduction of texts.
    pub reducing_bytes: u64,
}

impl Counts {
    /// Returns the number of all runs of the target.
    pub fn tests(&self) -> u64 {
        self.inputs + self.reducing
    }
}

/// A fuzzer that keeps and extends a [`Population`] with the mutants of a [`Mutator`].
///
/// The fuzzer runs the seeds first. If the target reports coverage, a seed is treated like every
/// other text. If it does not, every seed becomes a member without a reduction, since a reduction
/// that keeps only an outcome such as exit code 0 would leave hardly any text. Then the fuzzer runs
/// mutants of members, each member with the same probability. A text that shows something new is
/// reduced and joins the population.
///
/// A run during the reduction of one text may show something new as well. The fuzzer considers the
/// text of that run in the next step.
#[derive(Clone, Debug)]
pub struct PopulationFuzzer<M> {
    mutator: M,
    population: Population,
    /// The number of seeds that were run.
    seeds: usize,
    /// The texts that showed something new during the reduction of another text.
    met: VecDeque<(Vec<u8>, Feedback)>,
    counts: Counts,
}

impl<M: Mutator> PopulationFuzzer<M> {
    /// Creates a fuzzer with the seeds and the mutants of `mutator`.
    pub fn new(mutator: M) -> Self {
        PopulationFuzzer {
            mutator,
            population: Population::default(),
            seeds: 0,
            met: VecDeque::new(),
            counts: Counts::default(),
        }
    }

    /// Returns the population.
    pub fn population(&self) -> &Population {
        &self.population
    }

    /// Returns the number of runs so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns whether the next step runs a mutant: all seeds were run, and all texts that showed
    /// something new during a reduction were considered.
    pub fn is_under_way(&self) -> bool {
        self.mutator.seed(self.seeds).is_none() && self.met.is_empty()
    }

    /// Runs one more text and returns it if it became a member.
    ///
    /// The text is a text that showed something new during a reduction, or else a seed, or else a
    /// mutant. Without a reducer, a text joins the population unreduced.
    ///
    /// Cost: one run. A text that shows something new also costs the runs of the reducer, and one
    /// more if the reducer returns a text other than the last one that showed the novelty.
    ///
    /// # Errors
    /// Returns the error of the target. The population is then unchanged.
    pub fn step<T: Target>(
        &mut self,
        choices: &mut Choices,
        target: &T,
        reducer: Option<&dyn Reducer>,
    ) -> Result<Option<&Member>, T::Error> {
        if let Some((text, feedback)) = self.met.pop_front() {
            return self.consider(text, feedback, false, target, reducer);
        }
        let seed = self.mutator.seed(self.seeds).map(<[u8]>::to_vec);
        let is_seed = seed.is_some();
        let text = match seed {
            Some(seed) => seed,
            None => {
                let members = self.population.members();
                let member = choices.choose(members.len(), 0);
                self.mutator.mutant(members, member, choices)
            }
        };
        let feedback = target.run(&text)?;
        self.counts.inputs += 1;
        self.counts.input_bytes += text.len() as u64;
        self.seeds += usize::from(is_seed);
        self.consider(text, feedback, is_seed, target, reducer)
    }

    fn consider<T: Target>(
        &mut self,
        text: Vec<u8>,
        feedback: Feedback,
        is_seed: bool,
        target: &T,
        reducer: Option<&dyn Reducer>,
    ) -> Result<Option<&Member>, T::Error> {
        let stays_as_it_is = is_seed && feedback.coverage().is_empty();
        let novelty = self.population.novelty(&feedback);
        let bytes_before = text.len();
        let (text, feedback) = match (&novelty, reducer) {
            (None, _) if !stays_as_it_is => return Ok(None),
            (Some(novelty), Some(reducer)) if !stays_as_it_is => {
                self.reduced(text, feedback, novelty, target, reducer)?
            }
            _ => (text, feedback),
        };
        self.population.add(Member {
            text,
            feedback,
            novelty,
            bytes_before,
        });
        Ok(self.population.members().last())
    }

    /// Reduces a text that shows a novelty. Returns the reduced text with its feedback.
    fn reduced<T: Target>(
        &mut self,
        text: Vec<u8>,
        feedback: Feedback,
        novelty: &Novelty,
        target: &T,
        reducer: &dyn Reducer,
    ) -> Result<(Vec<u8>, Feedback), T::Error> {
        let mut known = self.population.clone_known();
        known.learn(&feedback);
        let watch = Mutex::new(Watch {
            known,
            met: VecDeque::new(),
            shown: (text.clone(), feedback.clone()),
            runs: 0,
            bytes: 0,
            error: None,
        });
        let lock = || watch.lock().unwrap_or_else(PoisonError::into_inner);
        let shows = |candidate: &[u8]| {
            if lock().error.is_some() || !self.mutator.admits(candidate) {
                return false;
            }
            let ran = target.run(candidate);
            let mut watch = lock();
            watch.runs += 1;
            watch.bytes += candidate.len() as u64;
            match ran {
                Ok(feedback) => watch.saw(candidate, feedback, novelty),
                Err(error) => {
                    watch.error = Some(error);
                    false
                }
            }
        };
        let mut small = reducer.reduce(&text, &shows);
        // The reducer may have tested its result long ago, or on a thread that was ahead.
        if lock().shown.0 != small && !shows(&small) {
            small = text;
        }
        let watch = watch.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.counts.reducing += watch.runs;
        self.counts.reducing_bytes += watch.bytes;
        if let Some(error) = watch.error {
            return Err(error);
        }
        self.met.extend(watch.met);
        match watch.shown {
            (text, feedback) if text == small => Ok((text, feedback)),
            _ => Ok((small, feedback)),
        }
    }
}

/// The record of the runs made during the reduction of one text.
struct Watch<E> {
    /// The outcomes and the coverage that are known, also from the runs of this reduction.
    known: Population,
    met: VecDeque<(Vec<u8>, Feedback)>,
    /// The last text that showed the novelty, with its feedback.
    shown: (Vec<u8>, Feedback),
    runs: u64,
    bytes: u64,
    error: Option<E>,
}

impl<E> Watch<E> {
    fn saw(&mut self, candidate: &[u8], feedback: Feedback, wanted: &Novelty) -> bool {
        let shows = feedback.shows(wanted);
        if self.known.novelty(&feedback).is_some() {
            self.known.learn(&feedback);
            self.met.push_back((candidate.to_vec(), feedback.clone()));
        }
        if shows {
            self.shown = (candidate.to_vec(), feedback);
        }
        shows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MutationFuzzer;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A target with an outcome and with the letters of the text as its coverage.
    fn letters(text: &[u8]) -> Result<Feedback, String> {
        let outcome = if text.contains(&b'!') { "crash" } else { "ok" };
        let letters = text.iter().filter(|byte| byte.is_ascii_lowercase());
        Ok(Feedback::new(outcome, letters.map(|&byte| byte.into())))
    }

    /// A target without coverage. Its outcome depends on whether the text has a `!`.
    fn outcome(text: &[u8]) -> Result<Feedback, String> {
        Ok(Feedback::new(letters(text)?.outcome, []))
    }

    /// A reducer that removes single bytes.
    fn singles(text: &[u8], shows: &(dyn Fn(&[u8]) -> bool + Sync)) -> Vec<u8> {
        let mut text = text.to_vec();
        let mut at = 0;
        while at < text.len() {
            let byte = text.remove(at);
            if !shows(&text) {
                text.insert(at, byte);
                at += 1;
            }
        }
        text
    }

    fn fuzzer(seeds: &[&str]) -> PopulationFuzzer<MutationFuzzer> {
        let seeds = seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect();
        PopulationFuzzer::new(MutationFuzzer::new(seeds).unwrap())
    }

    fn texts(fuzzer: &PopulationFuzzer<MutationFuzzer>) -> Vec<String> {
        let members = fuzzer.population().members().iter();
        members
            .map(|member| String::from_utf8_lossy(&member.text).into_owned())
            .collect()
    }

    #[test]
    fn each_member_is_minimal_for_its_novelty() {
        let mut fuzzer = fuzzer(&["a long seed, ab", "bold", "mb"]);
        let mut choices = Choices::seeded(1);
        for _ in 0..3 {
            fuzzer.step(&mut choices, &letters, Some(&singles)).unwrap();
        }
        // The letters of `bold` are known from the first seed; `mb` adds an m.
        assert_eq!(texts(&fuzzer), ["longsedab", "m"]);
        let member = &fuzzer.population().members()[1];
        assert_eq!(member.bytes_before, 2);
        assert_eq!(member.novelty.as_ref().unwrap().coverage, [u64::from(b'm')]);
        assert!(fuzzer.is_under_way());
        assert_eq!(fuzzer.counts().inputs, 3);
        assert!(fuzzer.counts().reducing > 15);
        for _ in 0..3000 {
            fuzzer.step(&mut choices, &letters, Some(&singles)).unwrap();
        }
        assert!(fuzzer.population().covered() > 20);
        assert_eq!(fuzzer.population().outcomes(), 2);
        assert!(texts(&fuzzer).contains(&"!".to_owned()));
        assert!(texts(&fuzzer)[1..].iter().all(|text| text.len() < 4));
    }

    #[test]
    fn without_coverage_seeds_are_kept_and_outcomes_guide() {
        let mut fuzzer = fuzzer(&["one seed", "another seed"]);
        let mut choices = Choices::seeded(3);
        for _ in 0..2000 {
            fuzzer.step(&mut choices, &outcome, Some(&singles)).unwrap();
        }
        assert_eq!(texts(&fuzzer), ["one seed", "another seed", "!"]);
    }

    #[test]
    fn without_a_reducer_texts_join_unreduced() {
        let mut fuzzer = fuzzer(&["a long seed", "a long seed!"]);
        let mut choices = Choices::seeded(1);
        for _ in 0..2 {
            fuzzer.step(&mut choices, &letters, None).unwrap();
        }
        assert_eq!(texts(&fuzzer), ["a long seed", "a long seed!"]);
        assert_eq!(fuzzer.counts().tests(), 2);
        assert_eq!(fuzzer.population().bytes(), 23);
    }

    #[test]
    fn a_novelty_found_during_a_reduction_is_kept() {
        // Only a text without an x crashes, and every seed has one.
        let target = |text: &[u8]| {
            let outcome = if text.contains(&b'x') { "ok" } else { "crash" };
            Ok::<_, String>(Feedback::new(outcome, [u64::from(text.contains(&b'y'))]))
        };
        let mut fuzzer = fuzzer(&["xyz"]);
        let mut choices = Choices::seeded(1);
        fuzzer.step(&mut choices, &target, Some(&singles)).unwrap();
        assert!(!fuzzer.is_under_way());
        while !fuzzer.is_under_way() {
            fuzzer.step(&mut choices, &target, Some(&singles)).unwrap();
        }
        assert_eq!(fuzzer.counts().inputs, 1);
        assert_eq!(texts(&fuzzer), ["xy", ""]);
    }

    #[test]
    fn the_same_seed_gives_the_same_population() {
        let run = || {
            let mut fuzzer = fuzzer(&["seed"]);
            let mut choices = Choices::seeded(7);
            for _ in 0..500 {
                fuzzer.step(&mut choices, &letters, Some(&singles)).unwrap();
            }
            (texts(&fuzzer), fuzzer.counts())
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn a_broken_target_ends_the_step_and_changes_nothing() {
        let runs = AtomicU64::new(0);
        let target = |text: &[u8]| match runs.fetch_add(1, Ordering::Relaxed) {
            0..4 => letters(text),
            _ => Err("broken".to_owned()),
        };
        let mut fuzzer = fuzzer(&["a seed of some length"]);
        let mut choices = Choices::seeded(1);
        let step = fuzzer.step(&mut choices, &target, Some(&singles));
        assert_eq!(step.unwrap_err(), "broken");
        // The reducer continued to ask, but no test was run after the fault.
        assert_eq!(runs.into_inner(), 5);
        assert!(fuzzer.population().members().is_empty());
    }

    #[test]
    fn the_result_of_a_reducer_is_checked() {
        let nothing = |_: &[u8], _: &(dyn Fn(&[u8]) -> bool + Sync)| vec![];
        let mut fuzzer = fuzzer(&["ab"]);
        let mut choices = Choices::seeded(1);
        fuzzer.step(&mut choices, &letters, Some(&nothing)).unwrap();
        assert_eq!(texts(&fuzzer), ["ab"]);
        assert_eq!(fuzzer.counts().tests(), 2);
    }
}
