//! The text of the inputs as the subject of a run.

use super::parsing::{self, LastParsing, Parsing};
use super::report::Origin;
use super::subject::{Observe, Planned, Subject};
use super::tokens::TokenCounter;
use super::{keep, plan, positions, syntax};
use crate::files::{self, Source};
use crate::output::{Access, OwnFile, Targets};
use crate::parameters::ParameterFiles;
use crate::problem::Problem;
use crate::remote::Places;
use crate::settings::ReduceSettings;
use nubbin_reduce::Algorithm;
use nubbin_reduce::engine::{Event, Outcome, Statistics, SyntaxFilter};
use nubbin_reduce::input::Input;
use nubbin_reduce::pass::choices::Judge;
use std::cell::RefCell;
use std::path::PathBuf;

/// The text of the inputs.
struct TextSubject {
    original_size: usize,
    parsing: Option<Parsing>,
    last_parsing: RefCell<LastParsing>,
}

/// Reads the inputs, and makes the plan for their text.
pub(super) fn planned(
    args: &ReduceSettings,
    parameters: &mut ParameterFiles,
) -> Result<Planned, Problem> {
    let (input, sources) = files::read(args.into())?;
    let input = parameters.add_to(input)?;
    let input = keep::protect(input, &args.search, args.output_flags.quiet)?;
    let named = plan::named(&args.search.algorithm)?;
    let trees = syntax::trees(args, &named, &input, parameters)?;
    let may_learn = matches!(named, Algorithm::Auto);
    let language = match &trees {
        None => may_learn.then(|| "none".to_owned()),
        Some(trees) => Some(trees.names()).filter(|names| !names.is_empty()),
    };
    let plan = plan::plan(&named, &args.search, &input, trees.as_ref())?;
    let counter = TokenCounter::new(trees.as_ref().map(|trees| &trees.syntaxes), &input);
    let trees_of_positions = positions::trees_for(&named, args, trees.as_ref());
    let subject = TextSubject {
        original_size: input.size(),
        parsing: trees.map(|trees| Parsing::new(&trees, args.trees.must_parse, may_learn)),
        last_parsing: RefCell::default(),
    };
    Ok(Planned {
        subject: Box::new(subject),
        input,
        sources,
        plan,
        language,
        counter,
        trees_of_positions,
    })
}

impl Subject for TextSubject {
    fn is_text(&self) -> bool {
        true
    }

    fn beside(&self, targets: &Targets) -> Option<PathBuf> {
        self.parsing.as_ref().and_then(|_| parsing::path(targets))
    }

    fn access(&self, sources: &[Source]) -> Access {
        Access::of_sources(sources)
    }

    fn mode(&self, targets: &Targets) -> Option<u32> {
        targets.modes().next().flatten()
    }

    fn renamable(
        &self,
        input: Input,
        sources: &[Source],
        given: &[PathBuf],
        there: &[(usize, PathBuf)],
    ) -> Result<Input, Problem> {
        files::renamable(input, sources, given, there)
    }

    fn identity(&self, _args: &ReduceSettings) -> String {
        String::new()
    }

    fn searched(&self, input: &Input) -> Result<Input, Problem> {
        Ok(input.clone())
    }

    fn judge<'a>(&self, _places: &'a Places) -> Option<Judge<'a>> {
        None
    }

    fn filter(&self) -> SyntaxFilter<'_> {
        let parsing = self.parsing.as_ref();
        parsing.map(Parsing::filter).unwrap_or_default()
    }

    fn tell(&self, event: &Event<'_>, statistics: &Statistics, observe: Observe<'_>) {
        observe(event, statistics, None);
        if let Some(parsing) = &self.parsing {
            self.last_parsing.borrow_mut().observe(parsing, event);
        }
    }

    fn text_of(&self, candidate: &Input) -> Input {
        candidate.clone()
    }

    fn conclude(
        &self,
        outcome: &mut Outcome,
        _origin: Origin,
        beside: Option<&OwnFile>,
        quiet: bool,
    ) -> Result<(), Problem> {
        outcome.statistics.bytes_before = self.original_size;
        let Some(parsing) = &self.parsing else {
            return Ok(());
        };
        let last_parsing = self.last_parsing.borrow();
        last_parsing.conclude(parsing, &outcome.input, beside, quiet)
    }

    fn report(&self, _beside: Option<&OwnFile>) {}
}
