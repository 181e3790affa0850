use super::{Part, Pattern, Subject, Varied};
use crate::edit::Fingerprint;
use crate::engine::{Ended, Stop};
use crate::input::Input;
use nubbin_verdict::{Ask, Fault, Oracle, Unresolved, Verdict};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Explaining that is about to start. See the [module](super).
pub struct Explanation<'a> {
    subject: &'a dyn Subject,
    oracle: &'a dyn Oracle,
    samples: usize,
    jobs: usize,
    max_tests: Option<u64>,
    max_time: Option<Duration>,
    clock: &'a (dyn Fn() -> Duration + Sync),
    observer: Option<Observer<'a>>,
    stop: Stop,
}

type Observer<'a> = &'a mut dyn FnMut(&Event, &Statistics);

/// What happens, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A test was counted.
    Tested {
        /// `fail`, `pass` or `unresolved`.
        verdict: &'static str,
    },
    /// It is known of a part whether it matters.
    Settled {
        /// Which one.
        part: usize,
        /// Whether it may be anything of its kind.
        is_abstract: bool,
    },
    /// A part that was abstract is not, after all.
    TookBack {
        /// Which one.
        part: usize,
    },
}

/// Counts of a run: the same for any number of jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Tests, that of the input itself included.
    pub tests: u64,
    /// Tests that failed.
    pub failing: u64,
    /// Tests that could not say.
    pub unresolved: u64,
    /// Samples whose verdict was known from an earlier test.
    pub cache_hits: u64,
    /// Parts there are.
    pub parts: usize,
    /// Parts of which it is known whether they matter.
    pub settled: usize,
    /// Time on the clock since the run began.
    pub elapsed: Duration,
}

/// What of an input matters.
#[derive(Debug)]
pub struct Explained {
    /// The input with its abstract parts.
    pub pattern: Pattern,
    /// The abstract parts, in the order of the text.
    pub parts: Vec<Abstract>,
    /// Some inputs of the pattern, all of which fail.
    pub examples: Vec<Input>,
    /// Why the run ended. Where it did not come to its end, the pattern says too little rather than
    /// too much.
    pub ended: Ended,
    /// Counts.
    pub statistics: Statistics,
}

/// A part that may be anything of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abstract {
    /// Its number among the parts of the subject.
    pub index: usize,
    /// What and where.
    pub part: Part,
    /// Samples in which it was replaced, that failed.
    pub samples: usize,
    /// What stood in its place in these, each once, in the order in which they were tested.
    pub texts: Vec<Vec<u8>>,
}

/// Why there is nothing to explain.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// The test does not see the failure in the input.
    #[error("the input does not fail: the test says `{}`", .verdict.word())]
    NotFailing {
        /// What it says.
        verdict: Verdict,
    },
    /// The test cannot be run.
    #[error("the test cannot be run")]
    Fault(#[source] Fault),
    /// The run was stopped before the input had been tested.
    #[error("stopped before the input had been tested")]
    Stopped,
}

/// Samples that are tried for each that is wanted, where some are not valid.
const TRIES: u64 = 10;

/// Examples that are handed back.
const EXAMPLES: usize = 3;

/// The first number of samples for the last look at all parts together.
const LAST_LOOK: u64 = 1 << 32;

impl<'a> Explanation<'a> {
    /// Explains what `subject` is about, by what `oracle` says of others like it.
    pub fn new(subject: &'a dyn Subject, oracle: &'a dyn Oracle) -> Self {
        Explanation {
            subject,
            oracle,
            samples: 10,
            jobs: 1,
            max_tests: None,
            max_time: None,
            clock: &|| Duration::ZERO,
            observer: None,
            stop: Stop::default(),
        }
    }

    /// Samples that must all fail before a part is said to be abstract; 10 if nothing is said.
    #[must_use]
    pub fn samples(mut self, samples: usize) -> Self {
        self.samples = samples.max(1);
        self
    }

    /// Judges on this many threads.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.jobs = jobs.max(1);
        self
    }

    /// Ends after this many tests, with what is known so far.
    #[must_use]
    pub fn max_tests(mut self, tests: u64) -> Self {
        self.max_tests = Some(tests);
        self
    }

    /// Ends after this much time on the [clock](Explanation::clock).
    #[must_use]
    pub fn max_time(mut self, time: Duration) -> Self {
        self.max_time = Some(time);
        self
    }

    /// The time since some fixed moment. Without it time stands still.
    #[must_use]
    pub fn clock(mut self, clock: &'a (dyn Fn() -> Duration + Sync)) -> Self {
        self.clock = clock;
        self
    }

    /// Is told of everything that happens, in order, on the calling thread.
    #[must_use]
    pub fn observer(mut self, observer: &'a mut dyn FnMut(&Event, &Statistics)) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Can end the run from outside, with what is known so far.
    #[must_use]
    pub fn stop(mut self, stop: Stop) -> Self {
        self.stop = stop;
        self
    }

    /// Runs to the end, or until a budget is used up.
    ///
    /// # Errors
    /// [`ExplainError`] where the input does not fail to begin with. Whatever happens later is said
    /// in [`Explained::ended`], beside what is known so far.
    pub fn run(self) -> Result<Explained, ExplainError> {
        let started = (self.clock)();
        let statistics = Statistics {
            parts: self.subject.parts().len(),
            ..Statistics::default()
        };
        Search {
            started,
            statistics,
            with: self,
            verdicts: FxHashMap::default(),
            chosen: vec![],
            settled: vec![],
            examples: vec![],
        }
        .run()
    }
}

/// A part that was found to be abstract.
struct Chosen {
    at: usize,
    samples: usize,
    texts: Vec<Vec<u8>>,
}

/// What came of the samples for some parts.
enum Probed {
    /// All fail: the samples.
    Holds(Vec<Varied>),
    /// The one of this number does not.
    Breaks(u64),
    /// There are not enough valid ones.
    Unknown,
}

struct Search<'a> {
    with: Explanation<'a>,
    started: Duration,
    statistics: Statistics,
    verdicts: FxHashMap<Fingerprint, Answer>,
    chosen: Vec<Chosen>,
    settled: Vec<bool>,
    examples: Vec<Input>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Fails,
    Passes,
    Unknown,
}

impl Search<'_> {
    fn run(mut self) -> Result<Explained, ExplainError> {
        let input = self.with.subject.input().clone();
        let verdict = input
            .with_candidate(|candidate| {
                let ask = Ask {
                    cancel: self.with.stop.token().clone(),
                    ..Ask::new(0)
                };
                self.with.oracle.judge(candidate, &ask)
            })
            .map_err(ExplainError::Fault)?;
        match verdict {
            Verdict::Fail => self.count(Answer::Fails),
            Verdict::Unresolved(Unresolved::Cancelled) => return Err(ExplainError::Stopped),
            verdict => return Err(ExplainError::NotFailing { verdict }),
        }
        self.verdicts.insert(input.fingerprint(), Answer::Fails);
        let ended = self.search().err().unwrap_or(Ended::Complete);
        self.tick();
        let parts = self.with.subject.parts();
        let mut found: Vec<Abstract> = self
            .chosen
            .iter()
            .map(|chosen| Abstract {
                index: chosen.at,
                part: parts[chosen.at].clone(),
                samples: chosen.samples,
                texts: chosen.texts.clone(),
            })
            .collect();
        found.sort_by_key(|found| found.part.places.first().copied());
        let chosen: Vec<usize> = found.iter().map(|found| found.index).collect();
        Ok(Explained {
            pattern: Pattern::new(input.bytes(), parts, &chosen),
            parts: found,
            examples: self.examples,
            ended,
            statistics: self.statistics,
        })
    }

    /// Looks at all parts, the largest first, until nothing is taken back any more.
    fn search(&mut self) -> Result<(), Ended> {
        let parts = self.with.subject.parts();
        let size = |at: &usize| parts[*at].places.iter().map(|span| span.len()).sum::<u32>();
        let mut order: Vec<usize> = (0..parts.len()).collect();
        // A part that is the same in several places says less than two that differ.
        order.sort_by_key(|at| (parts[*at].places.len() > 1, Reverse(size(at)), *at));
        self.settled = vec![false; parts.len()];
        loop {
            for &at in &order {
                if self.settled[at] || self.is_covered(at) {
                    continue;
                }
                let is_abstract = self.settle(at)?;
                self.settled[at] = true;
                self.statistics.settled += 1;
                self.tell(&Event::Settled {
                    part: at,
                    is_abstract,
                });
            }
            // Where one was taken back, what is in it counts again.
            if self.holds()?
                && order
                    .iter()
                    .all(|&at| self.settled[at] || self.is_covered(at))
            {
                return Ok(());
            }
        }
    }

    /// Whether a part is within abstract ones, or nothing of it is left but what is a part by itself.
    fn is_covered(&self, at: usize) -> bool {
        let parts = self.with.subject.parts();
        let chosen = self.chosen.iter().filter(|chosen| chosen.at != at);
        let around: Vec<_> = chosen.flat_map(|chosen| &parts[chosen.at].places).collect();
        let places = parts[at].places.iter();
        let free = places.filter(|place| !around.iter().any(|span| span.covers(**place)));
        match parts[at].places.len() {
            1 => free.count() == 0,
            _ => free.count() < 2,
        }
    }

    /// Finds out whether a part may be anything, together with those that may already.
    fn settle(&mut self, at: usize) -> Result<bool, Ended> {
        loop {
            let others: Vec<usize> = self.chosen.iter().map(|chosen| chosen.at).collect();
            let all: Vec<usize> = others.iter().copied().chain([at]).collect();
            match self.probe(&all, 0)? {
                Probed::Holds(samples) => {
                    let mut texts: Vec<Vec<u8>> = vec![];
                    for sample in &samples {
                        if let Some(text) = sample.texts.last().filter(|text| !texts.contains(text))
                        {
                            texts.push(text.clone());
                        }
                    }
                    if !self.with.subject.is_enough(at, texts.len()) {
                        return Ok(false);
                    }
                    self.chosen.push(Chosen {
                        at,
                        samples: samples.len(),
                        texts,
                    });
                    return Ok(true);
                }
                Probed::Unknown => return Ok(false),
                // Is it this part, or were the others not abstract after all?
                Probed::Breaks(number) => {
                    if others.is_empty() || self.ask(&others, number)? != Some(Answer::Passes) {
                        return Ok(false);
                    }
                    self.take_back(number)?;
                }
            }
        }
    }

    /// Whether all abstract parts together hold for fresh samples; takes one back where not.
    fn holds(&mut self) -> Result<bool, Ended> {
        let all: Vec<usize> = self.chosen.iter().map(|chosen| chosen.at).collect();
        if all.is_empty() {
            return Ok(true);
        }
        match self.probe(&all, LAST_LOOK)? {
            Probed::Holds(samples) => {
                let examples = samples.into_iter().map(|sample| sample.input);
                self.examples = examples.take(EXAMPLES).collect();
                Ok(true)
            }
            Probed::Unknown => Ok(true),
            Probed::Breaks(number) => {
                self.take_back(number)?;
                Ok(false)
            }
        }
    }

    /// A sample in which all abstract parts are replaced does not fail: the part without which it
    /// does is not abstract. Of several, and where there is none, the last one found.
    fn take_back(&mut self, number: u64) -> Result<(), Ended> {
        let all: Vec<usize> = self.chosen.iter().map(|chosen| chosen.at).collect();
        let mut guilty = all.len() - 1;
        for at in (0..all.len()).rev() {
            let mut rest = all.clone();
            rest.remove(at);
            // With nothing replaced it is the input, which fails.
            if rest.is_empty() || self.ask(&rest, number)? == Some(Answer::Fails) {
                guilty = at;
                break;
            }
        }
        let taken = self.chosen.remove(guilty);
        self.tell(&Event::TookBack { part: taken.at });
        Ok(())
    }

    /// As many valid samples for these parts as are wanted, from a number on, until one does not fail.
    fn probe(&mut self, parts: &[usize], from: u64) -> Result<Probed, Ended> {
        let wanted = self.with.samples;
        let mut samples: Vec<Varied> = vec![];
        let mut numbers = from..from + TRIES * wanted as u64;
        let mut unknown = 0;
        loop {
            let mut batch: Vec<(u64, Varied)> = vec![];
            for number in numbers.by_ref() {
                if let Some(sample) = self.with.subject.vary(parts, number) {
                    batch.push((number, sample));
                }
                if samples.len() + batch.len() == wanted {
                    break;
                }
            }
            if batch.is_empty() {
                return Ok(Probed::Unknown);
            }
            let inputs: Vec<&Input> = batch.iter().map(|(_, sample)| &sample.input).collect();
            let answers = self.judge(&inputs)?;
            for ((number, sample), answer) in batch.into_iter().zip(answers) {
                match answer {
                    Answer::Fails => samples.push(sample),
                    Answer::Passes => return Ok(Probed::Breaks(number)),
                    Answer::Unknown => unknown += 1,
                }
            }
            // Each costs a test, and where hardly any is valid those are not the usual ones.
            if unknown >= wanted + 2 * samples.len() {
                return Ok(Probed::Unknown);
            }
            if samples.len() >= wanted {
                return Ok(Probed::Holds(samples));
            }
        }
    }

    /// The verdict on one sample; `None` where it is not valid.
    fn ask(&mut self, parts: &[usize], number: u64) -> Result<Option<Answer>, Ended> {
        match self.with.subject.vary(parts, number) {
            None => Ok(None),
            Some(sample) => Ok(self.judge(&[&sample.input])?.first().copied()),
        }
    }

    /// The verdicts on these inputs in order, up to the first one that passes.
    fn judge(&mut self, inputs: &[&Input]) -> Result<Vec<Answer>, Ended> {
        let prints: Vec<Fingerprint> = inputs.iter().map(|input| input.fingerprint()).collect();
        let mut new: Vec<usize> = vec![];
        for (at, print) in prints.iter().enumerate() {
            let is_first = !new.iter().any(|&other| prints[other] == *print);
            if is_first && !self.verdicts.contains_key(print) {
                new.push(at);
            }
        }
        let left = self
            .with
            .max_tests
            .map(|most| most.saturating_sub(self.statistics.tests));
        let is_cut = left.is_some_and(|left| (new.len() as u64) > left);
        new.truncate(left.map_or(usize::MAX, |left| left as usize));
        let elapsed = (self.with.clock)() - self.started;
        if self.with.max_time.is_some_and(|most| elapsed >= most) {
            return Err(Ended::MaxTime);
        }
        let asked: Vec<&Input> = new.iter().map(|&at| inputs[at]).collect();
        let mut given = self.judge_all(&asked).into_iter();
        let mut answers = vec![];
        for (at, print) in prints.iter().enumerate() {
            let answer = match self.verdicts.get(print) {
                Some(&known) => {
                    self.statistics.cache_hits += 1;
                    known
                }
                None if new.contains(&at) => {
                    let answer = match given.next().flatten() {
                        Some(Ok(Verdict::Fail)) => Answer::Fails,
                        Some(Ok(Verdict::Pass)) => Answer::Passes,
                        Some(Ok(Verdict::Unresolved(Unresolved::Cancelled))) | None => {
                            return Err(Ended::Stopped);
                        }
                        Some(Ok(Verdict::Unresolved(_))) => Answer::Unknown,
                        Some(Err(fault)) => return Err(Ended::Fault(fault)),
                    };
                    self.verdicts.insert(*print, answer);
                    self.count(answer);
                    answer
                }
                None => break,
            };
            answers.push(answer);
            if answer == Answer::Passes {
                return Ok(answers);
            }
        }
        // What was left out would have been asked.
        if is_cut {
            Err(Ended::MaxTests)
        } else {
            Ok(answers)
        }
    }

    /// Judges beside each other. What lies behind the first that passes may have no verdict.
    fn judge_all(&self, inputs: &[&Input]) -> Vec<Option<Result<Verdict, Fault>>> {
        let next = AtomicUsize::new(0);
        let end = AtomicUsize::new(inputs.len());
        let mut given: Vec<Option<Result<Verdict, Fault>>> = inputs.iter().map(|_| None).collect();
        let found = Mutex::new(&mut given);
        let (oracle, stop) = (self.with.oracle, &self.with.stop);
        let work = |slot: usize| {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= end.load(Ordering::Acquire) {
                    return;
                }
                let ask = Ask {
                    cancel: stop.token().clone(),
                    ..Ask::new(slot)
                };
                let verdict = inputs[at].with_candidate(|candidate| oracle.judge(candidate, &ask));
                if !matches!(verdict, Ok(Verdict::Fail | Verdict::Unresolved(_))) {
                    end.fetch_min(at, Ordering::AcqRel);
                }
                found.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(verdict);
            }
        };
        match self.with.jobs.min(inputs.len()) {
            0 => {}
            1 => work(0),
            jobs => std::thread::scope(|scope| {
                for slot in 0..jobs {
                    let work = &work;
                    scope.spawn(move || work(slot));
                }
            }),
        }
        given
    }

    fn count(&mut self, answer: Answer) {
        self.statistics.tests += 1;
        let verdict = match answer {
            Answer::Fails => {
                self.statistics.failing += 1;
                "fail"
            }
            Answer::Passes => "pass",
            Answer::Unknown => {
                self.statistics.unresolved += 1;
                "unresolved"
            }
        };
        self.tell(&Event::Tested { verdict });
    }

    fn tick(&mut self) {
        self.statistics.elapsed = (self.with.clock)() - self.started;
    }

    fn tell(&mut self, event: &Event) {
        self.tick();
        if let Some(observer) = self.with.observer.as_deref_mut() {
            observer(event, &self.statistics);
        }
    }
}
