//! `--choices`: reduces the choices of a generator, and tests the text that the generator generates
//! from them.

use super::apart::grammar_files;
use super::report::Origin;
use super::subject::{Observe, Planned, Subject};
use super::text_progress::TextProgress;
use super::tokens::TokenCounter;
use crate::choices::{Recorded, RecordedRun, to_json};
use crate::exit::Exit;
use crate::files::{Source, beside};
use crate::output::{Access, OwnFile, Targets, write};
use crate::problem::{Problem, say};
use crate::remote::Places;
use crate::settings::{ReduceSettings, SearchSettings};
use crate::stamp::{stamp, stamp_line};
use nubbin_generate::nubbin_choices::{Run, decode, encode_run};
use nubbin_reduce::engine::{Event, Outcome, Statistics, SyntaxFilter};
use nubbin_reduce::input::Input;
use nubbin_reduce::pass::choices::Judge;
use nubbin_reduce::pass::{self, Pass};
use nubbin_reduce::plan::Plan;
use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::sync::Arc;

/// Reads the choices to reduce and replays them.
pub(super) fn recorded_run(args: &ReduceSettings) -> Result<Option<RecordedRun>, Problem> {
    if args.choices.choices.is_none() {
        return Ok(None);
    }
    if args.search.stop_at.is_some() || !args.search.keep.is_empty() {
        let what = "`--stop-at` and `--keep` apply to text, but this run reduces choices";
        return Err(Problem::new(Exit::Usage, what).hint("`--max-tests` bounds the search"));
    }
    let proposers = &args.proposers;
    let mut all = proposers.proposer.iter().chain(&proposers.proposer_early);
    if all.any(|name| name != "none") {
        let what = "`--proposer` applies to text, but this run reduces choices";
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

/// Creates the plan for recorded choices.
fn plan(recorded: &RecordedRun, search: &SearchSettings) -> Result<Plan, Problem> {
    let all = pass::choices::catalogue(&recorded.replay);
    let by_id = |id: &String| -> Result<Arc<dyn Pass>, Problem> {
        let found = all.iter().find(|pass| pass.id() == *id);
        found.cloned().ok_or_else(|| {
            let what = format!("unknown pass over choices `{id}`");
            Problem::new(Exit::Usage, what).hint(
                "`nubbin passes` lists the passes over choices, whose names begin with \
                       `choice-`",
            )
        })
    };
    let mut plan = match search.algorithm.as_str() {
        "auto" | "choices" => pass::choices::plan(&recorded.replay),
        id @ ("choice-ddmin" | "choice-ddmin-nop" | "choice-ddmin-aligned") => {
            pass::choices::single(by_id(&id.to_owned())?)
        }
        id => {
            let what = format!("`{id}` is not an algorithm for choices");
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

/// The choices of a generator as the subject of a run.
pub(super) struct ChoicesSubject {
    recorded: RecordedRun,
    told: RefCell<TextProgress>,
    /// The number of choices of the result.
    left: Cell<usize>,
}

impl ChoicesSubject {
    /// Creates the plan for the choices of a run.
    pub(super) fn planned(
        recorded: RecordedRun,
        args: &ReduceSettings,
    ) -> Result<Planned, Problem> {
        let (input, sources) = recorded.text()?;
        let plan = plan(&recorded, &args.search)?;
        let counter = TokenCounter::new(None, &input);
        let subject = ChoicesSubject {
            recorded,
            told: RefCell::default(),
            left: Cell::default(),
        };
        Ok(Planned {
            subject: Box::new(subject),
            input,
            sources,
            plan,
            language: None,
            counter,
            trees_of_positions: None,
        })
    }

    /// Replays an encoded sequence.
    fn run_of(&self, input: &Input) -> Option<Arc<Run>> {
        self.recorded.replay.replay(&decode(input.bytes()).ok()?)
    }

    fn text_of_run(&self, run: Option<&Run>) -> Option<Input> {
        let text = run.map_or_else(Vec::new, |run| run.text.clone());
        Input::single(self.recorded.name.clone(), text).ok()
    }

    /// Writes the reduced choices.
    fn write(&self, run: &Run, target: &OwnFile) -> Result<(), Problem> {
        let choices = run.choices.iter();
        let recorded = Recorded {
            choices: choices.map(|choice| to_json(&choice.value)).collect(),
            recipe: self.recorded.recipe,
        };
        let line = serde_json::to_string(&recorded).unwrap_or_default() + "\n";
        target.write(line.as_bytes()).map_err(|error| {
            let path = target.path().display();
            let what = format!("cannot write the reduced choices to `{path}`");
            Problem::new(Exit::Output, what).because(&error)
        })
    }
}

impl Subject for ChoicesSubject {
    fn is_text(&self) -> bool {
        false
    }

    /// Returns the path of the reduced choices, next to the reduced text.
    fn beside(&self, targets: &Targets) -> Option<PathBuf> {
        let text = targets.paths().next()?;
        let extension = self.recorded.path.extension().unwrap_or_default();
        let target = text.with_extension(extension);
        Some(match extension.is_empty() || target == text {
            true => beside(&text.with_extension("choices"), ""),
            false => target,
        })
    }

    fn access(&self, _sources: &[Source]) -> Access {
        Access::of([&self.recorded.path])
    }

    fn mode(&self, _targets: &Targets) -> Option<u32> {
        write::mode(&self.recorded.path)
    }

    fn renamable(
        &self,
        input: Input,
        _sources: &[Source],
        _given: &[PathBuf],
        _there: &[(usize, PathBuf)],
    ) -> Result<Input, Problem> {
        Ok(input)
    }

    /// Returns a text with all facts that determine the text of choices, since verdicts are stored
    /// by choices.
    fn identity(&self, args: &ReduceSettings) -> String {
        let line = args.choices.generator.as_deref().unwrap_or_default();
        let grammars = grammar_files(&args.trees);
        let grammars: Vec<String> = grammars.iter().map(|path| stamp(path)).collect();
        format!(
            "\ngenerator {line} {} {:?} {:?} {:?} {}",
            stamp_line(line),
            args.choices.external,
            args.choices.name,
            args.trees.options,
            grammars.join(" "),
        )
    }

    /// Returns the choices as the input of the engine.
    fn searched(&self, _input: &Input) -> Result<Input, Problem> {
        Input::single("choices", encode_run(&self.recorded.run)).map_err(|error| {
            Problem::new(Exit::Input, "so many choices cannot be reduced").because(&error)
        })
    }

    fn judge<'a>(&self, places: &'a Places) -> Option<Judge<'a>> {
        let replay = Arc::clone(&self.recorded.replay);
        Some(Judge::new(replay, places, self.recorded.name.clone()))
    }

    fn filter(&self) -> SyntaxFilter<'_> {
        SyntaxFilter::Off
    }

    /// Passes an event on with a number of choices: of the candidate if a test ended, otherwise of
    /// the best so far.
    fn tell(&self, event: &Event<'_>, statistics: &Statistics, observe: Observe<'_>) {
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
        let mut told = self.told.borrow_mut();
        told.pass_on(
            (event, statistics),
            text.zip(choices),
            &self.recorded.run,
            observe,
        );
    }

    fn text_of(&self, candidate: &Input) -> Input {
        self.text_of_run(self.run_of(candidate).as_deref())
            .unwrap_or_else(|| candidate.clone())
    }

    fn conclude(
        &self,
        outcome: &mut Outcome,
        origin: Origin,
        beside: Option<&OwnFile>,
        _quiet: bool,
    ) -> Result<(), Problem> {
        let run = self.run_of(&outcome.input);
        let run = run.unwrap_or_else(|| Arc::clone(&self.recorded.run));
        let left = decode(outcome.input.bytes()).map_or(0, |values| values.len());
        self.left.set(left);
        let told = self.told.borrow();
        let mut statistics = told.statistics(&outcome.statistics, &self.recorded.run);
        statistics.bytes_now = run.text.len();
        outcome.input = self.text_of(&outcome.input);
        outcome.statistics = statistics;
        match beside.filter(|_| origin == Origin::ThisRun) {
            Some(target) => self.write(&run, target),
            None => Ok(()),
        }
    }

    fn report(&self, beside: Option<&OwnFile>) {
        let Some(target) = beside else {
            return;
        };
        say(&format!(
            "{} choices became {}, in `{}`",
            self.recorded.run.choices.len(),
            self.left.get(),
            target.path().display()
        ));
        let troubles = self.recorded.external.as_ref().map(|it| it.troubles());
        if let Some(troubles) = troubles
            && let Some(last) = &troubles.last
        {
            say(&format!(
                "the generator failed on {} of the choice sequences, which were left out; the \
                 last error: {last}",
                troubles.count
            ));
        }
    }
}
