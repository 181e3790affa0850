//! Fuzz jobs: a program runs tests from a source.

use crate::identity::Identity;
use crate::program::{Observed, Program, ProgramError};
use crate::rules::Outcome;
use crate::severity::Severity;
use nubbin_verdict::{Cancel, Unresolved};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A test that a generator has generated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Test {
    /// The input of the program.
    pub text: Vec<u8>,
    /// The choices from which the test was generated, as JSON, for a reducer.
    pub recipe: Option<String>,
    /// The number of tests that this test counts as; 0 counts as one.
    pub count: u64,
    /// The parts of the test, which are tests themselves. If the test fails, each part is run by
    /// itself. The whole test is an issue only if no part is.
    pub parts: Vec<Test>,
    /// The text that the campaign keeps after the test has been run, for sources that use it.
    pub member: Option<Vec<u8>>,
    /// The last line that a complete run writes. Without it, the parts are run.
    pub last_line: Option<String>,
    /// The name of the test in its generator, for people: the path of a file, or a number.
    pub name: Option<String>,
}

impl Test {
    /// Creates a test with the given text.
    pub fn new(text: impl Into<Vec<u8>>) -> Self {
        Test {
            text: text.into(),
            ..Test::default()
        }
    }
}

/// The result of a source for a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// A test.
    Test(Test),
    /// No test at this position, but there may be a test at the next position.
    Nothing,
    /// No test until this time has passed. The campaign then asks for the same position again.
    Wait(Duration),
    /// No test at this position or after it.
    Exhausted,
}

/// A fuzz job cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum FuzzError {
    /// The program could not be run.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The generator is broken.
    #[error("the generator `{generator}` does not work")]
    Generator {
        /// The name of the generator.
        generator: String,
        /// The reason why the generator is broken.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// A generator of tests. If possible, a position always has the same test, so that a campaign
/// continues where it was stopped.
pub trait Source: Send + Sync {
    /// Generates the test at a position. A generator that takes long must stop when `stop` is set.
    ///
    /// # Errors
    /// Returns [`FuzzError`] if the generator is broken.
    fn make(&self, position: u64, stop: &Cancel) -> Result<Made, FuzzError>;

    /// Receives the run of a test. The campaign reports every test, whether or not it is an issue.
    /// Tests that run at the same time are reported on different threads, in the order of their
    /// ends.
    fn feedback(&self, test: &Test, observed: &Observed) {
        let _ = (test, observed);
    }
}

/// A part of a fuzz job, of about a second.
pub struct Slice<'a> {
    /// The positions to run.
    pub positions: Range<u64>,
    /// The slot to run tests in.
    pub slot: usize,
    /// The number of slices of the job that may run at the same time.
    pub callers: usize,
    /// The time at which the slice has to end.
    pub until: Instant,
    /// Is set when the campaign ends.
    pub stop: &'a Cancel,
    /// Returns whether an issue is known. A slice ends at a new issue, so that the issue is stored
    /// at once.
    pub is_known: &'a (dyn Fn(&Identity) -> bool + Sync),
}

/// A failure that a slice found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The identity of the failure's issue.
    pub identity: Identity,
    /// The severity, as a first guess.
    pub severity: Severity,
    /// The smallest test of the slice that shows the failure.
    pub test: Test,
    /// The exit of the program, in words.
    pub exit: String,
    /// The end of the program's output.
    pub output: Vec<u8>,
    /// The number of tests of the slice that show the failure.
    pub seen: u64,
    /// The names of at most 100 tests of the slice that show the failure.
    pub inputs: Vec<String>,
}

/// The maximum number of inputs of an issue whose names are kept.
pub(crate) const INPUTS: usize = 100;

/// The maximum number of bytes of a program's output that are kept.
const OUTPUT: usize = 16 << 10;

impl Found {
    /// Returns the failure of one test, or `None` if the run is not an issue.
    pub fn of(test: &Test, observed: &Observed) -> Option<Self> {
        let Outcome::Issue(identity, severity) = &observed.outcome else {
            return None;
        };
        let run = &observed.run;
        let output = match run.stderr().trim_ascii().is_empty() {
            true => run.stdout(),
            false => run.stderr(),
        };
        Some(Found {
            identity: identity.clone(),
            severity: *severity,
            test: Test {
                parts: vec![],
                member: None,
                ..test.clone()
            },
            exit: match &run.cut_short {
                Some(reason) => reason.to_string(),
                None => run.exit.to_string(),
            },
            output: output[output.len().saturating_sub(OUTPUT)..].to_vec(),
            seen: 1,
            inputs: test.name.iter().cloned().collect(),
        })
    }
}

/// The outcome of a slice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SliceEnd {
    /// The number of tests that were run.
    pub tests: u64,
    /// The number of tests that failed.
    pub failures: u64,
    /// The number of tests that hit a limit.
    pub limits: u64,
    /// The number of tests that hit the time limit.
    pub timeouts: u64,
    /// The number of tests whose program a shell could not start.
    pub unstarted: u64,
    /// The last output line of a test whose program was not started.
    pub unstarted_line: Option<String>,
    /// The numbers of tests without a failure by the exit codes of the program.
    pub codes: BTreeMap<i32, u64>,
    /// The last output line of the first of them whose exit code is not 0.
    pub code_line: Option<String>,
    /// The total size of all tests in bytes.
    pub bytes: u64,
    /// The duration of the slice.
    pub time: Duration,
    /// The positions that were not run.
    pub unfinished: Vec<Range<u64>>,
    /// The distinct failures of the slice.
    pub found: Vec<Found>,
    /// Texts that joined a population, or the [`Test::member`] of tests. These texts are kept until
    /// the campaign continues.
    pub members: Vec<Vec<u8>>,
    /// The time to wait for the next test, if no test is available now.
    pub wait: Option<Duration>,
    /// Whether the source has no more tests.
    pub exhausted: bool,
}

impl SliceEnd {
    /// Adds the outcome of a test.
    fn merge(&mut self, Step(step): Step) {
        self.tests += step.tests;
        self.bytes += step.bytes;
        self.limits += step.limits;
        self.timeouts += step.timeouts;
        self.unstarted += step.unstarted;
        self.unstarted_line = self.unstarted_line.take().or(step.unstarted_line);
        for (code, tests) in step.codes {
            *self.codes.entry(code).or_default() += tests;
        }
        self.code_line = self.code_line.take().or(step.code_line);
        self.members.extend(step.members);
        for found in step.found {
            self.add(found);
        }
    }

    /// Records unfinished positions. They must come after the positions that were recorded before.
    fn leave(&mut self, positions: Range<u64>) {
        match self.unfinished.last_mut() {
            Some(last) if last.end == positions.start => last.end = positions.end,
            _ => self.unfinished.push(positions),
        }
    }

    /// Adds a failure. Returns whether it is new to the slice.
    pub fn add(&mut self, found: Found) -> bool {
        self.failures += found.seen;
        let mut known = self.found.iter_mut();
        match known.find(|known| known.identity.matches(&found.identity)) {
            Some(known) => {
                known.seen += found.seen;
                let left = INPUTS.saturating_sub(known.inputs.len());
                known.inputs.extend(found.inputs.iter().take(left).cloned());
                if found.test.text.len() < known.test.text.len() {
                    *known = Found {
                        seen: known.seen,
                        inputs: std::mem::take(&mut known.inputs),
                        ..found
                    };
                }
                false
            }
            None => {
                self.found.push(found);
                true
            }
        }
    }
}

/// The implementation of a fuzz job, which combines one generator with one program.
pub trait Fuzz: Send + Sync {
    /// Runs a slice. A slice ends early at a new failure, at its time limit, and at the end of the
    /// campaign.
    ///
    /// # Errors
    /// Returns [`FuzzError`] if the job cannot continue.
    fn slice(&self, slice: &Slice<'_>) -> Result<SliceEnd, FuzzError>;
}

/// A fuzz job that runs every test of a source.
pub struct Stream {
    source: Box<dyn Source>,
    program: Arc<Program>,
}

impl Stream {
    /// Creates a fuzz job from a source and a program.
    pub fn new(source: Box<dyn Source>, program: Arc<Program>) -> Self {
        Stream { source, program }
    }

    /// Generates as many of the next tests as run at the same time.
    fn gather(&self, positions: &mut Range<u64>, slice: &Slice<'_>) -> Gathered {
        let mut gathered = Gathered::default();
        let most = self.program.at_once(slice.callers);
        while gathered.tests.len() < most && !positions.is_empty() {
            match self.source.make(positions.start, slice.stop) {
                Ok(Made::Test(mut test)) => {
                    // Positions are numbered from 1, like the running jobs.
                    let number = positions.start + 1;
                    test.name.get_or_insert_with(|| format!("test {number}"));
                    gathered.tests.push((positions.start, test));
                }
                Ok(Made::Nothing) => {}
                Ok(Made::Wait(time)) => gathered.wait = Some(time),
                Ok(Made::Exhausted) => gathered.exhausted = true,
                Err(error) => gathered.broken = Some(error),
            }
            // A test may be added at this position later.
            if gathered.is_last() {
                break;
            }
            positions.start += 1;
        }
        gathered
    }

    /// Runs tests at the same time, and returns the outcome of each.
    fn run_all(&self, tests: Vec<Test>, slice: &Slice<'_>) -> Vec<Result<Option<Step>, FuzzError>> {
        let mut tests = tests.into_iter();
        if tests.len() < 2 {
            return tests.map(|test| self.step(test, slice)).collect();
        }
        let last = tests.next_back();
        std::thread::scope(|scope| {
            let threads: Vec<_> = tests
                .map(|test| scope.spawn(|| self.step(test, slice)))
                .collect();
            let last = last.map(|test| self.step(test, slice));
            let ended = threads.into_iter().map(|thread| match thread.join() {
                Ok(step) => step,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            ended.chain(last).collect()
        })
    }

    /// Runs a test. Returns `None` if the test was stopped.
    fn step(&self, test: Test, slice: &Slice<'_>) -> Result<Option<Step>, FuzzError> {
        enum Item {
            Run(Test),
            /// A test whose parts were run, and the number of failures before.
            Settle(Box<Found>, u64),
        }
        let mut step = SliceEnd::default();
        // The source learns about the member together with its run.
        let member = test.member.clone();
        let mut queue = vec![Item::Run(test)];
        while let Some(item) = queue.pop() {
            let mut test = match item {
                Item::Run(test) => test,
                Item::Settle(found, before) if step.failures == before => {
                    step.add(*found);
                    continue;
                }
                Item::Settle(..) => continue,
            };
            let observed = self.program.run(&test.text, slice.slot, slice.stop)?;
            if observed.outcome == Outcome::Stopped {
                return Ok(None);
            }
            self.source.feedback(&test, &observed);
            let is_whole = is_whole(&test, &observed);
            let mut parts = std::mem::take(&mut test.parts);
            for part in &mut parts {
                part.name.clone_from(&test.name);
            }
            if parts.is_empty() || (observed.outcome == Outcome::Usual && is_whole) {
                step.tests += test.count.max(1);
                step.bytes += test.text.len() as u64;
                let is_limit = observed.outcome == Outcome::Limit;
                let cut = &observed.run.cut_short;
                step.limits += u64::from(is_limit);
                let is_late = is_limit && matches!(cut, Some(Unresolved::TimedOut(_)));
                step.timeouts += u64::from(is_late);
                if observed.is_unstarted() {
                    step.unstarted += 1;
                    step.unstarted_line = Some(observed.last_line());
                }
                let code = observed.run.exit.code();
                if let Some(code) = code.filter(|_| observed.outcome == Outcome::Usual) {
                    *step.codes.entry(code).or_default() += test.count.max(1);
                    if code != 0 && step.code_line.is_none() {
                        step.code_line = Some(observed.last_line());
                    }
                }
                if let Some(found) = Found::of(&test, &observed) {
                    step.add(found);
                }
                continue;
            }
            if let Some(found) = Found::of(&test, &observed) {
                queue.push(Item::Settle(Box::new(found), step.failures));
            }
            queue.extend(parts.into_iter().rev().map(Item::Run));
        }
        step.members.extend(member);
        Ok(Some(Step(step)))
    }
}

/// The outcome of one test.
struct Step(SliceEnd);

/// Tests that run at the same time, with their positions, and the state of the source after them.
#[derive(Default)]
struct Gathered {
    tests: Vec<(u64, Test)>,
    wait: Option<Duration>,
    exhausted: bool,
    broken: Option<FuzzError>,
}

impl Gathered {
    /// Returns whether the source has no further test for now.
    fn is_last(&self) -> bool {
        self.wait.is_some() || self.exhausted || self.broken.is_some()
    }
}

/// Returns whether the run of a test printed its last line.
fn is_whole(test: &Test, observed: &Observed) -> bool {
    let Some(last) = &test.last_line else {
        return true;
    };
    let mut lines = observed.run.stdout().split(|&byte| byte == b'\n');
    lines.any(|line| line.trim_ascii_end().ends_with(last.as_bytes()))
}

impl Fuzz for Stream {
    fn slice(&self, slice: &Slice<'_>) -> Result<SliceEnd, FuzzError> {
        let begin = Instant::now();
        let mut end = SliceEnd::default();
        // Each known failure is looked up only once.
        let mut known = HashMap::new();
        let mut positions = slice.positions.clone();
        let mut is_over = false;
        while !is_over && !positions.is_empty() {
            if slice.stop.is_cancelled() || Instant::now() >= slice.until {
                break;
            }
            let mut gathered = self.gather(&mut positions, slice);
            is_over = gathered.is_last();
            let (places, tests): (Vec<u64>, _) = gathered.tests.into_iter().unzip();
            for (position, ran) in places.into_iter().zip(self.run_all(tests, slice)) {
                match ran {
                    Ok(Some(step)) => end.merge(step),
                    not_run => {
                        end.leave(position..position + 1);
                        is_over = true;
                        gathered.broken = gathered.broken.or(not_run.err());
                    }
                }
            }
            // The last slice may have unfinished tests, and the source may have more tests when the
            // campaign continues.
            if end.unfinished.is_empty() {
                end.wait = gathered.wait;
                end.exhausted = gathered.exhausted;
            }
            match gathered.broken {
                // The next slice starts with this error. The tests that were run are recorded
                // first.
                Some(error) if end.tests == 0 => return Err(error),
                _ => {}
            }
            let mut identities = end.found.iter().map(|found| &found.identity);
            is_over |= identities.any(|identity| {
                let is_known = known.entry(identity.clone());
                !*is_known.or_insert_with(|| (slice.is_known)(identity))
            });
        }
        if !positions.is_empty() {
            end.leave(positions);
        }
        end.time = begin.elapsed();
        Ok(end)
    }
}
