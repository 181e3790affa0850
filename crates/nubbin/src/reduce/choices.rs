//! `--choices`: reduces the choices of a generator, and tests the text that it makes of them.

use crate::choices::{Recorded, RecordedRun, to_json};
use crate::exit::Exit;
use crate::files::beside;
use crate::flags::{ReduceFlags, SearchFlags};
use crate::output::OwnFile;
use crate::problem::{Problem, say};
use nubbin_generate::nubbin_choices::{Run, decode, encode_run};
use nubbin_reduce::edit::Edit;
use nubbin_reduce::engine::{Event, Outcome, Statistics};
use nubbin_reduce::input::Input;
use nubbin_reduce::pass::{self, Pass};
use nubbin_reduce::plan::Plan;
use nubbin_reduce::span::Span;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The texts of the events that were passed on so far.
#[derive(Default)]
pub(super) struct Told {
    /// The text of the best choices.
    text: Vec<u8>,
    /// The number of these choices.
    choices: usize,
    /// Bytes of text that each pass removed: in all, and up to the last `PassEnded`.
    passes: BTreeMap<&'static str, (i64, i64)>,
}

impl Told {
    fn removed(&mut self, pass: &'static str) -> &mut i64 {
        &mut self.passes.entry(pass).or_default().0
    }

    fn reported(&mut self, pass: &'static str) -> &mut i64 {
        &mut self.passes.entry(pass).or_default().1
    }

    fn removed_by(&self, pass: &str) -> i64 {
        self.passes.get(pass).map_or(0, |removed| removed.0)
    }

    /// Returns the same counts, with the sizes of texts.
    fn statistics(&self, statistics: &Statistics, original: &Run) -> Statistics {
        let mut statistics = statistics.clone();
        statistics.bytes_before = original.text.len();
        statistics.bytes_now = self.text.len();
        for (pass, counts) in &mut statistics.passes {
            counts.bytes_removed = self.removed_by(pass);
        }
        statistics
    }
}

impl RecordedRun {
    /// Reads the choices to reduce and replays them.
    pub(super) fn of(args: &ReduceFlags) -> Result<Option<Self>, Problem> {
        if args.choices.choices.is_none() {
            return Ok(None);
        }
        if args.search.stop_at.is_some() || !args.search.keep.is_empty() {
            let what = "`--stop-at` and `--keep` are about a text, and what is reduced are choices";
            return Err(Problem::new(Exit::Usage, what).hint("`--max-tests` bounds the search"));
        }
        if args.proposers.proposer.iter().any(|name| name != "none") {
            let what = "`--proposer` is about a text, and what is reduced are choices";
            return Err(Problem::new(Exit::Usage, what));
        }
        let jobs = crate::remote::jobs_here(&args.test);
        let grammar = &args.trees.grammar;
        RecordedRun::open(
            &args.choices,
            grammar,
            &args.trees.options,
            &args.test.sandbox,
            jobs,
        )
    }

    /// Returns the choices as the input of the engine.
    pub(super) fn choices(&self) -> Result<Input, Problem> {
        Input::single("choices", encode_run(&self.run)).map_err(|error| {
            Problem::new(Exit::Input, "so many choices cannot be reduced").because(&error)
        })
    }

    /// Returns the path of the reduced choices, beside the reduced text.
    pub(super) fn target(&self, text: &Path) -> PathBuf {
        let extension = self.path.extension().unwrap_or_default();
        let target = text.with_extension(extension);
        match extension.is_empty() || target == text {
            true => beside(&text.with_extension("choices"), ""),
            false => target,
        }
    }

    pub(super) fn plan(&self, search: &SearchFlags) -> Result<Plan, Problem> {
        let all = pass::choices::catalogue(&self.replay);
        let by_id = |id: &String| -> Result<Arc<dyn Pass>, Problem> {
            let found = all.iter().find(|pass| pass.id() == *id);
            found.cloned().ok_or_else(|| {
                let what = format!("unknown pass over choices `{id}`");
                Problem::new(Exit::Usage, what)
                    .hint("`nubbin passes` lists them, they begin with `choice-`")
            })
        };
        let mut plan = match search.algorithm.as_str() {
            "auto" | "choices" => pass::choices::plan(&self.replay),
            id @ ("choice-ddmin" | "choice-ddmin-nop" | "choice-ddmin-aligned") => {
                pass::choices::single(by_id(&id.to_owned())?)
            }
            id => {
                let what = format!("`{id}` is no algorithm for choices");
                return Err(Problem::new(Exit::Usage, what).hint(
                    "there are `choices`, `choice-ddmin`, `choice-ddmin-nop` and \
                           `choice-ddmin-aligned`",
                ));
            }
        };
        if !search.passes.is_empty() {
            let passes: Result<Vec<_>, _> = search.passes.iter().map(by_id).collect();
            let mut chosen = Plan::of(passes?).with_order(plan.order);
            chosen.name = plan.name;
            plan = chosen;
        }
        search
            .without
            .iter()
            .try_for_each(|id| by_id(id).map(|_| ()))?;
        let without: Vec<&str> = search.without.iter().map(String::as_str).collect();
        plan.without(&without);
        Ok(plan)
    }

    /// Replays an encoded sequence.
    fn run_of(&self, input: &Input) -> Option<Arc<Run>> {
        self.replay.replay(&decode(input.bytes()).ok()?)
    }

    /// Returns the text of an encoded sequence.
    pub(super) fn text_of(&self, input: &Input) -> Input {
        self.text_of_run(self.run_of(input).as_deref())
            .unwrap_or_else(|| input.clone())
    }

    fn text_of_run(&self, run: Option<&Run>) -> Option<Input> {
        let text = run.map_or_else(Vec::new, |run| run.text.clone());
        Input::single(self.name.clone(), text).ok()
    }

    /// Turns an event about choices into one about texts, and passes it on with a number of
    /// choices: of the candidate if a test ended, otherwise of the best so far.
    pub(super) fn tell(
        &self,
        event: &Event<'_>,
        statistics: &Statistics,
        told: &mut Told,
        mut observe: impl FnMut(&Event<'_>, &Statistics, Option<usize>),
    ) {
        let run = match event {
            Event::Started { input, .. }
            | Event::Tested { input, .. }
            | Event::Adopted { input, .. }
            | Event::Verified { input, .. }
            | Event::RolledBack { input, .. }
            | Event::Ended { input, .. } => self.run_of(input),
            _ => None,
        };
        let text = self.text_of_run(run.as_deref());
        let text = text.as_ref().filter(|_| run.is_some());
        let choices = run.as_ref().map(|run| run.choices.len());
        if let (Event::Tested { pass, verdict, .. }, Some(input)) = (event, text) {
            let tested = Event::Tested {
                pass,
                verdict: *verdict,
                input,
                bytes: input.size(),
            };
            return observe(&tested, &told.statistics(statistics, &self.run), choices);
        }
        if let (Event::Verified { verdict, .. }, Some(input)) = (event, text) {
            let verified = Event::Verified {
                input,
                verdict: *verdict,
            };
            return observe(&verified, &told.statistics(statistics, &self.run), choices);
        }
        let before = match (text, choices) {
            (Some(text), Some(choices)) => {
                told.choices = choices;
                std::mem::replace(&mut told.text, text.bytes().to_vec())
            }
            _ => vec![],
        };
        if let Event::Adopted { pass, .. } = event {
            *told.removed(pass) += before.len() as i64 - told.text.len() as i64;
        }
        let statistics = told.statistics(statistics, &self.run);
        let change;
        let of_text = match (event, text) {
            (&Event::Started { first_test, .. }, Some(input)) => {
                Event::Started { input, first_test }
            }
            (Event::Adopted { pass, .. }, Some(input)) => {
                change = self::change(&before, input.bytes());
                Event::Adopted {
                    pass,
                    input,
                    edit: &change,
                    bytes_before: before.len(),
                }
            }
            (Event::RolledBack { .. }, Some(input)) => Event::RolledBack {
                input,
                bytes_before: before.len(),
            },
            (Event::Ended { ended, .. }, Some(input)) => Event::Ended { ended, input },
            (&Event::PassEnded { pass, run }, _) => {
                let removed = told.removed_by(pass);
                let bytes_removed = removed - std::mem::replace(told.reported(pass), removed);
                let mut run = run;
                run.bytes_removed = bytes_removed;
                Event::PassEnded { pass, run }
            }
            // The text is not known when its test begins.
            (&Event::WorkerStarted { worker, .. }, _) => Event::WorkerStarted { worker, bytes: 0 },
            _ => return observe(event, &statistics, Some(told.choices)),
        };
        observe(&of_text, &statistics, Some(told.choices));
    }

    /// Writes the reduced choices if there is a file for them, and turns the outcome into one of
    /// the text.
    pub(super) fn conclude(
        &self,
        mut outcome: Outcome,
        told: &Told,
        target: Option<&OwnFile>,
    ) -> Result<Outcome, Problem> {
        let run = self
            .run_of(&outcome.input)
            .unwrap_or_else(|| Arc::clone(&self.run));
        let recorded = Recorded {
            choices: run
                .choices
                .iter()
                .map(|choice| to_json(&choice.value))
                .collect(),
            recipe: self.recipe,
        };
        let line = serde_json::to_string(&recorded).unwrap_or_default() + "\n";
        if let Some(target) = target {
            target.write(line.as_bytes()).map_err(|error| {
                let path = target.path().display();
                let what = format!("cannot write the reduced choices to `{path}`");
                Problem::new(Exit::Output, what).because(&error)
            })?;
        }
        let mut statistics = told.statistics(&outcome.statistics, &self.run);
        statistics.bytes_now = run.text.len();
        outcome.input = self.text_of(&outcome.input);
        outcome.statistics = statistics;
        Ok(outcome)
    }

    /// Reports the result.
    pub(super) fn report(&self, choices: &Input, target: &Path) {
        let now = decode(choices.bytes()).map_or(0, |values| values.len());
        say(&format!(
            "{} choices became {now}, in `{}`",
            self.run.choices.len(),
            target.display()
        ));
        if let Some(external) = &self.external {
            let troubles = external.troubles();
            if let Some(last) = &troubles.last {
                say(&format!(
                    "the generator broke on {} of the sequences it was given, which were left out; \
                     the last time: {last}",
                    troubles.count
                ));
            }
        }
    }
}

/// Returns the edit from one text to another: it replaces all but their common start and end.
fn change(old: &[u8], new: &[u8]) -> Edit {
    let same =
        |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| pairs.take_while(|(a, b)| a == b).count();
    let start = same(&mut old.iter().zip(new));
    let (old, new) = (&old[start..], &new[start..]);
    let end = same(&mut old.iter().rev().zip(new.iter().rev()));
    let span = Span::at(start as u32, 0..old.len() - end);
    Edit::replace(span, &new[..new.len() - end])
}
