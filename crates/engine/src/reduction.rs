use super::control::Control;
use super::coordinator::Coordinator;
use super::event::Observer;
use super::flaky::Flaky;
use super::local::TestTime;
use super::options::Options;
use super::outcome::{Outcome, ReduceError};
use super::stop::Stop;
use super::syntax_filter::SyntaxFilter;
use crate::plan::Plan;
use nubbin_edit::{Fingerprint, Input};
use nubbin_verdict::{Oracle, VerdictKind};
use std::time::Duration;

/// A reduction that has not started yet.
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

impl<'a> Reduction<'a> {
    /// Creates a reduction of `input`, which searches for a small input that still fails by the
    /// verdicts of `oracle`.
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

    /// Sets the number of threads that run tests, at least one. By default, the oracle is called on
    /// the thread that runs the reduction, which is the fastest way for tests that take
    /// microseconds.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.options.limits.jobs = Some(jobs.max(1));
        self
    }

    /// Simulates the time. `time` returns the time of each test, and [`jobs`](Reduction::jobs) sets
    /// the number of workers.
    ///
    /// The clock starts at zero and only advances when the engine has to wait. The oracle is called
    /// on the calling thread. [`Statistics::elapsed`](super::Statistics::elapsed) is the time of
    /// the run without the time of the engine. Policies can therefore be compared for any number of
    /// workers on any machine.
    #[must_use]
    pub fn simulate(mut self, time: &'a TestTime<'a>) -> Self {
        self.options.limits.simulated = Some(time);
        self
    }

    /// Sets the seed of all random numbers. The default is 0.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.options.seed = seed;
        self
    }

    /// Sets the maximum number of counted tests. The run then ends with the best so far.
    ///
    /// The tests of the original and of the result count. If the limit leaves no room for the test
    /// of the result, that test is not run.
    #[must_use]
    pub fn max_tests(mut self, tests: u64) -> Self {
        self.options.limits.max_tests = Some(tests);
        self
    }

    /// Sets the maximum time on the [clock](Reduction::clock). The run then ends with the best so
    /// far.
    #[must_use]
    pub fn max_time(mut self, time: Duration) -> Self {
        self.options.limits.max_time = Some(time);
        self
    }

    /// Sets the time that was spent before the run, for example by parsing. This time counts in all
    /// reported times and for [`max_time`](Reduction::max_time). The default is zero.
    #[must_use]
    pub fn spent(mut self, time: Duration) -> Self {
        self.options.limits.spent = time;
        self
    }

    /// Sets the size in bytes at which the run ends.
    #[must_use]
    pub fn stop_at(mut self, bytes: usize) -> Self {
        self.options.stop_at = Some(bytes);
        self
    }

    /// Sets the maximum number of counted tests in a row in which the input does not get smaller.
    /// The run then ends with the best so far.
    #[must_use]
    pub fn max_stalled(mut self, tests: u64) -> Self {
        self.options.limits.max_stalled = Some(tests);
        self
    }

    /// Sets the clock: a function that returns the time since a fixed moment. This crate reads no
    /// clock, so by default the time is always zero, and `max_time` never stops a run.
    #[must_use]
    pub fn clock(mut self, clock: &'a (dyn Fn() -> Duration + Sync)) -> Self {
        self.options.limits.clock = clock;
        self
    }

    /// Sets an observer that receives all events, in order, on the calling thread.
    #[must_use]
    pub fn observer(mut self, observer: &'a mut dyn Observer) -> Self {
        self.options.observer = Some(observer);
        self
    }

    /// Sets a handle that can stop the run from another thread, with the best so far.
    #[must_use]
    pub fn stop(mut self, stop: Stop) -> Self {
        self.options.limits.stop = stop;
        self
    }

    /// Sets a handle that can skip passes, disable them, or pause the run from another thread.
    #[must_use]
    pub fn control(mut self, control: Control) -> Self {
        self.options.control = control;
        self
    }

    /// Sets whether the result is tested once more at the end. The default is `true`.
    #[must_use]
    pub fn verify(mut self, verify: bool) -> Self {
        self.options.verify = verify;
        self
    }

    /// Sets how to treat a flaky test. By default, no test is considered flaky.
    #[must_use]
    pub fn flaky(mut self, flaky: Flaky) -> Self {
        self.options.flaky = flaky;
        self
    }

    /// Sets the filter for candidates that do not parse as well as the best so far. By default, all
    /// candidates are tested.
    #[must_use]
    pub fn syntax_filter(mut self, filter: SyntaxFilter<'a>) -> Self {
        self.options.filter = filter;
        self
    }

    /// Sets whether [`Statistics::configurations`](super::Statistics::configurations) are counted.
    /// The default is `false`. Counting takes memory and some time for each proposal, but does not
    /// change the result.
    #[must_use]
    pub fn count_configurations(mut self, count: bool) -> Self {
        self.options.configurations = count;
        self
    }

    /// Sets the verdicts of an earlier run with the same test, taken from
    /// [`Event::Judged`](super::Event::Judged). The run uses and counts them as new verdicts. A run
    /// that resumes a killed run therefore ends with the result and the counts of an uninterrupted
    /// run.
    #[must_use]
    pub fn known(mut self, verdicts: Vec<(Fingerprint, VerdictKind)>) -> Self {
        self.options.known = verdicts;
        self
    }

    /// Runs until the plan ends or a limit is reached.
    ///
    /// # Errors [`ReduceError`] if the original does not fail. Later errors are in
    /// [`Outcome::ended`], with the best so far.
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
