//! Reductions of the tests of issues: by choices, by a tree, or as text. The generator of the test
//! decides.

use crate::grammar::languages;
use crate::reduce::over_text;
use nubbin_campaign::{
    Found, Issue, Outcome, Program, Progress, Reduce, ReduceError, Reduced, Task, Test,
};
use nubbin_generate::nubbin_choices::{Replay, Run, decode, encode_run};
use nubbin_grammar::syntax::Syntax;
use nubbin_reduce::edit::Fingerprint;
use nubbin_reduce::engine::{Ended, Event, Reduction, Statistics, Stop};
use nubbin_reduce::input::Input;
use nubbin_reduce::pass;
use nubbin_reduce::plan::Plan;
use nubbin_verdict::{Ask, Candidate, Fault, Oracle, Unresolved, Verdict, VerdictKind};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// The method by which the tests of a generator are reduced.
#[derive(Clone)]
pub(super) enum ReductionMethod {
    /// As text, with trees of the language that they seem to be in.
    Text,
    /// As text, with trees of a grammar.
    Tree(Arc<dyn Syntax>),
    /// By the choices that they were made of, so that the generator could have made the result.
    Choices(Recipe),
}

/// Makes a test of the text of a generator.
pub(super) type Wrap = Arc<dyn Fn(&[u8]) -> Vec<u8> + Send + Sync>;

/// The generator that makes a test from choices.
#[derive(Clone)]
pub(super) struct Recipe {
    pub(super) replay: Arc<dyn Replay>,
    /// Reads the choices that were recorded.
    pub(super) read: fn(&str) -> Option<Vec<nubbin_generate::nubbin_choices::Value>>,
    /// Writes choices.
    pub(super) write: Arc<dyn Fn(&Run) -> String + Send + Sync>,
    /// Makes the test of the text.
    pub(super) wrap: Wrap,
}

/// The reducer of a program.
pub(super) struct Reducer {
    /// By the names of the generators.
    pub(super) ways: HashMap<String, ReductionMethod>,
    /// The language that the user has named.
    pub(super) language: Option<Arc<dyn Syntax>>,
}

/// An oracle of candidates: whether they show the issue.
pub(super) struct Same<'a, F> {
    program: &'a Program,
    version: String,
    issue: &'a Issue,
    slot: usize,
    progress: &'a dyn Progress,
    test: F,
}

impl<'a, F: Fn(&[u8]) -> Option<Vec<u8>> + Sync> Same<'a, F> {
    /// Judges by the tests that a function makes of candidates.
    pub(super) fn of(task: &Task<'a>, test: F) -> Self {
        Same {
            program: task.program,
            version: task.program.version(),
            issue: task.issue,
            slot: task.slot,
            progress: task.progress,
            test,
        }
    }
}

impl<F: Fn(&[u8]) -> Option<Vec<u8>> + Sync> Oracle for Same<'_, F> {
    fn judge(&self, candidate: &Candidate<'_>, ask: &Ask) -> Result<Verdict, Fault> {
        let Some(test) = (self.test)(candidate.bytes()) else {
            return Ok(Verdict::Unresolved(Unresolved::Invalid));
        };
        let observed = self.program.run(&test, self.slot, &ask.cancel);
        let observed = observed.map_err(Fault::new)?;
        Ok(match &observed.outcome {
            Outcome::Stopped => Verdict::Unresolved(Unresolved::Cancelled),
            Outcome::Limit => {
                let reason = observed.run.cut_short.clone();
                Verdict::Unresolved(reason.unwrap_or(Unresolved::Invalid))
            }
            Outcome::Usual => Verdict::Pass,
            Outcome::Issue(identity, _) if self.issue.is_shown_by(identity, &self.version) => {
                Verdict::Fail
            }
            Outcome::Issue(..) => {
                if let Some(found) = Found::of(&Test::new(test), &observed) {
                    self.progress.other(found);
                }
                Verdict::Pass
            }
        })
    }
}

impl Reduce for Reducer {
    fn reduce(&self, task: &Task<'_>) -> Result<Reduced, ReduceError> {
        let issue = task.issue;
        let broken = |source: Box<dyn std::error::Error + Send + Sync>| ReduceError {
            issue: issue.id,
            source,
        };
        let way = self
            .ways
            .get(&issue.generator)
            .unwrap_or(&ReductionMethod::Text);
        if let ReductionMethod::Choices(recipe) = way
            && let Some(run) = recorded(issue, recipe)
        {
            return of_choices(task, recipe, &run).map_err(broken);
        }
        let bytes = issue.smallest();
        let input = match Input::single(task.program.file(), bytes.to_vec()) {
            Ok(input) => input,
            // An empty test cannot be reduced.
            Err(_) => return Ok(as_it_is()),
        };
        let syntax = match way {
            ReductionMethod::Tree(syntax) => Some(Arc::clone(syntax)),
            _ => self.language.clone().or_else(|| detected(task, bytes)),
        };
        let plan = over_text(&input, syntax.as_ref());
        let smaller = |input: &Input| {
            task.progress.smaller(input.bytes(), None);
        };
        let done = run(task, input, plan, |text| Some(text.to_vec()), &smaller);
        let (outcome, tests, end) = match done.map_err(broken)? {
            Some(done) => done,
            None => return Ok(not_failing()),
        };
        Ok(Reduced {
            test: (outcome.size() < issue.test.len()).then(|| outcome.bytes().to_vec()),
            recipe: None,
            tests,
            is_done: end != End::Stopped,
            is_limited: end == End::Limited,
            fails: true,
        })
    }
}

/// Returns the recorded run of the test of an issue, if that is what its choices make.
fn recorded(issue: &Issue, recipe: &Recipe) -> Option<Arc<Run>> {
    let values = (recipe.read)(issue.recipe.as_deref()?)?;
    let run = recipe.replay.replay(&values)?;
    ((recipe.wrap)(&run.text) == issue.smallest() && !run.choices.is_empty()).then_some(run)
}

fn of_choices(
    task: &Task<'_>,
    recipe: &Recipe,
    first: &Run,
) -> Result<Reduced, Box<dyn std::error::Error + Send + Sync>> {
    let input = Input::single("choices", encode_run(first))?;
    let run_of = |bytes: &[u8]| recipe.replay.replay(&decode(bytes).ok()?);
    let test_of = |bytes: &[u8]| Some((recipe.wrap)(&run_of(bytes)?.text));
    let plan = pass::choices::plan(&recipe.replay);
    let smaller = |input: &Input| {
        if let Some(run) = run_of(input.bytes()) {
            let written = (recipe.write)(&run);
            task.progress
                .smaller(&(recipe.wrap)(&run.text), Some(&written));
        }
    };
    let Some((outcome, tests, end)) = run(task, input, plan, test_of, &smaller)? else {
        return Ok(not_failing());
    };
    let run = run_of(outcome.bytes());
    let test = run.as_ref().map(|run| (recipe.wrap)(&run.text));
    Ok(Reduced {
        test: test.filter(|test| test.len() < task.issue.test.len()),
        recipe: run.as_ref().map(|run| (recipe.write)(run)),
        tests,
        is_done: end != End::Stopped,
        is_limited: end == End::Limited,
        fails: true,
    })
}

/// The reason why the engine ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Complete,
    /// A limit on tests or on time was reached.
    Limited,
    Stopped,
}

/// The result of the engine, the number of its tests, and the reason for its end.
type Done = (Input, u64, End);

/// Runs the engine. Returns `None` if the original does not show the issue.
fn run(
    task: &Task<'_>,
    input: Input,
    plan: Plan,
    test: impl Fn(&[u8]) -> Option<Vec<u8>> + Sync,
    smaller: &dyn Fn(&Input),
) -> Result<Option<Done>, Box<dyn std::error::Error + Send + Sync>> {
    let oracle = Same::of(task, test);
    let stop = Stop::default();
    let _linked = task.stop.on_cancel({
        let stop = stop.clone();
        move || stop.request()
    });
    let known = task.known.iter().map(|(print, fails)| {
        let kind = match fails {
            true => VerdictKind::Fail,
            false => VerdictKind::Pass,
        };
        (Fingerprint(*print), kind)
    });
    let started = Instant::now();
    let clock = || started.elapsed();
    let mut observe = |event: &Event<'_>, _: &Statistics| match event {
        Event::Judged { print, verdict } => match verdict {
            VerdictKind::Fail => task.progress.verdict(print.0, true),
            VerdictKind::Pass => task.progress.verdict(print.0, false),
            _ => {}
        },
        Event::Adopted { input, .. } => smaller(input),
        _ => {}
    };
    let mut reduction = Reduction::new(input, &oracle, plan)
        .known(known.collect())
        .stop(stop)
        .clock(&clock)
        .jobs(task.at_once)
        .max_tests(task.max_tests)
        .observer(&mut observe);
    if let Some(time) = task.max_time {
        reduction = reduction.max_time(time);
    }
    match reduction.run() {
        Ok(outcome) => {
            let end = match outcome.ended {
                Ended::Stopped => End::Stopped,
                Ended::MaxTests | Ended::MaxTime => End::Limited,
                Ended::Fault(fault) => return Err(Box::new(fault)),
                _ => End::Complete,
            };
            Ok(Some((outcome.input, outcome.statistics.tests, end)))
        }
        Err(nubbin_reduce::engine::ReduceError::Fault(fault)) => Err(Box::new(fault)),
        // The test does not fail, or the campaign has ended too early.
        Err(_) => Ok(None),
    }
}

/// Returns the syntax of the language that a test seems to be in.
pub(super) fn detected(task: &Task<'_>, bytes: &[u8]) -> Option<Arc<dyn Syntax>> {
    let name = task.program.file().to_str();
    let entry = nubbin_languages::detect::detect(name, bytes)?;
    languages::load(entry).ok()
}

fn as_it_is() -> Reduced {
    Reduced {
        test: None,
        recipe: None,
        tests: 0,
        is_done: true,
        is_limited: false,
        fails: true,
    }
}

fn not_failing() -> Reduced {
    Reduced {
        is_done: false,
        fails: false,
        ..as_it_is()
    }
}
