//! The engine: asks the oracle what the passes propose, and keeps what still fails.
//!
//! One coordinator holds all state: the best input so far, the outcome cache, the budgets, the
//! statistics. Workers only judge candidates. The coordinator follows one logical path, the one a
//! single worker would take: the next proposal of the machine at work, its verdict, the next.
//! Further workers judge what that path may ask for next (`speculate`); their verdicts land in
//! the cache and are used if the path gets there. So the result, and the number of tests it is
//! counted to have needed, are the same for any number of workers.

mod cache;
mod configurations;
mod control;
mod coordinator;
mod doubt;
mod event;
mod flaky;
mod isolate;
mod outcome;
mod schedule;
mod scout;
mod screen;
mod settled;
mod simulate;
mod speculate;
mod stop;
mod workers;

pub use cache::Kind;
pub use control::Control;
pub use event::{Event, Observer};
pub use flaky::{Flaky, Reproduction};
pub use outcome::{Ended, Outcome, PassStatistics, ReduceError, Statistics};
pub use screen::{Form, Screening};
pub use simulate::TestTime;
pub use stop::Stop;

pub(crate) use isolate::isolate;

use crate::edit::Fingerprint;
use crate::input::Input;
use crate::plan::Plan;
use coordinator::Coordinator;
use nubbin_verdict::Oracle;
use std::time::Duration;

/// A reduction that is about to start.
///
/// ```
/// use nubbin_reduce::engine::Reduction;
/// use nubbin_reduce::input::Input;
/// use nubbin_reduce::{auto, list_minimizer};
/// use nubbin_verdict::Closure;
///
/// let input = Input::single("bug.txt", "first\nsecond crash\nthird\n").unwrap();
/// let oracle = Closure::new(|bytes: &[u8]| bytes.windows(5).any(|w| w == b"crash"));
/// let plan = auto::plan(&input);
/// let outcome = Reduction::new(input, &oracle, plan).max_tests(10_000).run().unwrap();
/// assert_eq!(outcome.input.bytes(), b"crash");
/// ```
pub struct Reduction<'a> {
    input: Input,
    oracle: &'a dyn Oracle,
    plan: Plan,
    options: Options<'a>,
}

/// What can be set; see the methods of [`Reduction`].
struct Options<'a> {
    /// Worker threads; `None` judges on the calling thread.
    jobs: Option<usize>,
    /// Instead of threads: what each test is said to take.
    simulated: Option<&'a TestTime<'a>>,
    seed: u64,
    max_tests: Option<u64>,
    max_time: Option<Duration>,
    /// Small enough at this many bytes.
    stop_at: Option<usize>,
    max_stalled: Option<u64>,
    clock: &'a (dyn Fn() -> Duration + Sync),
    observer: Option<&'a mut dyn Observer>,
    stop: Stop,
    control: Control,
    verify: bool,
    flaky: Flaky,
    configurations: bool,
    known: Vec<(Fingerprint, Kind)>,
    screening: Screening<'a>,
}

impl<'a> Reduction<'a> {
    /// Reduces `input` while `oracle` says that it still fails.
    pub fn new(input: Input, oracle: &'a dyn Oracle, plan: Plan) -> Self {
        let options = Options {
            jobs: None,
            simulated: None,
            seed: 0,
            max_tests: None,
            max_time: None,
            stop_at: None,
            max_stalled: None,
            clock: &|| Duration::ZERO,
            observer: None,
            stop: Stop::default(),
            control: Control::default(),
            verify: true,
            flaky: Flaky::Off,
            configurations: false,
            known: vec![],
            screening: Screening::Off,
        };
        Reduction {
            input,
            oracle,
            plan,
            options,
        }
    }

    /// Judges on this many threads of its own, at least one. Without it the oracle is called on
    /// the thread that runs the reduction, which is the fastest way for tests of microseconds.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.options.jobs = Some(jobs.max(1));
        self
    }

    /// Makes the time up: as many workers as [`jobs`](Reduction::jobs) says take as long for a test
    /// as `time` says, on a clock that begins at nought and only goes on when the engine has to
    /// wait. The oracle is asked on the calling thread. [`Statistics::elapsed`] is what the run
    /// would have taken if the engine itself took no time, so that policies can be compared for
    /// any number of workers on any machine, and a run of hours is simulated in moments.
    #[must_use]
    pub fn simulate(mut self, time: &'a TestTime<'a>) -> Self {
        self.options.simulated = Some(time);
        self
    }

    /// Seed of everything drawn at random. The default is 0.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.options.seed = seed;
        self
    }

    /// Ends after this many counted tests, with the best so far.
    #[must_use]
    pub fn max_tests(mut self, tests: u64) -> Self {
        self.options.max_tests = Some(tests);
        self
    }

    /// Ends after this much time on the [clock](Reduction::clock), with the best so far.
    #[must_use]
    pub fn max_time(mut self, time: Duration) -> Self {
        self.options.max_time = Some(time);
        self
    }

    /// Ends as soon as the input has at most this many bytes.
    #[must_use]
    pub fn stop_at(mut self, bytes: usize) -> Self {
        self.options.stop_at = Some(bytes);
        self
    }

    /// Ends after this many counted tests in a row in which the input did not get smaller, with
    /// the best so far.
    #[must_use]
    pub fn max_stalled(mut self, tests: u64) -> Self {
        self.options.max_stalled = Some(tests);
        self
    }

    /// The time since some fixed moment. Without it time stands still, and `max_time` never
    /// strikes: this crate reads no clock of its own.
    #[must_use]
    pub fn clock(mut self, clock: &'a (dyn Fn() -> Duration + Sync)) -> Self {
        self.options.clock = clock;
        self
    }

    /// Is told of everything that happens, in order, on the calling thread.
    #[must_use]
    pub fn observer(mut self, observer: &'a mut dyn Observer) -> Self {
        self.options.observer = Some(observer);
        self
    }

    /// Can end the run from outside, with the best so far.
    #[must_use]
    pub fn stop(mut self, stop: Stop) -> Self {
        self.options.stop = stop;
        self
    }

    /// Can steer the run from outside: skip passes, leave them out, pause.
    #[must_use]
    pub fn control(mut self, control: Control) -> Self {
        self.options.control = control;
        self
    }

    /// Whether the result is tested once more at the end (it is, by default).
    #[must_use]
    pub fn verify(mut self, verify: bool) -> Self {
        self.options.verify = verify;
        self
    }

    /// What to think of the test: whether it may say now this, now that. By default it is believed.
    #[must_use]
    pub fn flaky(mut self, flaky: Flaky) -> Self {
        self.options.flaky = flaky;
        self
    }

    /// Whether candidates that are worse formed than the best so far are tested. By default they are.
    #[must_use]
    pub fn screen(mut self, screening: Screening<'a>) -> Self {
        self.options.screening = screening;
        self
    }

    /// Whether [`Statistics::configurations`] are counted (they are not, by default). Costs memory and
    /// some time for each proposal, and changes nothing else.
    #[must_use]
    pub fn count_configurations(mut self, count: bool) -> Self {
        self.options.configurations = count;
        self
    }

    /// Verdicts of an earlier run with the same test, as [`Event::Judged`] told them. They are
    /// believed and counted as if they had just been given, so that a run that goes on where
    /// another was killed ends like one that was not.
    #[must_use]
    pub fn known(mut self, verdicts: Vec<(Fingerprint, Kind)>) -> Self {
        self.options.known = verdicts;
        self
    }

    /// Runs to the end of the plan, or of a budget.
    ///
    /// # Errors
    /// [`ReduceError`] where the input does not fail to begin with. Whatever happens later is
    /// said in [`Outcome::ended`], beside the best input so far.
    pub fn run(self) -> Result<Outcome, ReduceError> {
        let Reduction {
            input,
            oracle,
            plan,
            mut options,
        } = self;
        if let Some(time) = options.simulated {
            let count = options.jobs.unwrap_or(1);
            let crew = simulate::Simulated::new(oracle, time, count);
            let mut workers = workers::Workers::simulated(count, crew);
            return Coordinator::new(input, &plan, &mut options, &mut workers).run();
        }
        match options.jobs {
            None => {
                let mut workers = workers::Workers::inline(oracle, options.stop.clone());
                Coordinator::new(input, &plan, &mut options, &mut workers).run()
            }
            Some(jobs) => std::thread::scope(|scope| {
                let mut workers = workers::Workers::threads(scope, oracle, jobs);
                Coordinator::new(input, &plan, &mut options, &mut workers).run()
            }),
        }
    }
}
