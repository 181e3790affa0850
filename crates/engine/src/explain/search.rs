use super::{Part, Pattern, Subject, Varied};
use crate::{Ended, Limits, RunContext, RunObserver, Stop, TestCounts};
use nubbin_edit::Input;
use nubbin_verdict::{Fault, Oracle, Unresolved, Verdict, VerdictKind};
use std::cmp::Reverse;
use std::fmt;
use std::time::Duration;

/// An explanation that has not started yet. See the [module documentation](super).
pub struct Explanation<'a> {
    subject: &'a dyn Subject,
    oracle: &'a dyn Oracle,
    samples: usize,
    limits: Limits<'a>,
    observer: Option<Observer<'a>>,
}

type Observer<'a> = &'a mut dyn FnMut(&ExplainEvent, &ExplainStatistics);

/// The events of a run, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExplainEvent {
    /// A test was counted.
    Tested {
        /// The verdict of the test.
        verdict: VerdictKind,
    },
    /// It was decided whether a part is abstract or matters.
    Settled {
        /// The index of the part.
        part: usize,
        /// Whether the part may be any text of its kind.
        is_abstract: bool,
    },
    /// A part that was decided to be abstract was found to matter.
    TookBack {
        /// The index of the part.
        part: usize,
    },
}

/// The counts of a run. The counts are the same for any number of jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExplainStatistics {
    /// The number of tests, including the test of the input itself.
    pub tests: u64,
    /// The number of tests that failed.
    pub failing: u64,
    /// The number of tests that were unresolved.
    pub unresolved: u64,
    /// The number of samples whose verdict was in the cache.
    pub cache_hits: u64,
    /// The number of parts of the input.
    pub parts: usize,
    /// The number of parts for which it was decided whether they are abstract.
    pub settled: usize,
    /// The time on the clock since the run began.
    pub elapsed: Duration,
}

/// The result of an explanation: the parts of an input that matter, and the parts that do not.
#[derive(Debug)]
#[non_exhaustive]
pub struct Explained {
    /// The input with its abstract parts.
    pub pattern: Pattern,
    /// The abstract parts, in the order of the text.
    pub parts: Vec<Abstract>,
    /// Inputs that match the pattern, all of which fail.
    pub examples: Vec<Input>,
    /// The reason why the run ended. If it ended early, the pattern keeps the text of parts that
    /// were not tested.
    pub ended: Ended,
    /// The counts of the run.
    pub statistics: ExplainStatistics,
}

/// A part that may be any text of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Abstract {
    /// The index of the part among the parts of the subject.
    pub index: usize,
    /// The part, with its kind and its locations.
    pub part: Part,
    /// The number of samples in which the part was replaced, all of which failed.
    pub samples: usize,
    /// The distinct texts of the part in these samples, in the order of the tests.
    pub texts: Vec<Vec<u8>>,
}

/// The reason why an explanation is not possible.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExplainError {
    /// The input does not fail.
    NotFailing {
        /// The verdict on the input.
        verdict: Verdict,
    },
    /// The test cannot be run.
    Fault(Fault),
    /// The run was stopped before the input was tested.
    Stopped,
}

impl fmt::Display for ExplainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExplainError::NotFailing { verdict } => {
                let word = verdict.word();
                write!(f, "the input does not fail: the test says `{word}`")
            }
            ExplainError::Fault(_) => f.write_str("the test cannot be run"),
            ExplainError::Stopped => f.write_str("stopped before the input had been tested"),
        }
    }
}

impl std::error::Error for ExplainError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ExplainError::Fault(fault) => Some(fault),
            _ => None,
        }
    }
}

/// The number of samples to draw for each valid sample that is needed.
const TRIES: u64 = 10;

/// The number of examples in the result.
const EXAMPLES: usize = 3;

/// The first number of the samples for the final check of all parts together.
const LAST_LOOK: u64 = 1 << 32;

impl<'a> Explanation<'a> {
    /// Creates an explanation of `subject`, which uses the verdicts of `oracle` on variants of the
    /// subject.
    pub fn new(subject: &'a dyn Subject, oracle: &'a dyn Oracle) -> Self {
        Explanation {
            subject,
            oracle,
            samples: 10,
            limits: Limits::default(),
            observer: None,
        }
    }

    /// Sets the number of samples that must all fail before a part counts as abstract. The default
    /// is 10.
    #[must_use]
    pub fn samples(mut self, samples: usize) -> Self {
        self.samples = samples.max(1);
        self
    }

    /// Sets the number of threads that run tests.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.limits.jobs = Some(jobs).filter(|jobs| *jobs > 1);
        self
    }

    /// Sets the maximum number of tests. The run then ends with the result so far.
    #[must_use]
    pub fn max_tests(mut self, tests: u64) -> Self {
        self.limits.max_tests = Some(tests);
        self
    }

    /// Sets the maximum time on the [clock](Explanation::clock). The run then ends with the result
    /// so far.
    #[must_use]
    pub fn max_time(mut self, time: Duration) -> Self {
        self.limits.max_time = Some(time);
        self
    }

    /// Sets the clock: a function that returns the time since a fixed moment. By default, the time
    /// is always zero.
    #[must_use]
    pub fn clock(mut self, clock: &'a (dyn Fn() -> Duration + Sync)) -> Self {
        self.limits.clock = clock;
        self
    }

    /// Sets a function that is called with every event, in order, on the calling thread.
    #[must_use]
    pub fn observer(
        mut self,
        observer: &'a mut dyn FnMut(&ExplainEvent, &ExplainStatistics),
    ) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Sets a handle that can stop the run from outside, with the result so far.
    #[must_use]
    pub fn stop(mut self, stop: Stop) -> Self {
        self.limits.stop = stop;
        self
    }

    /// Runs until all parts are tested or a limit is reached.
    ///
    /// # Errors [`ExplainError`] if the input does not fail at the beginning. Later errors are in
    /// [`Explained::ended`], with the result so far.
    pub fn run(self) -> Result<Explained, ExplainError> {
        let statistics = ExplainStatistics {
            parts: self.subject.parts().len(),
            ..ExplainStatistics::default()
        };
        let (subject, samples) = (self.subject, self.samples);
        self.limits.clone().with_workers(self.oracle, |workers| {
            Search {
                run: RunContext::new(workers, self.limits, statistics, self.observer),
                subject,
                samples,
                chosen: vec![],
                settled: vec![],
                examples: vec![],
            }
            .run()
        })
    }
}

impl RunObserver<ExplainStatistics> for Observer<'_> {}

impl TestCounts for ExplainStatistics {
    fn tests(&self) -> u64 {
        self.tests
    }

    fn count(&mut self, kind: VerdictKind) {
        self.tests += 1;
        self.failing += u64::from(kind == VerdictKind::Fail);
        self.unresolved += u64::from(kind.is_unresolved());
    }

    fn count_cache_hit(&mut self) {
        self.cache_hits += 1;
    }

    fn count_started(&mut self, _: u64) {}

    fn set_elapsed(&mut self, elapsed: Duration) {
        self.elapsed = elapsed;
    }
}

/// A part that was found to be abstract.
struct Chosen {
    at: usize,
    samples: usize,
    texts: Vec<Vec<u8>>,
}

/// The result of the samples for some parts.
enum Probed {
    /// All samples fail.
    Holds(Vec<Varied>),
    /// The sample of this number passes.
    Breaks(u64),
    /// There are not enough valid samples.
    Unknown,
}

struct Search<'a> {
    run: RunContext<'a, ExplainStatistics, Observer<'a>>,
    subject: &'a dyn Subject,
    samples: usize,
    chosen: Vec<Chosen>,
    settled: Vec<bool>,
    examples: Vec<Input>,
}

impl Search<'_> {
    fn run(mut self) -> Result<Explained, ExplainError> {
        let input = self.subject.input().clone();
        let [verdict] = self
            .run
            .judge_alone([&input])
            .map_err(ExplainError::Fault)?;
        match verdict {
            Verdict::Fail => self.count(VerdictKind::Fail),
            Verdict::Unresolved(Unresolved::Cancelled) => return Err(ExplainError::Stopped),
            verdict => return Err(ExplainError::NotFailing { verdict }),
        }
        self.run.keep_asked(input.fingerprint(), VerdictKind::Fail);
        let ended = self.search().err().unwrap_or(Ended::Complete);
        self.run.cancel_all();
        self.run.tick();
        let parts = self.subject.parts();
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
            statistics: self.run.statistics,
        })
    }

    /// Tests all parts, largest first, until no abstract part is undone.
    fn search(&mut self) -> Result<(), Ended> {
        let parts = self.subject.parts();
        let size = |at: &usize| parts[*at].places.iter().map(|span| span.len()).sum::<u32>();
        let mut order: Vec<usize> = (0..parts.len()).collect();
        // Parts with one location come first: two parts that vary independently are more general
        // than one part with equal texts.
        order.sort_by_key(|at| (parts[*at].places.len() > 1, Reverse(size(at)), *at));
        self.settled = vec![false; parts.len()];
        loop {
            for &at in &order {
                if self.settled[at] || self.is_covered(at) {
                    continue;
                }
                let is_abstract = self.settle(at)?;
                self.settled[at] = true;
                self.run.statistics.settled += 1;
                self.tell(&ExplainEvent::Settled {
                    part: at,
                    is_abstract,
                });
            }
            // After an abstract part is undone, the parts inside it are tested.
            if self.holds()?
                && order
                    .iter()
                    .all(|&at| self.settled[at] || self.is_covered(at))
            {
                return Ok(());
            }
        }
    }

    /// Returns whether abstract parts cover a part: its only place, or all but at most one of its
    /// several places.
    fn is_covered(&self, at: usize) -> bool {
        let parts = self.subject.parts();
        let chosen = self.chosen.iter().filter(|chosen| chosen.at != at);
        let around: Vec<_> = chosen.flat_map(|chosen| &parts[chosen.at].places).collect();
        let places = parts[at].places.iter();
        let free = places.filter(|place| !around.iter().any(|span| span.covers(**place)));
        match parts[at].places.len() {
            1 => free.count() == 0,
            _ => free.count() < 2,
        }
    }

    /// Tests whether a part is abstract together with the parts that already are.
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
                    if !self.subject.is_enough(at, texts.len()) {
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
                // Either this part matters, or one of the other parts does.
                Probed::Breaks(number) => {
                    if others.is_empty() || self.ask(&others, number)? != Some(VerdictKind::Pass) {
                        return Ok(false);
                    }
                    self.take_back(number)?;
                }
            }
        }
    }

    /// Returns whether new samples of all abstract parts together fail. If one passes, undoes an
    /// abstract part.
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

    /// Undoes one abstract part after a sample in which all of them are replaced passes: the last
    /// one without which the sample fails, or, if there is none, the last one found.
    fn take_back(&mut self, number: u64) -> Result<(), Ended> {
        let all: Vec<usize> = self.chosen.iter().map(|chosen| chosen.at).collect();
        let mut guilty = all.len() - 1;
        for at in (0..all.len()).rev() {
            let mut rest = all.clone();
            rest.remove(at);
            // A sample without replaced parts is the input, which fails.
            if rest.is_empty() || self.ask(&rest, number)? == Some(VerdictKind::Fail) {
                guilty = at;
                break;
            }
        }
        let taken = self.chosen.remove(guilty);
        self.tell(&ExplainEvent::TookBack { part: taken.at });
        Ok(())
    }

    /// Tests as many valid samples for the given parts as are needed, from a number on, until one
    /// passes.
    fn probe(&mut self, parts: &[usize], from: u64) -> Result<Probed, Ended> {
        let wanted = self.samples;
        let mut samples: Vec<Varied> = vec![];
        let mut numbers = from..from + TRIES * wanted as u64;
        let mut unknown = 0;
        loop {
            let mut batch: Vec<(u64, Varied)> = vec![];
            for number in numbers.by_ref() {
                if let Some(sample) = self.subject.vary(parts, number) {
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
                    VerdictKind::Fail => samples.push(sample),
                    VerdictKind::Pass => return Ok(Probed::Breaks(number)),
                    VerdictKind::Unresolved | VerdictKind::TimedOut | VerdictKind::NotBuilt => {
                        unknown += 1
                    }
                }
            }
            // Each unresolved sample takes a test. If hardly any sample is valid, the valid ones
            // are not typical.
            if unknown >= wanted + 2 * samples.len() {
                return Ok(Probed::Unknown);
            }
            if samples.len() >= wanted {
                return Ok(Probed::Holds(samples));
            }
        }
    }

    /// Returns the verdict on a sample, or `None` if the sample is not valid.
    fn ask(&mut self, parts: &[usize], number: u64) -> Result<Option<VerdictKind>, Ended> {
        match self.subject.vary(parts, number) {
            None => Ok(None),
            Some(sample) => Ok(self.judge(&[&sample.input])?.first().copied()),
        }
    }

    /// Returns the verdicts on the given inputs in order, up to the first one that passes. Other
    /// workers test the inputs after the awaited one.
    fn judge(&mut self, inputs: &[&Input]) -> Result<Vec<VerdictKind>, Ended> {
        self.run.check_time()?;
        let mut answers = vec![];
        for (at, &input) in inputs.iter().enumerate() {
            let ahead = |_: &_, others| {
                let behind = inputs[at + 1..].iter().copied();
                let new = behind.filter(|next| next.fingerprint() != input.fingerprint());
                new.take(others).cloned().collect()
            };
            let (kind, is_counted) = self.run.ask(input, ahead)?;
            if is_counted {
                self.count(kind);
            }
            answers.push(kind);
            if kind == VerdictKind::Pass {
                break;
            }
        }
        Ok(answers)
    }

    fn count(&mut self, kind: VerdictKind) {
        self.run.count(kind);
        self.tell(&ExplainEvent::Tested { verdict: kind });
    }

    fn tell(&mut self, event: &ExplainEvent) {
        self.run
            .emit(|observer, statistics| observer(event, statistics));
    }
}
