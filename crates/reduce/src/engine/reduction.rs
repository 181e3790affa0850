use super::cache::Kind;
use super::control::Control;
use super::coordinator::Coordinator;
use super::event::Observer;
use super::flaky::Flaky;
use super::local::TestTime;
use super::outcome::{Outcome, ReduceError};
use super::run_context::Limits;
use super::stop::Stop;
use super::syntax_filter::SyntaxFilter;
use crate::edit::Fingerprint;
use crate::input::Input;
use crate::plan::Plan;
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
#[derive(Default)]
pub(super) struct Options<'a> {
    pub(super) limits: Limits<'a>,
    pub(super) seed: u64,
    /// The run ends with an input of at most so many bytes.
    pub(super) stop_at: Option<usize>,
    pub(super) observer: Option<&'a mut dyn Observer>,
    pub(super) control: Control,
    pub(super) verify: bool,
    pub(super) flaky: Flaky,
    pub(super) configurations: bool,
    pub(super) known: Vec<(Fingerprint, Kind)>,
    pub(super) filter: SyntaxFilter<'a>,
}

impl<'a> Reduction<'a> {
    /// Reduces `input` while `oracle` says that it still fails.
    pub fn new(input: Input, oracle: &'a dyn Oracle, plan: Plan) -> Self {
        let options = Options {
            verify: true,
            ..Options::default()
        };
        Reduction {
            input,
            oracle,
            plan,
            options,
        }
    }

    /// Runs tests on this many threads, at least one. Without it the oracle is called on
    /// the thread that runs the reduction, which is the fastest way for tests of microseconds.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.options.limits.jobs = Some(jobs.max(1));
        self
    }

    /// Simulates the time: each test takes as long as `time` says, on as many workers as
    /// [`jobs`](Reduction::jobs) says. The clock begins at zero and only advances when the engine
    /// has to wait. The oracle is asked on the calling thread.
    /// [`Statistics::elapsed`](super::Statistics::elapsed) is the time of the run if the engine
    /// itself took none, so that policies can be compared for any number of workers on any machine.
    #[must_use]
    pub fn simulate(mut self, time: &'a TestTime<'a>) -> Self {
        self.options.limits.simulated = Some(time);
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
        self.options.limits.max_tests = Some(tests);
        self
    }

    /// Ends after this much time on the [clock](Reduction::clock), with the best so far.
    #[must_use]
    pub fn max_time(mut self, time: Duration) -> Self {
        self.options.limits.max_time = Some(time);
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
        self.options.limits.max_stalled = Some(tests);
        self
    }

    /// The time since some fixed moment. Without it time stands still, and `max_time` never
    /// ends a run: this crate reads no clock of its own.
    #[must_use]
    pub fn clock(mut self, clock: &'a (dyn Fn() -> Duration + Sync)) -> Self {
        self.options.limits.clock = clock;
        self
    }

    /// Tells an observer of all events, in order, on the calling thread.
    #[must_use]
    pub fn observer(mut self, observer: &'a mut dyn Observer) -> Self {
        self.options.observer = Some(observer);
        self
    }

    /// Lets another thread end the run, with the best so far.
    #[must_use]
    pub fn stop(mut self, stop: Stop) -> Self {
        self.options.limits.stop = stop;
        self
    }

    /// Lets another thread steer the run: skip passes, leave them out, pause.
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

    /// How to treat a flaky test. By default each verdict is believed.
    #[must_use]
    pub fn flaky(mut self, flaky: Flaky) -> Self {
        self.options.flaky = flaky;
        self
    }

    /// Whether candidates that do not parse as well as the best so far are tested. By default they
    /// are.
    #[must_use]
    pub fn syntax_filter(mut self, filter: SyntaxFilter<'a>) -> Self {
        self.options.filter = filter;
        self
    }

    /// Whether [`Statistics::configurations`](super::Statistics::configurations) are counted (they
    /// are not, by default). Costs memory and some time for each proposal, and changes nothing
    /// else.
    #[must_use]
    pub fn count_configurations(mut self, count: bool) -> Self {
        self.options.configurations = count;
        self
    }

    /// Verdicts of an earlier run with the same test, from [`Event::Judged`](super::Event::Judged).
    /// They are believed and counted as if they had just been given, so that a run that resumes a
    /// killed one ends as that one would have.
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
            options,
        } = self;
        let limits = options.limits.clone();
        limits.with_workers(oracle, |workers| {
            Coordinator::new(input, plan, options, workers).run()
        })
    }
}
