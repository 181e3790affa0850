//! The subject of a run: a text, or the choices from which a generator generates a text.

use super::report::Origin;
use super::tokens::TokenCounter;
use crate::files::Source;
use crate::output::{Access, OwnFile, Targets};
use crate::problem::Problem;
use crate::remote::Places;
use crate::settings::ReduceSettings;
use nubbin_reduce::engine::{Event, Outcome, Statistics, SyntaxFilter};
use nubbin_reduce::input::Input;
use nubbin_reduce::pass::choices::Judge;
use nubbin_reduce::plan::Plan;
use nubbin_reduce::tree_reducer;
use std::path::PathBuf;

/// Observes an event about a text. The number is the number of choices, if choices are reduced.
pub(super) type Observe<'a> = &'a mut dyn FnMut(&Event<'_>, &Statistics, Option<usize>);

/// The input of a run: files, or the choices of a generator.
pub(super) trait Subject {
    /// Returns whether candidates are texts of the input.
    fn is_text(&self) -> bool;

    /// Returns the path of a file that the run keeps next to its result: the reduced choices, or
    /// the last text that parsed.
    fn beside(&self, targets: &Targets) -> Option<PathBuf>;

    /// Returns the access rights of files with facts about the run.
    fn access(&self, sources: &[Source]) -> Access;

    /// Returns the access rights of the file next to the result.
    fn mode(&self, targets: &Targets) -> Option<u32>;

    /// Permits other names for the files of folders, if possible. `there` has the files in the
    /// folder of the result that nubbin did not write, each with the number of its source.
    fn renamable(
        &self,
        input: Input,
        sources: &[Source],
        given: &[PathBuf],
        there: &[(usize, PathBuf)],
    ) -> Result<Input, Problem>;

    /// Returns a text with all facts on which verdicts depend, other than the facts of the test.
    fn identity(&self, args: &ReduceSettings) -> String;

    /// Returns the input of the engine for an input of the test.
    fn searched(&self, input: &Input) -> Result<Input, Problem>;

    /// Returns the oracle that turns each candidate into a text for the test at `places`, or `None`
    /// if candidates are texts.
    fn judge<'a>(&self, places: &'a Places) -> Option<Judge<'a>>;

    /// Returns the filter for candidates that do not parse.
    fn filter(&self) -> SyntaxFilter<'_>;

    /// Passes an event of the engine on, as an event about texts.
    fn tell(&self, event: &Event<'_>, statistics: &Statistics, observe: Observe<'_>);

    /// Returns the text of a candidate.
    fn text_of(&self, candidate: &Input) -> Input;

    /// Turns the outcome of the engine into an outcome about the text, and writes the file next to
    /// the result.
    fn conclude(
        &self,
        outcome: &mut Outcome,
        origin: Origin,
        beside: Option<&OwnFile>,
        quiet: bool,
    ) -> Result<(), Problem>;

    /// Reports the file next to the result.
    fn report(&self, beside: Option<&OwnFile>);
}

/// A subject that was read, with its plan.
pub(super) struct Planned {
    pub(super) subject: Box<dyn Subject>,
    /// The input of the test.
    pub(super) input: Input,
    pub(super) sources: Vec<Source>,
    pub(super) plan: Plan,
    pub(super) language: Option<String>,
    pub(super) counter: TokenCounter,
    /// The trees for a pass over positions, if the plan may have one.
    pub(super) trees_of_positions: Option<tree_reducer::Trees>,
}
