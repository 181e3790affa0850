use super::options::{Observer, Options};
use super::search::isolate;
use super::{Atom, DdOrder, IsolateError, Isolated};
use crate::{Limits, Stop};
use nubbin_edit::Input;
use nubbin_verdict::Oracle;
use nubbin_view::Kind;
use std::time::Duration;

/// An isolation that has not started yet. See the [module documentation](super).
pub struct Isolation<'a> {
    passing: Vec<u8>,
    failing: Input,
    oracle: &'a dyn Oracle,
    options: Options<'a>,
}

impl<'a> Isolation<'a> {
    /// Creates an isolation of the difference between a passing text and a failing input. The test
    /// sees every candidate under the name of the failing input.
    pub fn new(passing: impl Into<Vec<u8>>, failing: Input, oracle: &'a dyn Oracle) -> Self {
        let options = Options {
            atoms: None,
            order: DdOrder::default(),
            limits: Limits::default(),
            observer: None,
            verify: true,
        };
        Isolation {
            passing: passing.into(),
            failing,
            oracle,
            options,
        }
    }

    /// Sets the units by which the inputs are compared, one after another, coarsest first. The
    /// default is lines, tokens, and characters for text, and lines and bytes for other inputs.
    #[must_use]
    pub fn atoms(mut self, atoms: Vec<Atom>) -> Self {
        self.options.atoms = Some(atoms);
        self
    }

    /// Sets the order of the tests.
    #[must_use]
    pub fn order(mut self, order: DdOrder) -> Self {
        self.options.order = order;
        self
    }

    /// Sets the number of threads that run tests, at least one. By default, the oracle is called on
    /// the calling thread. The result and the counted tests are the same for any number of threads.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.options.limits.jobs = Some(jobs.max(1));
        self
    }

    /// Sets the maximum number of counted tests. The run then ends with the closest two inputs so
    /// far.
    ///
    /// The first and last tests of both inputs count. If the limit leaves no room for the two last
    /// tests, they are not run.
    #[must_use]
    pub fn max_tests(mut self, tests: u64) -> Self {
        self.options.limits.max_tests = Some(tests);
        self
    }

    /// Sets the time that was spent before the run. This time counts in all reported times and for
    /// [`max_time`](Isolation::max_time). The default is zero.
    #[must_use]
    pub fn spent(mut self, time: Duration) -> Self {
        self.options.limits.spent = time;
        self
    }

    /// Sets the maximum time on the [clock](Isolation::clock). The run then ends with the closest
    /// two inputs so far.
    #[must_use]
    pub fn max_time(mut self, time: Duration) -> Self {
        self.options.limits.max_time = Some(time);
        self
    }

    /// Sets the clock: a function that returns the time since a fixed moment. By default, the time
    /// is always zero.
    #[must_use]
    pub fn clock(mut self, clock: &'a (dyn Fn() -> Duration + Sync)) -> Self {
        self.options.limits.clock = clock;
        self
    }

    /// Sets a function that is called with every event, in order, on the calling thread.
    #[must_use]
    pub fn observer(mut self, observer: Observer<'a>) -> Self {
        self.options.observer = Some(observer);
        self
    }

    /// Sets a handle that can stop the run from another thread, with the closest two inputs so far.
    #[must_use]
    pub fn stop(mut self, stop: Stop) -> Self {
        self.options.limits.stop = stop;
        self
    }

    /// Sets whether both results are tested once more at the end. The default is `true`.
    #[must_use]
    pub fn verify(mut self, verify: bool) -> Self {
        self.options.verify = verify;
        self
    }

    /// Runs until no single change can be removed from the difference or a limit is reached.
    ///
    /// # Errors [`IsolateError`] unless one input passes and the other fails. Later errors are in
    /// [`Isolated::ended`], with the closest two inputs so far.
    pub fn run(self) -> Result<Isolated, IsolateError> {
        let Isolation {
            passing,
            failing,
            oracle,
            options,
        } = self;
        let name = match (failing.file_count(), failing.file(0)) {
            (1, Some(file)) => file.name.to_path_buf(),
            (files, _) => return Err(IsolateError::SeveralFiles(files)),
        };
        let passing = Input::single(name, passing)?;
        if passing.bytes() == failing.bytes() {
            return Err(IsolateError::Identical);
        }
        let atoms = match &options.atoms {
            Some(atoms) if !atoms.is_empty() => atoms.clone(),
            _ => default_atoms(&passing, &failing),
        };
        isolate(passing, failing, &atoms, oracle, options)
    }
}

fn default_atoms(passing: &Input, failing: &Input) -> Vec<Atom> {
    let text = |input: &Input| Kind::of(input.bytes()) == Kind::Text;
    if text(passing) && text(failing) {
        vec![Atom::Line, Atom::Token, Atom::Char]
    } else {
        vec![Atom::Line, Atom::Byte]
    }
}
