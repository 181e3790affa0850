//! Which tests are likely to be asked for next.
//!
//! A machine that waits for a verdict has two futures. Forked and told either verdict, it says
//! what it would test next, and so on: a tree of futures, never built, walked along its most
//! probable paths only. The tests met on the way, in that order, are what further workers do.
//!
//! Their verdicts are facts about candidates, so they go to the cache like any other. Nothing is
//! adopted because of them: a success that the logical path does not get to would skip units that
//! the path to it assumed to fail, which costs more tests later than it saves now.
//!
//! Source: the bisection tree of halfempty (Ormandy, 2018), with measured odds in place of the
//! assumption that every test fails.

use super::cache::Cache;
use super::scout::Scouts;
use super::settled::{Proposed, Settled};
use crate::edit::{Applied, Edit, Fingerprint};
use crate::input::Input;
use crate::work::Machine;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

/// How often the machine at work succeeds, after a success and after a failure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Odds {
    after_success: f64,
    after_failure: f64,
}

/// Weight of the past in the moving averages.
const DECAY: f64 = 0.9;

impl Default for Odds {
    fn default() -> Self {
        Odds {
            after_success: 0.5,
            after_failure: 0.15,
        }
    }
}

impl Odds {
    pub(super) fn record(&mut self, last: bool, now: bool) {
        let average = if last {
            &mut self.after_success
        } else {
            &mut self.after_failure
        };
        *average = (*average * DECAY + f64::from(u8::from(now)) * (1.0 - DECAY)).clamp(0.03, 0.97);
    }

    fn success(&self, last: bool) -> f64 {
        if last {
            self.after_success
        } else {
            self.after_failure
        }
    }
}

/// A test that may be asked for.
pub(super) struct Likely {
    pub(super) print: Fingerprint,
    /// How likely.
    pub(super) probability: f64,
    /// The text it is an edit of: the base, or one of the lines.
    pub(super) of: Fingerprint,
    /// What is tested, as an edit of that.
    pub(super) edit: Edit,
    /// The candidate, where it was made on the way.
    pub(super) input: Option<Input>,
}

/// Fingerprints of what edits make of a text, by its own, so that a future that is looked at again
/// and again need not be rendered each time.
pub(super) type Prints = FxHashMap<Fingerprint, FxHashMap<Edit, Fingerprint>>;

/// The present, from which the futures start: a test whose verdict is awaited.
pub(super) struct Present<'a> {
    /// The machine that asked for the test, the verdict not yet recorded.
    pub(super) machine: &'a dyn Machine,
    /// What is tested, as an edit of the base.
    pub(super) edit: &'a Edit,
    pub(super) print: Fingerprint,
    /// The verdict before.
    pub(super) last: bool,
    pub(super) odds: Odds,
    /// Failures in a row after which the pass ends.
    pub(super) patience: u32,
    /// From the input the machine was opened on to the base.
    pub(super) applied: &'a Applied,
    pub(super) cache: &'a Cache,
    pub(super) scouts: &'a Scouts,
    /// What is not tried again,
    pub(super) settled: &'a Settled,
    /// unless everything is.
    pub(super) thorough: bool,
    /// The passes to come. The pass at work is stage 0 of that on the base.
    pub(super) lines: &'a [Line<'a>],
    /// Which of them that is.
    pub(super) line: usize,
    /// The line that goes on from a stage of another one when that has come to a text.
    pub(super) turn_off: &'a dyn Fn(usize, usize, Fingerprint) -> Option<usize>,
}

/// The passes that come on a text as long as nothing is found in it.
pub(super) struct Line<'a> {
    pub(super) text: &'a Input,
    pub(super) print: Fingerprint,
    /// From 1 on.
    pub(super) stages: Option<&'a VecDeque<Stage>>,
    /// More passes come behind the last of them.
    pub(super) is_open: bool,
}

impl Line<'_> {
    fn stage(&self, number: usize) -> Option<&Stage> {
        self.stages?.get(number.checked_sub(1)?)
    }
}

/// A pass to come, opened.
pub(super) struct Stage {
    pub(super) machine: Box<dyn Machine>,
    /// How often its pass has succeeded so far.
    pub(super) odds: Odds,
    /// Everything is tried in it, whatever failed before.
    pub(super) thorough: bool,
    /// Failures in a row after which it ends.
    pub(super) patience: u32,
}

impl Present<'_> {
    /// A proposal of a future, as an edit of the base.
    fn edit(&self, future: &Future, proposal: &Edit) -> Option<Edit> {
        match future.stage {
            0 => self.applied.rebase(proposal).ok(),
            // It was opened on the text of its line.
            _ => Some(proposal.clone()),
        }
    }

    /// Whether a proposal, as an edit of the base, would not be tried.
    fn is_settled(&self, future: &Future, edit: &Edit) -> bool {
        let stage = self.lines[future.line].stage(future.stage);
        if stage.map_or(self.thorough, |stage| stage.thorough) {
            return false;
        }
        let rebase = |edit: &Edit| self.edit(future, edit);
        let proposed = future.machine.taken().map(|taken| Proposed {
            taken,
            rebase: &rebase,
        });
        let text = self.lines[future.line].text;
        self.settled.knows(text.bytes(), edit, proposed)
    }

    /// How likely it is that what a future asks now succeeds.
    fn success(&self, future: &Future) -> f64 {
        if let Some(stage) = self.lines[future.line].stage(future.stage) {
            return stage.odds.success(future.last);
        }
        future
            .machine
            .taken()
            .and_then(|taken| self.scouts.odds(taken.units))
            .unwrap_or_else(|| self.odds.success(future.last))
    }
}

struct Future {
    probability: f64,
    /// Order of discovery, so that equal odds have one order.
    born: u32,
    /// The pass it is in: a line,
    line: usize,
    /// and how far along that.
    stage: usize,
    /// Failures in a row after which that ends.
    patience: u32,
    machine: Box<dyn Machine>,
    /// What this future has adopted beyond the text of its line.
    assumed: Edit,
    /// What that comes to; nothing where passes are not opened on such texts.
    text: Option<Fingerprint>,
    last: bool,
}

/// Paths less likely than this are not worth a worker.
const TOO_UNLIKELY: f64 = 0.02;

/// What is likely to be asked for.
pub(super) struct Found {
    /// The most likely first.
    pub(super) tests: Vec<Likely>,
    /// The most likely place where there would be more to say if one more pass were opened.
    pub(super) end: Option<End>,
}

/// Where a line ends, or another one begins.
pub(super) struct End {
    pub(super) line: usize,
    pub(super) stage: usize,
    /// How likely it is that the path comes there.
    pub(super) probability: f64,
    /// What was found in the text of the line, and what that comes to, where another one begins.
    pub(super) found: Option<(Edit, Fingerprint)>,
}

impl Future {
    /// It goes on in the next pass, where that has been opened.
    fn turn_to_next(mut self, present: &Present<'_>) -> Result<Future, Option<End>> {
        let probability = self.probability;
        let is_found = !self.assumed.is_none();
        let next = match (is_found, self.text) {
            (false, _) => Some((self.line, self.stage)),
            (true, None) => return Err(None),
            (true, Some(text)) => {
                let line = (present.turn_off)(self.line, self.stage, text);
                line.map(|line| (line, 0))
            }
        };
        let Some((line, stage)) = next else {
            return Err(Some(End {
                line: self.line,
                stage: self.stage,
                probability,
                found: self.text.map(|print| (self.assumed, print)),
            }));
        };
        let on = &present.lines[line];
        let Some(next) = on.stage(stage + 1) else {
            return Err(on.is_open.then_some(End {
                line,
                stage,
                probability,
                found: None,
            }));
        };
        self.line = line;
        self.stage = stage + 1;
        self.machine = next.machine.fork();
        self.patience = next.patience;
        self.assumed = Edit::none();
        self.text = Some(on.print);
        self.last = false;
        Ok(self)
    }

    /// What it asked still failed: `tested` is gone from the text of its line.
    fn succeed(&mut self, tested: Edit, text: Option<Fingerprint>) {
        self.machine.record(true);
        self.last = true;
        self.assumed = tested;
        self.text = text;
    }

    /// What it asked did not.
    fn miss(&mut self) {
        self.machine.record(false);
        self.last = false;
        self.patience = self.patience.saturating_sub(1);
    }
}

/// The `count` tests most likely to be asked for after the present one.
/// `steps` bounds how far is looked: known verdicts and proposals that are void are walked through.
/// `refuses` says of a candidate made of the text of a line whether it would not be tested.
pub(super) fn likely(
    present: &Present<'_>,
    count: usize,
    mut steps: usize,
    prints: &mut Prints,
    refuses: &mut dyn FnMut(&Line<'_>, &Input, Fingerprint) -> bool,
    mut spare: impl FnMut() -> Vec<u8>,
) -> Found {
    let mut found: Vec<Likely> = Vec::with_capacity(count);
    let mut end = None;
    let mut futures = Futures::default();
    let root = Future {
        probability: 1.0,
        born: 0,
        line: present.line,
        stage: 0,
        patience: present.patience,
        machine: present.machine.fork(),
        assumed: Edit::none(),
        text: Some(present.lines[present.line].print),
        last: present.last,
    };
    let success = present.success(&root);
    let content = |machine: &dyn Machine, print| machine.known_by().is_none().then_some(print);
    let text = content(present.machine, present.print);
    futures.part(root, present.edit.clone(), text, success);
    while let Some(mut future) = futures.heap.pop() {
        steps = steps.saturating_sub(1);
        if found.len() >= count || steps == 0 || future.probability < TOO_UNLIKELY {
            break;
        }
        let proposal = match future.patience {
            0 => None,
            _ => future.machine.next(),
        };
        let Some(proposal) = proposal else {
            match future.turn_to_next(present) {
                Ok(next) => futures.heap.push(next),
                Err(here) => end = end.or(here),
            }
            continue;
        };
        let line = &present.lines[future.line];
        let known_by = future.machine.known_by();
        let edit = if known_by.is_some() {
            Some(proposal.of_all(line.text.bytes().len()))
        } else {
            let edit = present.edit(&future, &proposal);
            edit.filter(|edit| !present.is_settled(&future, edit))
                .and_then(|edit| future.assumed.combine(&edit).ok())
        };
        let Some(edit) = edit.filter(|edit| *edit != future.assumed) else {
            future.machine.record(false);
            futures.heap.push(future);
            continue;
        };
        let of = prints.entry(line.print).or_default();
        let (input, print) = match known_by.or_else(|| of.get(&edit).copied()) {
            Some(print) => (None, print),
            None => {
                let (input, print) = line.text.apply_in(&edit, spare());
                if refuses(line, &input, print) {
                    future.machine.record(false);
                    futures.heap.push(future);
                    continue;
                }
                of.insert(edit.clone(), print);
                (Some(input), print)
            }
        };
        let text = content(future.machine.as_ref(), print);
        if let Some(kind) = present.cache.peek(print) {
            if kind.is_fail() {
                future.succeed(edit, text);
            } else {
                future.miss();
            }
            futures.heap.push(future);
            continue;
        }
        if print != present.print && !found.iter().any(|likely| likely.print == print) {
            found.push(Likely {
                print,
                probability: future.probability,
                of: line.print,
                edit: edit.clone(),
                input,
            });
        }
        let success = present.success(&future);
        futures.part(future, edit, text, success);
    }
    Found { tests: found, end }
}

/// The futures not looked at yet, the most probable first.
#[derive(Default)]
struct Futures {
    heap: BinaryHeap<Future>,
    born: u32,
}

impl Futures {
    /// A test with an unknown verdict: from here on there are two futures.
    fn part(&mut self, mut fails: Future, tested: Edit, text: Option<Fingerprint>, success: f64) {
        let mut succeeds = Future {
            probability: fails.probability * success,
            born: self.born + 1,
            line: fails.line,
            stage: fails.stage,
            patience: fails.patience,
            machine: fails.machine.fork(),
            assumed: Edit::none(),
            text: None,
            last: fails.last,
        };
        succeeds.succeed(tested, text);
        self.heap.push(succeeds);
        self.born += 2;
        fails.miss();
        fails.probability *= 1.0 - success;
        fails.born = self.born;
        self.heap.push(fails);
    }
}

impl PartialEq for Future {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Future {}

impl PartialOrd for Future {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Future {
    fn cmp(&self, other: &Self) -> Ordering {
        self.probability
            .total_cmp(&other.probability)
            .then(other.born.cmp(&self.born))
    }
}
