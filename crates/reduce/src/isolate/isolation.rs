use super::{Atom, DdOrder, Event, IsolateError, Isolated, Statistics};
use crate::auto::Kind;
use crate::engine::{self, Stop};
use crate::input::Input;
use nubbin_verdict::Oracle;
use std::time::Duration;

/// Isolating that is about to start. See the [module](super).
pub struct Isolation<'a> {
    passing: Vec<u8>,
    failing: Input,
    oracle: &'a dyn Oracle,
    options: Options<'a>,
}

type Observer<'a> = &'a mut dyn FnMut(&Event<'_>, &Statistics);

/// What can be set; see the methods of [`Isolation`].
pub(crate) struct Options<'a> {
    pub(crate) atoms: Option<Vec<Atom>>,
    pub(crate) order: DdOrder,
    /// Worker threads; `None` judges on the calling thread.
    pub(crate) jobs: Option<usize>,
    pub(crate) max_tests: Option<u64>,
    pub(crate) max_time: Option<Duration>,
    pub(crate) clock: &'a (dyn Fn() -> Duration + Sync),
    pub(crate) observer: Option<Observer<'a>>,
    pub(crate) stop: Stop,
    pub(crate) verify: bool,
}

impl<'a> Isolation<'a> {
    /// Isolates what makes the difference between a text that passes and an input that fails. The
    /// test sees every candidate under the name of the failing one.
    pub fn new(passing: impl Into<Vec<u8>>, failing: Input, oracle: &'a dyn Oracle) -> Self {
        let options = Options {
            atoms: None,
            order: DdOrder::default(),
            jobs: None,
            max_tests: None,
            max_time: None,
            clock: &|| Duration::ZERO,
            observer: None,
            stop: Stop::default(),
            verify: true,
        };
        Isolation {
            passing: passing.into(),
            failing,
            oracle,
            options,
        }
    }

    /// What the inputs are compared by, one after the other, the coarsest first. The default is
    /// lines, tokens, characters; lines and bytes for what is not text.
    #[must_use]
    pub fn atoms(mut self, atoms: Vec<Atom>) -> Self {
        self.options.atoms = Some(atoms);
        self
    }

    /// In which order to ask.
    #[must_use]
    pub fn order(mut self, order: DdOrder) -> Self {
        self.options.order = order;
        self
    }

    /// Judges on this many threads of its own, at least one. Without it the oracle is called on
    /// the calling thread. The result, and the counted tests, are the same for any number.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.options.jobs = Some(jobs.max(1));
        self
    }

    /// Ends after this many counted tests, with the closest two so far.
    #[must_use]
    pub fn max_tests(mut self, tests: u64) -> Self {
        self.options.max_tests = Some(tests);
        self
    }

    /// Ends after this much time on the [clock](Isolation::clock), with the closest two so far.
    #[must_use]
    pub fn max_time(mut self, time: Duration) -> Self {
        self.options.max_time = Some(time);
        self
    }

    /// The time since some fixed moment. Without it time stands still.
    #[must_use]
    pub fn clock(mut self, clock: &'a (dyn Fn() -> Duration + Sync)) -> Self {
        self.options.clock = clock;
        self
    }

    /// Is told of everything that happens, in order, on the calling thread.
    #[must_use]
    pub fn observer(mut self, observer: Observer<'a>) -> Self {
        self.options.observer = Some(observer);
        self
    }

    /// Can end the run from outside, with the closest two so far.
    #[must_use]
    pub fn stop(mut self, stop: Stop) -> Self {
        self.options.stop = stop;
        self
    }

    /// Whether both results are tested once more at the end (they are, by default).
    #[must_use]
    pub fn verify(mut self, verify: bool) -> Self {
        self.options.verify = verify;
        self
    }

    /// Runs until no single change can be taken from the difference, or a budget is used up.
    ///
    /// # Errors
    /// [`IsolateError`] where it is not so that one input passes and the other fails. Whatever
    /// happens later is said in [`Isolated::ended`], beside the closest two so far.
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
        engine::isolate(passing, failing, &atoms, oracle, options)
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
