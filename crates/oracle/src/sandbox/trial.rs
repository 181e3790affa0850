use super::Refusal;
use crate::oracle::CommandOracle;
use crate::run::Run;
use crate::signature::Signature;
use crate::start::RunError;
use nubbin_verdict::{Cancel, Candidate};

/// The failure that the original must show, in the sandbox as outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The conditions hold.
    Conditions,
    /// There is a failure that [`CommandOracle::with_same_failure`] can demand.
    SameFailure,
}

/// The place where the original shows the failure.
#[derive(Debug)]
pub enum Trial {
    /// In the sandbox.
    Inside {
        /// The run in the sandbox.
        run: Run,
        /// What it was not permitted to do, as far as it says so. That has not changed its outcome.
        refusals: Vec<Refusal>,
    },
    /// Only outside.
    Outside {
        /// The run outside.
        run: Run,
        /// What the run in the sandbox was not permitted to do, as far as it says so.
        refusals: Vec<Refusal>,
    },
    /// Neither inside nor, if that was tried, outside.
    Nowhere {
        /// The run in the sandbox if the sandbox is demanded, and otherwise the one outside.
        run: Run,
        /// As above.
        refusals: Vec<Refusal>,
    },
}

impl Trial {
    /// The run that says how the original fails.
    pub fn run(&self) -> &Run {
        match self {
            Trial::Inside { run, .. } | Trial::Outside { run, .. } | Trial::Nowhere { run, .. } => {
                run
            }
        }
    }

    /// Takes the run out.
    pub fn into_run(self) -> Run {
        match self {
            Trial::Inside { run, .. } | Trial::Outside { run, .. } | Trial::Nowhere { run, .. } => {
                run
            }
        }
    }
}

/// The number of runs in the sandbox before a failure that only occurs outside is believed. A flaky
/// test may pass in some of them.
const TRIES: usize = 3;

impl CommandOracle {
    /// Runs the original in the sandbox, and outside if the run in the sandbox leaves a doubt.
    /// Afterwards the tests run outside if the original shows the failure only there. With
    /// `is_demanded`, nothing runs outside.
    ///
    /// The run outside shows whether the failure is the same there: a program that cannot write its
    /// log may end with the exit code that is looked for. It is left out if the original fails in
    /// the sandbox and says nothing of a refusal, unless `wanted` is [`Wanted::SameFailure`].
    ///
    /// The next test of the original is not run, but takes the run that is returned
    /// ([`CommandOracle::time_before`]).
    ///
    /// # Errors
    /// [`RunError`] if the command cannot be run.
    pub fn try_sandbox(
        &self,
        original: &Candidate<'_>,
        wanted: Wanted,
        is_demanded: bool,
        cancel: &Cancel,
    ) -> Result<Trial, RunError> {
        let trial = self.trial(original, wanted, is_demanded, cancel)?;
        self.remember(original, trial.run());
        Ok(trial)
    }

    fn trial(
        &self,
        original: &Candidate<'_>,
        wanted: Wanted,
        is_demanded: bool,
        cancel: &Cancel,
    ) -> Result<Trial, RunError> {
        let mut inside = self.observe_with(original, 0, cancel)?;
        let mut fails = self.shows(&inside, wanted, original, cancel)?;
        let mut refusals = Refusal::of_run(&inside);
        if is_demanded || cancel.is_cancelled() {
            return Ok(match fails {
                true => Trial::Inside {
                    run: inside,
                    refusals,
                },
                false => Trial::Nowhere {
                    run: inside,
                    refusals,
                },
            });
        }
        if fails && wanted == Wanted::Conditions && refusals.is_empty() {
            return Ok(Trial::Inside {
                run: inside,
                refusals,
            });
        }
        let sandbox = self.sandbox();
        self.set_sandbox(None);
        let outside = self.observe_with(original, 0, cancel);
        let outside = outside.and_then(|run| {
            let fails = self.shows(&run, wanted, original, cancel)?;
            Ok((run, fails))
        });
        self.set_shared(sandbox);
        let (outside, fails_outside) = outside?;
        Refusal::retain_new(&mut refusals, &outside);
        if !fails_outside || cancel.is_cancelled() {
            return Ok(Trial::Nowhere {
                run: outside,
                refusals,
            });
        }
        for _ in 1..TRIES {
            if fails && self.is_same(&inside, &outside, wanted) {
                return Ok(Trial::Inside {
                    run: inside,
                    refusals,
                });
            }
            if !refusals.is_empty() || inside.cut_short.is_some() {
                break;
            }
            inside = self.observe_with(original, 0, cancel)?;
            fails = self.shows(&inside, wanted, original, cancel)?;
        }
        if fails && self.is_same(&inside, &outside, wanted) {
            return Ok(Trial::Inside {
                run: inside,
                refusals,
            });
        }
        self.set_sandbox(None);
        Ok(Trial::Outside {
            run: outside,
            refusals,
        })
    }

    /// Whether a run shows the failure that is looked for.
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

    /// Whether the two runs show the same failure.
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
