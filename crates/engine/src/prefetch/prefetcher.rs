use super::super::coordinator::{ReduceContext, Work};
use super::super::opener::Opener;
use super::super::run_context::LARGE_INPUT_BYTES;
use super::super::suspended::SuspendedPasses;
use super::super::triage::{Candidate, Dropped, Fingerprints, Proposal, Triage};
use super::list_probe::ListProbes;
use super::speculation::{Likely, Speculation};
use super::upcoming::{End, PassRates, Route, Upcoming};
use crate::work::{Machine, Taken};
use nubbin_edit::{Fingerprint, Input};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// The size in bytes above which no test runs ahead, to save memory. The best so far, a candidate,
/// and the previous base while it is written to disk are three copies of the input already.
const MAX_BYTES_AHEAD: usize = 64 << 20;

/// The least probability of a test that runs before list probes.
const NEAR: f64 = 0.5;

/// The largest number of passes opened for one test of the sequential path.
const OPENINGS: usize = 12;

/// The number of steps on futures for each wanted test.
const STEPS: usize = 16;

/// The number of steps on futures if tests take long, since time for the search remains then.
const STEPS_OF_SLOW: usize = 1 << 12;

/// The time after which the search for tests ends. A step takes long if the proposals of a pass
/// cover most of a large input, and the verdict of the test that runs waits for the search.
const LONGEST_SEARCH: Duration = Duration::from_millis(50);

/// The part of the run's state that prefetching uses.
pub(crate) struct Surroundings<'s, 'a> {
    pub(crate) run: &'s mut ReduceContext<'a>,
    pub(crate) base: &'s Input,
    pub(crate) opener: &'s Opener,
    pub(crate) suspended: &'s SuspendedPasses,
    pub(crate) triage: &'s mut Triage<'a>,
}

/// The prefetcher, which chooses the tests to run before the sequential path reaches them.
#[derive(Default)]
pub(crate) struct Prefetcher {
    fingerprints: Fingerprints,
    probes: ListProbes,
    upcoming: Upcoming,
    /// The success rates of each pass.
    rates: FxHashMap<&'static str, PassRates>,
}

impl Prefetcher {
    /// Forgets the open passes at the start of the plan.
    pub(crate) fn begin_plan(&mut self) {
        self.upcoming = Upcoming::default();
    }

    /// Records that the run has reached a pass. Returns the machine of the pass if it was opened
    /// ahead.
    pub(crate) fn set_out(
        &mut self,
        route: Route,
        file: usize,
        base: Fingerprint,
    ) -> Option<Option<Box<dyn Machine>>> {
        self.upcoming.set_out(route, file, base)
    }

    /// Records an adoption.
    pub(crate) fn adopted(&mut self) {
        self.fingerprints.clear();
        self.upcoming.found();
    }

    /// Forgets the fingerprints, since the base is an earlier base again.
    pub(crate) fn forget(&mut self) {
        self.fingerprints.clear();
    }

    /// Records the verdict of a test of the sequential path in the rates of its pass.
    pub(crate) fn record(&mut self, pass: &'static str, last: bool, success: bool) {
        self.rates.entry(pass).or_default().record(last, success);
    }

    /// Records a verdict of the sequential path on units of a list.
    pub(crate) fn learn(&mut self, taken: Taken<'_>, fails: bool) {
        self.probes.record(taken.units, fails);
    }

    /// Records the end of a test. `fails` is `None` if the test was canceled.
    pub(crate) fn returned(&mut self, print: Fingerprint, fails: Option<bool>) {
        self.probes.returned(print, fails);
    }

    /// Returns the tests for other workers, in order. Running tests that are now unlikely are
    /// canceled.
    pub(crate) fn next_tests(
        &mut self,
        around: &mut Surroundings<'_, '_>,
        work: &Work,
        awaited: &Candidate,
    ) -> Vec<Likely> {
        let asked = awaited.print;
        let others = around.run.workers.count() - 1;
        if others == 0 || around.base.size() > MAX_BYTES_AHEAD {
            around.run.workers.cancel_except(|running| running == asked);
            return vec![];
        }
        self.probes
            .turn_to(work.machine.taken().map(|taken| taken.list));
        self.fingerprints.trim();
        // Each other worker runs one test, and one more waits for every worker.
        let count = match around.base.size() <= LARGE_INPUT_BYTES {
            true => 2 * others + 1,
            false => others,
        };
        let mut tests = self.likely(around, work, awaited, count);
        let is_near = |likely: &&Likely| likely.probability >= NEAR;
        let near = tests.iter().take_while(is_near).count();
        if near < others {
            let probes = self.probe(around, work, others - near);
            tests.splice(near..near, probes);
        }
        let keep = match around.run.workers.has(asked) {
            true => tests.len(),
            false => tests.len().min(others),
        };
        around.run.workers.cancel_except(|running| {
            running == asked
                || self.probes.is_under_way(running)
                || tests[..keep].iter().any(|likely| likely.print == running)
        });
        around.run.workers.make_way(asked);
        tests
    }

    /// Renders a likely test, unless a worker already has the test or its text was dropped.
    pub(crate) fn render(
        &self,
        around: &Surroundings<'_, '_>,
        likely: Likely,
    ) -> Option<(Fingerprint, Input)> {
        if around.run.workers.has(likely.print) {
            return None;
        }
        let render = || {
            let text = match likely.of == around.base.fingerprint() {
                true => around.base,
                false => self.upcoming.text(likely.of)?,
            };
            Some(text.apply(&likely.edit))
        };
        Some((likely.print, likely.input.or_else(render)?))
    }

    /// Returns the likely next tests. Opens upcoming passes while their first test is likelier than
    /// the last test that the other workers begin with.
    fn likely(
        &mut self,
        around: &mut Surroundings<'_, '_>,
        work: &Work,
        awaited: &Candidate,
        count: usize,
    ) -> Vec<Likely> {
        let others = around.run.workers.count() - 1;
        let mut openings = 0;
        loop {
            let (tests, end) = self.speculate(around, work, awaited, count);
            // Other workers start with the tests up to this one.
            let last = tests.get(others - 1);
            let is_worse = |end: &End| last.is_none_or(|test| test.probability < end.probability);
            let Some(end) = end.filter(is_worse).filter(|_| openings < OPENINGS) else {
                return tests;
            };
            openings += 1;
            let plan = (around.opener, around.suspended);
            self.upcoming.open(&end, around.base, plan, &self.rates);
        }
    }

    /// Returns the likely next tests of the open passes, and the best place to open another pass.
    fn speculate(
        &mut self,
        around: &mut Surroundings<'_, '_>,
        work: &Work,
        awaited: &Candidate,
        count: usize,
    ) -> (Vec<Likely>, Option<End>) {
        let Some(present) = self.upcoming.present_line(around.base) else {
            return (vec![], None);
        };
        let is_queued = around.run.workers.queue();
        let steps = match is_queued {
            true => STEPS * count,
            false => STEPS_OF_SLOW,
        };
        let run = &*around.run;
        let begun = run.elapsed();
        let is_late = || run.elapsed().saturating_sub(begun) > LONGEST_SEARCH;
        let speculation = Speculation {
            work,
            awaited,
            rates: self.rates.get(work.pass).copied().unwrap_or_default(),
            cache: &run.cache,
            probes: &self.probes,
            upcoming: &self.upcoming,
            present,
            most_open: Upcoming::most_open(around.base, is_queued),
            triage: around.triage,
            fingerprints: &mut self.fingerprints,
        };
        speculation.likely(count, steps, &is_late)
    }

    /// Returns new probes of the current list, so that at most `count` probes run.
    fn probe(
        &mut self,
        around: &mut Surroundings<'_, '_>,
        work: &Work,
        count: usize,
    ) -> Vec<Likely> {
        let workers = &around.run.workers;
        self.probes.keep(|print| workers.has(print));
        let mut tests = vec![];
        while self.probes.under_way() < count
            && let Some(probe) = self.probes.next()
        {
            let Some(list) = self.probes.list() else {
                break;
            };
            let units = std::slice::from_ref(&probe.1);
            let edit = list.edit(units);
            let proposal = Proposal {
                text: around.base,
                edit: &edit,
                taken: Some(Taken { list, units }),
                known_by: None,
                rebase: &|edit| work.applied.rebase(edit).ok(),
                assumed: None,
                thorough: work.thorough,
            };
            let candidate = match around.triage.decide(&proposal) {
                Ok(candidate) => candidate,
                // The units of the probe were removed before.
                Err(Dropped::Void) => continue,
                // The sequential path drops such a proposal, too, so its units are kept.
                Err(_) => {
                    self.probes.answered(&probe, false);
                    continue;
                }
            };
            let print = candidate.print;
            if let Some(kind) = around.run.cache.peek(print) {
                self.probes.answered(&probe, kind.is_fail());
                continue;
            }
            self.probes.sent(print, probe);
            tests.push(Likely {
                print,
                probability: 0.0,
                of: around.base.fingerprint(),
                edit: candidate.edit,
                input: Some(candidate.input),
            });
        }
        tests
    }
}
