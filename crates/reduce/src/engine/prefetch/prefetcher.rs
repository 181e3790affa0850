use super::super::coordinator::{ReduceContext, Work};
use super::super::opener::Opener;
use super::super::run_context::LARGE;
use super::super::triage::{Candidate, Dropped, Fingerprints, Proposal, Triage};
use super::list_probe::ListProbes;
use super::speculation::{Likely, Speculation};
use super::upcoming::{End, PassRates, Route, Upcoming};
use crate::edit::Fingerprint;
use crate::input::Input;
use crate::work::{Machine, Taken};
use rustc_hash::FxHashMap;

/// Above this many bytes, nothing is tested ahead of time until the input is smaller: the best so
/// far, its predecessor on its way to the disk, and the candidate are three times the input
/// already.
const HUGE: usize = 64 << 20;

/// Tests at least this likely to be asked for come before list probes.
const NEAR: f64 = 0.5;

/// Passes opened at most for one test of the sequential path.
const OPENINGS: usize = 12;

/// Steps that futures are followed for each test that is wanted.
const STEPS: usize = 16;

/// Steps that futures are followed where tests take long: meanwhile other workers may get far.
const STEPS_OF_SLOW: usize = 1 << 12;

/// The state of the run, as far as prefetching uses it.
pub(in crate::engine) struct Surroundings<'s, 'a> {
    pub(in crate::engine) run: &'s mut ReduceContext<'a>,
    pub(in crate::engine) base: &'s Input,
    pub(in crate::engine) opener: &'s Opener,
    pub(in crate::engine) triage: &'s mut Triage<'a>,
}

/// Decides which tests run ahead of the sequential path.
#[derive(Default)]
pub(in crate::engine) struct Prefetcher {
    fingerprints: Fingerprints,
    probes: ListProbes,
    upcoming: Upcoming,
    /// How often each pass has succeeded.
    rates: FxHashMap<&'static str, PassRates>,
}

impl Prefetcher {
    /// The plan begins.
    pub(in crate::engine) fn begin_plan(&mut self) {
        self.upcoming = Upcoming::default();
    }

    /// A pass is about to be opened; gives back its machine if it is open already.
    pub(in crate::engine) fn set_out(
        &mut self,
        route: Route,
        file: usize,
        base: Fingerprint,
    ) -> Option<Option<Box<dyn Machine>>> {
        self.upcoming.set_out(route, file, base)
    }

    /// A candidate was adopted.
    pub(in crate::engine) fn adopted(&mut self) {
        self.fingerprints.clear();
        self.upcoming.found();
    }

    /// The base was replaced by an earlier one.
    pub(in crate::engine) fn forget(&mut self) {
        self.fingerprints.clear();
    }

    /// A test of a pass has ended, on the sequential path.
    pub(in crate::engine) fn record(&mut self, pass: &'static str, last: bool, success: bool) {
        self.rates.entry(pass).or_default().record(last, success);
    }

    /// The sequential path knows a verdict on units of a list.
    pub(in crate::engine) fn learn(&mut self, taken: Taken<'_>, fails: bool) {
        self.probes.record(taken.units, fails);
    }

    /// A test has ended; `None` where it was canceled.
    pub(in crate::engine) fn returned(&mut self, print: Fingerprint, fails: Option<bool>) {
        self.probes.returned(print, fails);
    }

    /// The tests that other workers may run, in order. Cancels those that are not likely any more.
    pub(in crate::engine) fn next_tests(
        &mut self,
        around: &mut Surroundings<'_, '_>,
        work: &Work,
        awaited: &Candidate,
    ) -> Vec<Likely> {
        let asked = awaited.print;
        let others = around.run.workers.count() - 1;
        if others == 0 || around.base.size() > HUGE {
            around.run.workers.cancel_except(|running| running == asked);
            return vec![];
        }
        self.probes
            .turn_to(work.machine.taken().map(|taken| taken.list));
        self.fingerprints.trim();
        // Each other worker has one, and every worker one to go on with.
        let count = match around.base.size() <= LARGE {
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

    /// Renders a likely test, if no worker has it and its text is still of use.
    pub(in crate::engine) fn render(
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

    /// The tests that are likely to be asked for. Opens passes to come while their first test is
    /// likelier than the least likely of these.
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
            // The last of the tests that the other workers begin with.
            let last = tests.get(others - 1);
            let is_worse = |end: &End| last.is_none_or(|test| test.probability < end.probability);
            let Some(end) = end.filter(is_worse).filter(|_| openings < OPENINGS) else {
                return tests;
            };
            openings += 1;
            self.upcoming
                .open(&end, around.base, around.opener, &self.rates);
        }
    }

    /// The tests that are likely to be asked for, as far as passes have been opened.
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
        let speculation = Speculation {
            work,
            awaited,
            rates: self.rates.get(work.pass).copied().unwrap_or_default(),
            cache: &around.run.cache,
            probes: &self.probes,
            upcoming: &self.upcoming,
            present,
            most_open: Upcoming::most_open(around.base, is_queued),
            triage: around.triage,
            fingerprints: &mut self.fingerprints,
        };
        speculation.likely(count, steps)
    }

    /// Up to so many probes of the list at work, those under way included.
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
                // Its units have gone already.
                Err(Dropped::Void) => continue,
                // The sequential path drops them, too, and so they stay.
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
