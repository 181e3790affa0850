//! Passes over terms that have sorts, such as those of SMT-LIB.

mod constants;
mod datatypes;
mod droppable;
mod folded_terms;
mod script;
mod script_commands;
mod short_names;
mod sorted_bindings;
mod sorted_names;
mod sorted_terms;
mod sorts;
#[cfg(test)]
mod testing;

pub use folded_terms::FoldedTerms;
pub use script_commands::ScriptCommands;
pub use short_names::ShortNames;
pub use sorted_bindings::SortedBindings;
pub use sorted_names::SortedNames;
pub use sorted_terms::SortedTerms;

use nubbin_engine::work::Context;
use nubbin_grammar::sorts::SortRules;

/// Rules for the sorts of terms, for each language that has some: a
/// [fact](nubbin_engine::work::Facts) that the passes of this module read. Without it they have no
/// proposals.
#[derive(Clone, Copy, Debug)]
pub struct SortTables(pub &'static [&'static SortRules]);

impl SortTables {
    /// Returns whether a text is a script in one of the languages.
    pub fn is_script(self, text: &[u8]) -> bool {
        sorts::Sorts::of(text, self.0).is_some()
    }

    /// Returns the rules that a pass may use.
    fn of(context: &Context<'_>) -> &'static [&'static SortRules] {
        context.facts.get::<SortTables>().map_or(&[], |it| it.0)
    }
}
