use super::{Feedback, Member, Novelty, Population};
use crate::{Choices, MutationFuzzer};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// What is fuzzed. Closures are targets.
pub trait Target: Sync {
    /// Why a text could not be run at all.
    type Error: Send;

    /// Runs a text. The same text is expected to show the same; where it does not, nothing worse
    /// happens than that a member shows less than it did.
    ///
    /// # Errors
    /// Where no feedback can be had: [`PopulationFuzzer::step`] passes that on.
    fn run(&self, text: &[u8]) -> Result<Feedback, Self::Error>;
}

impl<E: Send, F: Fn(&[u8]) -> Result<Feedback, E> + Sync> Target for F {
    type Error = E;

    fn run(&self, text: &[u8]) -> Result<Feedback, E> {
        self(text)
    }
}

/// Makes texts smaller. Closures are reducers.
pub trait Reducer {
    /// A text for which `shows` holds, as it does for `text`: the smaller, the better. Each call of
    /// `shows` is a run of the target; it may be called from several threads at once.
    fn reduce(&self, text: &[u8], shows: &(dyn Fn(&[u8]) -> bool + Sync)) -> Vec<u8>;
}

impl<F: Fn(&[u8], &(dyn Fn(&[u8]) -> bool + Sync)) -> Vec<u8>> Reducer for F {
    fn reduce(&self, text: &[u8], shows: &(dyn Fn(&[u8]) -> bool + Sync)) -> Vec<u8> {
        self(text, shows)
    }
}

/// What was run so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Seeds and mutants, without the runs that reduced them.
    pub inputs: u64,
    /// Bytes of those.
    pub input_bytes: u64,
    /// Runs that were for reducing a text.
    pub reducing: u64,
    /// Bytes of those.
    pub reducing_bytes: u64,
}

impl Counts {
    /// All runs of the target.
    pub fn tests(&self) -> u64 {
        self.inputs + self.reducing
    }
}

/// Keeps a [`Population`] and makes it grow.
///
/// The seeds are run first. Where the target reports coverage they are treated like every other
/// text; where it does not, all of them are members as they are, since an outcome alone, such as exit
/// code 0, would be shown by hardly anything. Then mutants of members are run, each member as likely
/// as the other. What shows something new is reduced and joins.
///
/// A run that reduces one text may show something that is new as well: it is looked at next.
#[derive(Clone, Debug)]
pub struct PopulationFuzzer {
    mutation: MutationFuzzer,
    population: Population,
    /// Seeds that were run.
    seeds: usize,
    /// Met while other texts were reduced.
    met: VecDeque<(Vec<u8>, Feedback)>,
    counts: Counts,
}

impl PopulationFuzzer {
    /// Begins with the seeds of `mutation`, and mutates as it does.
    pub fn new(mutation: MutationFuzzer) -> Self {
        PopulationFuzzer {
            mutation,
            population: Population::default(),
            seeds: 0,
            met: VecDeque::new(),
            counts: Counts::default(),
        }
    }

    /// The population as it is now.
    pub fn population(&self) -> &Population {
        &self.population
    }

    /// What was run so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Whether all seeds were run, and all that was met on the way was looked at: what is run next is
    /// a mutant.
    pub fn is_under_way(&self) -> bool {
        self.seeds == self.mutation.seeds() && self.met.is_empty()
    }

    /// Runs one text more: a seed, one that was met on the way, or a mutant. The new member, where it
    /// became one. Without a reducer texts join as they are.
    ///
    /// Cost: one run, and for a text that shows something new as many as the reducer asks for, and
    /// one more where it gives back a text that it did not ask about last.
    ///
    /// # Errors
    /// What the target says. The population is as before then.
    pub fn step<T: Target>(
        &mut self,
        choices: &mut Choices,
        target: &T,
        reducer: Option<&dyn Reducer>,
    ) -> Result<Option<&Member>, T::Error> {
        if let Some((text, feedback)) = self.met.pop_front() {
            return self.consider(text, feedback, false, target, reducer);
        }
        let seed = self.mutation.seed(self.seeds).map(<[u8]>::to_vec);
        let is_seed = seed.is_some();
        let text = match seed {
            Some(seed) => seed,
            None => {
                let members = self.population.members();
                let member = choices.choose(members.len(), 0);
                let text = members.get(member).map_or(&[][..], |member| &member.text);
                self.mutation.mutant_of(text, choices)
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

    /// The smallest text that shows the same new thing, and what it shows.
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
            if lock().error.is_some() {
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
        // It may have been asked about long ago, or by a thread that was ahead.
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

/// Looks at what is run while a text is reduced.
struct Watch<E> {
    /// What is not new, or was met already.
    known: Population,
    met: VecDeque<(Vec<u8>, Feedback)>,
    /// The last text that showed what is to be shown.
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
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Says how a text ends, and which letters it has.
    fn letters(text: &[u8]) -> Result<Feedback, String> {
        let outcome = if text.contains(&b'!') { "crash" } else { "ok" };
        let letters = text.iter().filter(|byte| byte.is_ascii_lowercase());
        Ok(Feedback::new(outcome, letters.map(|&byte| byte.into())))
    }

    /// Only whether it has a `!`.
    fn outcome(text: &[u8]) -> Result<Feedback, String> {
        Ok(Feedback::new(letters(text)?.outcome, []))
    }

    /// Leaves out byte after byte.
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

    fn fuzzer(seeds: &[&str]) -> PopulationFuzzer {
        let seeds = seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect();
        PopulationFuzzer::new(MutationFuzzer::new(seeds).unwrap())
    }

    fn texts(fuzzer: &PopulationFuzzer) -> Vec<String> {
        let members = fuzzer.population().members().iter();
        members
            .map(|member| String::from_utf8_lossy(&member.text).into_owned())
            .collect()
    }

    #[test]
    fn each_member_is_the_least_that_shows_what_was_new() {
        let mut fuzzer = fuzzer(&["a long seed, ab", "bold", "mb"]);
        let mut choices = Choices::seeded(1);
        for _ in 0..3 {
            fuzzer.step(&mut choices, &letters, Some(&singles)).unwrap();
        }
        // `bold` has nothing that the first has not, `mb` an m.
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
    fn without_coverage_seeds_stay_and_outcomes_drive() {
        let mut fuzzer = fuzzer(&["one seed", "another seed"]);
        let mut choices = Choices::seeded(3);
        for _ in 0..2000 {
            fuzzer.step(&mut choices, &outcome, Some(&singles)).unwrap();
        }
        assert_eq!(texts(&fuzzer), ["one seed", "another seed", "!"]);
    }

    #[test]
    fn without_a_reducer_texts_join_as_they_are() {
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
    fn what_is_met_on_the_way_is_not_lost() {
        // Only what has no x crashes, which no seed is without.
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
        // The reducer asked on, and nothing was run.
        assert_eq!(runs.into_inner(), 5);
        assert!(fuzzer.population().members().is_empty());
    }

    #[test]
    fn a_reducer_that_gives_back_anything_is_not_trusted() {
        let nothing = |_: &[u8], _: &(dyn Fn(&[u8]) -> bool + Sync)| vec![];
        let mut fuzzer = fuzzer(&["ab"]);
        let mut choices = Choices::seeded(1);
        fuzzer.step(&mut choices, &letters, Some(&nothing)).unwrap();
        assert_eq!(texts(&fuzzer), ["ab"]);
        assert_eq!(fuzzer.counts().tests(), 2);
    }
}
