use super::permit::{Permits, Width};
use super::{Loosening, Refusal, Sandbox};
use crate::oracle::CommandOracle;
use crate::run::Run;
use crate::run_error::RunError;
use crate::signature::Signature;
use nubbin_verdict::{Cancel, Candidate};
use std::sync::Arc;

/// The failure that the original must show, in the sandbox and outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The conditions hold.
    Conditions,
    /// There is a failure that [`CommandOracle::with_same_failure`] can demand.
    SameFailure,
}

/// The conditions under which the original shows the failure: in the sandbox, or only outside.
#[derive(Debug)]
pub enum Trial {
    /// The original shows the failure in the sandbox.
    Inside {
        /// The run in the sandbox.
        run: Run,
        /// The refusals that the runs in the sandbox reported. They have not changed the outcome,
        /// or were permitted afterwards.
        refusals: Vec<Refusal>,
        /// The permissions that the trial has added to the sandbox.
        permitted: Sandbox,
    },
    /// The original shows the failure only outside.
    Outside {
        /// The run outside that shows the failure.
        run: Run,
        /// The refusals that the runs in the sandbox reported.
        refusals: Vec<Refusal>,
    },
    /// The original shows the failure in some runs outside, and in no run inside. This is not
    /// evidence against the sandbox.
    Flaky {
        /// A run outside that shows the failure.
        run: Run,
        /// The number of runs outside that show the failure, and the number of all runs outside.
        outside: (u32, u32),
        /// The number of runs inside.
        inside: u32,
    },
    /// The original shows the failure neither inside nor, if that was tried, outside.
    Nowhere {
        /// The run in the sandbox if a sandbox is required, and otherwise the run outside.
        run: Run,
        /// The refusals that the runs in the sandbox reported.
        refusals: Vec<Refusal>,
    },
}

impl Trial {
    /// Returns the run that shows the failure of the original.
    pub fn run(&self) -> &Run {
        match self {
            Trial::Inside { run, .. }
            | Trial::Outside { run, .. }
            | Trial::Flaky { run, .. }
            | Trial::Nowhere { run, .. } => run,
        }
    }

    /// Returns the run of [`Trial::run`] by value.
    pub fn into_run(self) -> Run {
        match self {
            Trial::Inside { run, .. }
            | Trial::Outside { run, .. }
            | Trial::Flaky { run, .. }
            | Trial::Nowhere { run, .. } => run,
        }
    }
}

/// The number of runs inside, none of which shows the failure, and of runs outside, all of which
/// show it, before a failure that only occurs outside is believed.
///
/// A flaky test that fails with the probability *p*, inside as outside, is taken for one with the
/// probability (*p* (1 - *p*))⁴: 0.2 % for 0.3, and at most 0.4 %.
const TRIES: u32 = 4;
/// The number of runs inside of a test that does not always fail outside.
const FLAKY_TRIES: u32 = 8;
/// The maximum number of rounds in which permissions are added. A place that is permitted may show
/// the next refusal.
const ROUNDS: usize = 8;

impl CommandOracle {
    /// Runs the original in the sandbox, and outside if the run in the sandbox leaves a doubt. If
    /// the original shows the failure only outside, it is run again with permission for the refused
    /// paths, within the limits of `loosening`. Afterwards the tests run with these permissions, or
    /// outside if the failure needs that. With [`Loosening::Never`], nothing runs outside.
    ///
    /// The run outside shows whether the failure is the same: a program that cannot write its log
    /// may end with the required exit code. The run outside is skipped if the original fails in the
    /// sandbox and reports no refusal, unless `wanted` is [`Wanted::SameFailure`].
    ///
    /// The next test of the original uses the returned run instead of a new one
    /// ([`CommandOracle::time_before`]).
    ///
    /// # Errors
    /// Returns [`RunError`] if the command cannot be run.
    pub fn try_sandbox(
        &self,
        original: &Candidate<'_>,
        wanted: Wanted,
        loosening: Loosening<'_>,
        cancel: &Cancel,
    ) -> Result<Trial, RunError> {
        let shows = |run: &Run| self.shows(run, wanted, original, cancel);
        let same = |inside: &Run, outside: &Run| self.is_same(inside, outside, wanted);
        let believes = |_: &Run| wanted == Wanted::Conditions;
        let trial = Attempts {
            oracle: self,
            original,
            shows: &shows,
            same: &same,
            believes: &believes,
            cancel,
        };
        let trial = trial.decide(loosening)?;
        self.remember(original, trial.run());
        Ok(trial)
    }

    /// Runs an input in the sandbox and outside, as [`CommandOracle::try_sandbox`] does, and finds
    /// the permissions with which the two runs are the `same`. Use it for a program whose every
    /// exit is of interest. There is no run outside if the run inside reports no refusal and
    /// `believes` accepts it.
    ///
    /// # Errors
    /// Returns [`RunError`] if the command cannot be run.
    pub fn compare_with_outside(
        &self,
        input: &Candidate<'_>,
        same: &dyn Fn(&Run, &Run) -> bool,
        believes: &dyn Fn(&Run) -> bool,
        loosening: Loosening<'_>,
        cancel: &Cancel,
    ) -> Result<Trial, RunError> {
        let trial = Attempts {
            oracle: self,
            original: input,
            shows: &|_| Ok(true),
            same,
            believes,
            cancel,
        };
        trial.decide(loosening)
    }

    /// Returns whether a run shows the required failure.
    fn shows(
        &self,
        run: &Run,
        wanted: Wanted,
        original: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<bool, RunError> {
        match wanted {
            Wanted::SameFailure => Ok(self
                .narrowed(run)
                .is_ok_and(|predicate| predicate.judge(run).is_fail())),
            Wanted::Conditions => self.fails_wholly(run, original, cancel),
        }
    }

    /// Returns whether the two runs show the same failure.
    fn is_same(&self, inside: &Run, outside: &Run, wanted: Wanted) -> bool {
        match wanted {
            Wanted::SameFailure => self
                .narrowed(outside)
                .is_ok_and(|predicate| predicate.judge(inside).is_fail()),
            Wanted::Conditions => {
                inside.exit == outside.exit && Signature::of(inside) == Signature::of(outside)
            }
        }
    }
}

/// The runs of a trial.
struct Attempts<'a> {
    oracle: &'a CommandOracle,
    original: &'a Candidate<'a>,
    /// Whether a run shows the required failure.
    shows: &'a dyn Fn(&Run) -> Result<bool, RunError>,
    /// Whether the first run, inside, shows the failure of the second one, outside.
    same: &'a dyn Fn(&Run, &Run) -> bool,
    /// Whether a run inside that shows the failure and tells of no refusal is believed.
    believes: &'a dyn Fn(&Run) -> bool,
    cancel: &'a Cancel,
}

/// A run inside, with its refusals.
struct Inside {
    run: Run,
    fails: bool,
    refusals: Vec<Refusal>,
}

impl Attempts<'_> {
    fn decide(&self, loosening: Loosening<'_>) -> Result<Trial, RunError> {
        let sandbox = self.oracle.sandbox();
        let decided = self.decide_from(loosening, sandbox.clone());
        if !matches!(decided, Ok(Trial::Inside { .. } | Trial::Outside { .. })) {
            self.oracle.set_shared(sandbox);
        }
        decided
    }

    fn decide_from(
        &self,
        loosening: Loosening<'_>,
        sandbox: Option<Arc<Sandbox>>,
    ) -> Result<Trial, RunError> {
        let mut first = self.inside()?;
        let (Loosening::Told(kept), Some(base)) = (loosening, sandbox) else {
            return Ok(first.without_comparison());
        };
        let is_clear = first.fails && first.refusals.is_empty() && (self.believes)(&first.run);
        if is_clear || self.cancel.is_cancelled() {
            return Ok(first.without_comparison());
        }
        let permits = Permits::new(kept, self.oracle.folder());
        let outside = self.outside()?;
        Refusal::retain_new(&mut first.refusals, &outside);
        if !(self.shows)(&outside)? || self.cancel.is_cancelled() {
            return Ok(Trial::Nowhere {
                run: outside,
                refusals: first.refusals,
            });
        }
        let mut search = Search {
            attempts: self,
            base: (*base).clone(),
            permits,
            width: Width::Own,
            permitted: Sandbox::new(),
            refusals: vec![],
            outside,
        };
        match search.permit_refused(first)? {
            Ok(trial) => Ok(trial),
            Err(last) => search.repeat(last),
        }
    }

    /// Runs the original in the current sandbox.
    fn inside(&self) -> Result<Inside, RunError> {
        let run = self.run()?;
        Ok(Inside {
            fails: (self.shows)(&run)?,
            refusals: Refusal::of_run(&run),
            run,
        })
    }

    /// Runs the original outside, and sets the sandbox again.
    fn outside(&self) -> Result<Run, RunError> {
        let sandbox = self.oracle.sandbox();
        self.oracle.set_shared(None);
        let run = self.run();
        self.oracle.set_shared(sandbox);
        run
    }

    fn run(&self) -> Result<Run, RunError> {
        self.oracle.observe_original(self.original, self.cancel)
    }
}

impl Inside {
    /// Returns the trial of a run without a comparison outside.
    fn without_comparison(self) -> Trial {
        let Inside {
            run,
            fails,
            refusals,
        } = self;
        match fails {
            true => Trial::Inside {
                run,
                refusals,
                permitted: Sandbox::new(),
            },
            false => Trial::Nowhere { run, refusals },
        }
    }
}

/// The search for the permissions with which the original fails inside as it does outside.
struct Search<'a> {
    attempts: &'a Attempts<'a>,
    /// The sandbox that was given.
    base: Sandbox,
    permits: Permits,
    width: Width,
    permitted: Sandbox,
    /// All refusals so far.
    refusals: Vec<Refusal>,
    /// A run outside, which shows the failure.
    outside: Run,
}

impl Search<'_> {
    /// Adds refused places to the permissions, until the original fails or nothing more can be
    /// permitted. Returns the last run inside if the original still does not fail.
    fn permit_refused(&mut self, first: Inside) -> Result<Result<Trial, Inside>, RunError> {
        let (mut inside, mut is_repeated) = (first, false);
        for _ in 0..ROUNDS {
            if self.is_shown(&inside) {
                return Ok(Ok(self.inside(inside)));
            }
            self.note(&inside);
            let more = self.more(&inside.refusals);
            // The run outside may have created the missing file, so that the next run is refused
            // something else.
            let is_last = inside.refusals.is_empty() || is_repeated;
            if more == self.permitted && is_last || self.attempts.cancel.is_cancelled() {
                break;
            }
            is_repeated = true;
            inside = self.with(more)?;
        }
        if self.is_shown(&inside) {
            return Ok(Ok(self.inside(inside)));
        }
        if self.permitted.has_network() {
            // Access to the network has not helped.
            let places = self.permitted.writable_paths();
            self.permitted = places.fold(Sandbox::new(), Sandbox::writable);
            self.set();
        }
        Ok(Err(inside))
    }

    /// Returns the permissions with the places of the given refusals. TCP is permitted if no place
    /// helps, as a refusal of it names none.
    fn more(&self, refusals: &[Refusal]) -> Sandbox {
        let paths = refusals.iter().filter_map(Refusal::path);
        let places = paths.filter_map(|path| self.permits.narrowest(path, self.width));
        let more = places.fold(Sandbox::new(), Sandbox::writable);
        let more = self.permitted.clone().and(&more);
        match more == self.permitted && refusals.iter().any(|it| it.path().is_none()) {
            true if !self.base.has_network() => more.network(),
            _ => more,
        }
    }

    /// Runs the original with the given permissions.
    fn with(&mut self, permitted: Sandbox) -> Result<Inside, RunError> {
        self.permitted = permitted;
        self.set();
        let mut inside = self.attempts.inside()?;
        Refusal::retain_new(&mut inside.refusals, &self.outside);
        Ok(inside)
    }

    /// Sets the sandbox with the permissions.
    fn set(&self) {
        let all = self.base.clone().and(&self.permitted);
        self.attempts.oracle.set_sandbox(Some(all));
    }

    /// Repeats the runs inside and outside until it is clear where the original fails.
    fn repeat(mut self, mut last: Inside) -> Result<Trial, RunError> {
        let cancel = self.attempts.cancel;
        let is_cancelled = || cancel.is_cancelled();
        // A run that hits a limit takes long, and another run would hit the limit too.
        let is_short = last.run.cut_short.is_none();
        let (mut inside, mut outside, mut failed) = (1, 1, 1);
        while outside < TRIES && !is_cancelled() {
            if is_short {
                let next = self.attempts.inside()?;
                inside += 1;
                if self.is_shown(&next) {
                    return Ok(self.inside(next));
                }
                last = next;
            }
            let run = self.attempts.outside()?;
            outside += 1;
            failed += u32::from((self.attempts.shows)(&run)? && self.is_as_outside(&run));
        }
        if failed == outside && !is_cancelled() {
            // The widest permission covers more than any folder.
            self.width = Width::Any;
            Refusal::retain_new(&mut last.refusals, &self.outside);
            if let Ok(trial) = self.permit_refused(last)? {
                return Ok(trial);
            }
            if !self.base.has_network() && !self.permitted.has_network() {
                // A program that cannot connect may print an error message of its own.
                let before = self.permitted.clone();
                let next = self.with(before.network())?;
                if self.is_shown(&next) {
                    return Ok(self.inside(next));
                }
            }
            self.attempts.oracle.set_sandbox(None);
            return Ok(Trial::Outside {
                run: self.outside,
                refusals: self.refusals,
            });
        }
        while is_short && inside < FLAKY_TRIES && !is_cancelled() {
            let next = self.attempts.inside()?;
            inside += 1;
            if self.is_shown(&next) {
                return Ok(self.inside(next));
            }
        }
        Ok(Trial::Flaky {
            run: self.outside,
            outside: (failed, outside),
            inside,
        })
    }

    /// Returns whether a run inside shows the failure of the run outside.
    fn is_shown(&self, inside: &Inside) -> bool {
        inside.fails && self.is_as_outside(&inside.run)
    }

    fn is_as_outside(&self, run: &Run) -> bool {
        (self.attempts.same)(run, &self.outside)
    }

    fn note(&mut self, inside: &Inside) {
        for refusal in &inside.refusals {
            if !self.refusals.contains(refusal) {
                self.refusals.push(refusal.clone());
            }
        }
    }

    fn inside(&mut self, inside: Inside) -> Trial {
        self.note(&inside);
        Trial::Inside {
            run: inside.run,
            refusals: std::mem::take(&mut self.refusals),
            permitted: self.permitted.clone(),
        }
    }
}
