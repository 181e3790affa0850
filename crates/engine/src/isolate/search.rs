//! The sequential path of an isolation: it tests the configurations of [`Dd`] until the end.
//!
//! As in a reduction, other workers run the tests that this path may ask for next, and their
//! verdicts go to the cache. The result and the counts are therefore the same for any number of
//! workers.

use super::ahead::{self, AnswerRates};
use super::compared::Compared;
use super::options::{Observer, Options};
use super::{
    Answer, Atom, Dd, DdOrder, Difference, IsolateError, IsolateEvent, IsolateStatistics, Isolated,
    Level,
};
use crate::{Ended, RunContext, RunObserver, Workers};
use nubbin_edit::Input;
use nubbin_verdict::{Fault, Oracle, Verdict, VerdictKind};

/// The size in bytes above which no test runs ahead, since each candidate is as large as the input.
const MAX_BYTES_AHEAD: usize = 64 << 20;

/// Isolates the difference between two different inputs, by the given units in order.
pub(super) fn isolate<'a>(
    passing: Input,
    failing: Input,
    atoms: &[Atom],
    oracle: &'a dyn Oracle,
    options: Options<'a>,
) -> Result<Isolated, IsolateError> {
    options.limits.clone().with_workers(oracle, |workers| {
        Coordinator::new(passing, failing, options, workers).run(atoms)
    })
}

impl RunObserver<IsolateStatistics> for Observer<'_> {}

struct Coordinator<'a> {
    run: RunContext<'a, IsolateStatistics, Observer<'a>>,
    order: DdOrder,
    verify: bool,
    /// The closest passing input so far to `failing`.
    passing: Input,
    failing: Input,
    rates: AnswerRates,
}

impl<'a> Coordinator<'a> {
    fn new(passing: Input, failing: Input, options: Options<'a>, workers: Workers<'a>) -> Self {
        let statistics = IsolateStatistics::default();
        let mut limits = options.limits;
        limits.reserved = 2 * u64::from(options.verify);
        Coordinator {
            run: RunContext::new(workers, limits, statistics, options.observer),
            order: options.order,
            verify: options.verify,
            passing,
            failing,
            rates: AnswerRates::default(),
        }
    }

    fn run(mut self, atoms: &[Atom]) -> Result<Isolated, IsolateError> {
        let (passing, failing) = (self.passing.clone(), self.failing.clone());
        let begun = self.run.elapsed();
        let verdicts = self.judge_both().map_err(IsolateError::Fault)?;
        self.run.keep_time(self.run.elapsed().saturating_sub(begun));
        match verdicts.ok_or(IsolateError::Stopped)? {
            [Verdict::Pass, Verdict::Fail] => {}
            [passing, failing] => return Err(IsolateError::NotApart { passing, failing }),
        }
        self.run
            .keep_asked(passing.fingerprint(), VerdictKind::Pass);
        self.run
            .keep_asked(failing.fingerprint(), VerdictKind::Fail);
        self.emit(&IsolateEvent::Started {
            passing: &passing,
            failing: &failing,
        });

        let first = atoms.first().copied().unwrap_or(Atom::Line);
        let difference = Difference::between(passing.bytes(), failing.bytes(), first);
        let mut compared = Compared::new(passing, difference);
        let mut ended = Ended::Complete;
        for level in 0..atoms.len().max(1) {
            let mut dd = Dd::new(compared.difference.len(), self.order);
            if let Err(why) = self.narrow(&mut compared, &mut dd) {
                ended = why;
            }
            // The remaining difference is compared by the next atom, or else by the same one.
            let over = !matches!(ended, Ended::Complete);
            let atom = atoms.get(level + 1).copied().filter(|_| !over);
            let finer = compared.difference.refine(
                compared.base.bytes(),
                dd.passing(),
                dd.left(),
                atom.unwrap_or(compared.difference.atom()),
            );
            compared = Compared::new(self.passing.clone(), finer);
            if atom.is_none() {
                break;
            }
        }
        self.run.cancel_all();
        let verified = match self.verify {
            true => self.verify(&mut ended),
            false => None,
        };
        self.emit(&IsolateEvent::Ended { ended: &ended });
        Ok(Isolated {
            passing: self.passing,
            failing: self.failing,
            difference: compared.difference,
            ended,
            verified,
            statistics: self.run.statistics,
        })
    }

    /// Runs the algorithm to its end by one kind of atom.
    fn narrow(&mut self, compared: &mut Compared, dd: &mut Dd) -> Result<(), Ended> {
        let atom = compared.difference.atom();
        let changes = compared.difference.len();
        self.run.statistics.levels.push(Level {
            atom,
            changes,
            left: changes,
            tests: 0,
        });
        self.emit(&IsolateEvent::LevelStarted { atom, changes });
        loop {
            self.run.check_time()?;
            let Some(set) = dd.next() else {
                return Ok(());
            };
            let candidate = compared.candidate(&set);
            let tests_before = self.run.statistics.tests;
            let rates = self.rates;
            let ahead = |cache: &_, others| match others == 0 || candidate.size() > MAX_BYTES_AHEAD
            {
                true => vec![],
                false => ahead::likely(dd, &candidate, rates, compared, cache, 2 * others + 1),
            };
            let (kind, is_counted) = self.run.ask(&candidate, ahead)?;
            if is_counted {
                self.counted(kind, &candidate);
            }
            let answer = Answer::from(kind);
            self.rates.record(answer);
            let before = (dd.passing().clone(), dd.failing().clone());
            dd.record(answer);
            if let Some(level) = self.run.statistics.levels.last_mut() {
                level.left = dd.left().len();
                level.tests += self.run.statistics.tests - tests_before;
            }
            // An answer may also decide about an earlier configuration than the one just tested.
            if *dd.passing() != before.0 {
                self.passing = compared.candidate(dd.passing());
                self.narrowed(Side::Passing, dd.left().len());
            }
            if *dd.failing() != before.1 {
                self.failing = compared.candidate(dd.failing());
                self.narrowed(Side::Failing, dd.left().len());
            }
        }
    }

    fn narrowed(&mut self, side: Side, left: u32) {
        let (passing, failing) = (self.passing.clone(), self.failing.clone());
        self.emit(&IsolateEvent::Narrowed {
            passing: matches!(side, Side::Passing).then_some(&passing),
            failing: matches!(side, Side::Failing).then_some(&failing),
            left,
        });
    }

    /// Tests both sides without the cache. Returns `None` if the run was stopped.
    fn judge_both(&mut self) -> Result<Option<[Verdict; 2]>, Fault> {
        let (passing, failing) = (self.passing.clone(), self.failing.clone());
        let [fail, pass] = self.run.judge_alone([&failing, &passing])?;
        let (Some(of_passing), Some(of_failing)) = (VerdictKind::of(&pass), VerdictKind::of(&fail))
        else {
            return Ok(None);
        };
        self.counted(of_failing, &failing);
        self.counted(of_passing, &passing);
        Ok(Some([pass, fail]))
    }

    fn verify(&mut self, ended: &mut Ended) -> Option<[Verdict; 2]> {
        let (passing, failing) = (self.passing.clone(), self.failing.clone());
        let [fail, pass] = self.run.verify([&failing, &passing], ended)?;
        self.counted(VerdictKind::of(&fail)?, &failing);
        self.counted(VerdictKind::of(&pass)?, &passing);
        Some([pass, fail])
    }

    fn counted(&mut self, kind: VerdictKind, candidate: &Input) {
        self.run.count(kind);
        self.emit(&IsolateEvent::Tested {
            verdict: kind,
            bytes: candidate.size(),
        });
    }

    fn emit(&mut self, event: &IsolateEvent<'_>) {
        self.run
            .emit(|observer, statistics| observer(event, statistics));
    }
}

#[derive(Clone, Copy, Debug)]
enum Side {
    Passing,
    Failing,
}
