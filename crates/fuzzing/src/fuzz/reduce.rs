//! Reduces the expressions and scripts that crash an engine.

use super::batch::Expression;
use super::engine_test::{Ending, EngineTest};
use super::hunt::{Catch, Form, single};
use crate::exit::Exit;
use crate::flags::Atom;
use crate::problem::Problem;
use crate::reduce::over_list;
use nubbin_generate::nubbin_choices::{Replay, Run, Value, decode, encode_run};
use nubbin_graph::Walker;
use nubbin_oracle::Signature;
use nubbin_reduce::engine::{Outcome, Reduction};
use nubbin_reduce::input::Input;
use nubbin_reduce::pass;
use nubbin_reduce::plan::Plan;
use nubbin_verdict::{Ask, Candidate, Fault, Oracle, Unresolved, Verdict};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The parts of a reduction besides the expressions.
pub(super) struct Reducer<'a> {
    pub(super) test: &'a EngineTest,
    pub(super) walker: Arc<Walker>,
    /// The maximum number of runs for one finding.
    pub(super) most: u64,
    /// The time at which the run has to end.
    pub(super) until: Option<Instant>,
    pub(super) slot: usize,
}

/// An oracle of scripts: of a candidate it makes one, and runs it.
struct Shows<'a, F> {
    test: &'a EngineTest,
    bug: &'a Signature,
    slot: usize,
    script: F,
}

impl<F: Fn(&[u8]) -> Option<Vec<u8>> + Sync> Oracle for Shows<'_, F> {
    fn judge(&self, candidate: &Candidate<'_>, _ask: &Ask) -> Result<Verdict, Fault> {
        let Some(script) = (self.script)(candidate.bytes()) else {
            return Ok(Verdict::Pass);
        };
        let ending = self.test.run(&script, self.slot).map_err(Fault::new)?;
        Ok(match ending {
            Ending::Bug(found) if found.matches(self.bug) => Verdict::Fail,
            Ending::Stopped => Verdict::Unresolved(Unresolved::Cancelled),
            _ => Verdict::Pass,
        })
    }
}

/// Reduced expressions, and the number of runs that it took.
pub(super) struct Reduced {
    pub(super) expressions: Vec<Expression>,
    pub(super) tests: u64,
}

impl Reducer<'_> {
    /// Reduces the list of expressions, and then each of them by its choices. Every result is one
    /// that the graph can make.
    pub(super) fn reduce(&self, catch: &Catch) -> Result<Reduced, Problem> {
        let mut left = self.most;
        let mut kept = catch.expressions.clone();
        if kept.len() > 1 {
            kept = self.of_list(catch, &mut left)?;
        }
        for at in 0..kept.len() {
            if let Some(run) = self.of_one(catch, &kept, at, &mut left)? {
                let index = |value: Value| match value {
                    Value::Integer(index) => u32::try_from(index).unwrap_or(0),
                    _ => 0,
                };
                kept[at] = Expression {
                    number: kept[at].number,
                    text: run.text.clone(),
                    choices: run.values().into_iter().map(index).collect(),
                };
            }
        }
        Ok(Reduced {
            expressions: kept,
            tests: self.most - left,
        })
    }

    /// Returns the script of expressions, as it was run to find the bug.
    pub(super) fn script(&self, form: Form, expressions: &[Expression]) -> Vec<u8> {
        match (form, expressions) {
            (Form::Single, [one]) => single(self.test, one),
            (_, all) => self.test.script(all),
        }
    }

    fn of_list(&self, catch: &Catch, left: &mut u64) -> Result<Vec<Expression>, Problem> {
        let all = &catch.expressions;
        // The input is a list of indices, one per line.
        let text: String = (0..all.len()).map(|index| format!("{index}\n")).collect();
        let chosen = |text: &[u8]| -> Vec<Expression> {
            let text = String::from_utf8_lossy(text);
            let indices = text.lines().filter_map(|line| line.parse::<usize>().ok());
            indices
                .filter_map(|index| all.get(index).cloned())
                .collect()
        };
        let input = Input::single("expressions", text.into_bytes());
        let input = input.map_err(|error| cannot(&error))?;
        let plan = over_list("ddmin", Atom::Line)?;
        let outcome = self.run(input, &catch.bug, plan, left, |text| {
            Some(self.test.script(&chosen(text)))
        })?;
        Ok(outcome.map_or_else(|| all.clone(), |outcome| chosen(outcome.input.bytes())))
    }

    fn of_one(
        &self,
        catch: &Catch,
        all: &[Expression],
        at: usize,
        left: &mut u64,
    ) -> Result<Option<Arc<Run>>, Problem> {
        let Some(run) = all[at].recorded(&self.walker) else {
            return Ok(None);
        };
        let input = Input::single("choices", encode_run(&run)).map_err(|error| cannot(&error))?;
        let replay: Arc<dyn Replay> = Arc::<Walker>::clone(&self.walker);
        let run_of = |bytes: &[u8]| replay.replay(&decode(bytes).ok()?);
        let plan = pass::choices::plan(&replay);
        let outcome = self.run(input, &catch.bug, plan, left, |bytes| {
            let mut expressions = all.to_vec();
            expressions[at].text.clone_from(&run_of(bytes)?.text);
            Some(self.script(catch.form, &expressions))
        })?;
        Ok(outcome.and_then(|outcome| run_of(outcome.input.bytes())))
    }

    /// Runs a reduction. Returns `None` if the original no longer shows the bug.
    fn run(
        &self,
        input: Input,
        bug: &Signature,
        plan: Plan,
        left: &mut u64,
        script: impl Fn(&[u8]) -> Option<Vec<u8>> + Sync,
    ) -> Result<Option<Outcome>, Problem> {
        let shows = Shows {
            test: self.test,
            bug,
            slot: self.slot,
            script,
        };
        let time = self
            .until
            .map(|until| until.saturating_duration_since(Instant::now()));
        if *left == 0 || time == Some(Duration::ZERO) {
            return Ok(None);
        }
        let started = Instant::now();
        let clock = || started.elapsed();
        let mut reduction = Reduction::new(input, &shows, plan)
            .stop(self.test.stop.clone())
            .clock(&clock)
            .max_tests(*left);
        if let Some(time) = time {
            reduction = reduction.max_time(time);
        }
        let outcome = reduction.run();
        match outcome {
            Ok(outcome) => {
                *left = left.saturating_sub(outcome.statistics.tests);
                Ok(Some(outcome))
            }
            Err(nubbin_reduce::engine::ReduceError::Fault(fault)) => {
                Err(Problem::new(Exit::Test, "the engine cannot be run").because(&fault))
            }
            Err(_) => Ok(None),
        }
    }
}

fn cannot(error: &(dyn std::error::Error + 'static)) -> Problem {
    Problem::new(Exit::Input, "the expressions cannot be reduced").because(error)
}
