use crate::input::{File, Input};
use crate::work::{Lists, Work};
use nubbin_grammar::sorts::SortRules;

/// The facts that a pass may use beside the file.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    /// All files.
    pub input: &'a Input,
    /// How lists are worked through, for passes that start some themselves.
    pub lists: &'a Lists,
    /// Rules for the sorts of terms, for each language that has some.
    pub sorts: &'a [&'static SortRules],
}

/// A source of proposals. See the [module documentation](super).
pub trait Pass: Send + Sync {
    /// Its name in flags, logs and statistics.
    fn id(&self) -> &'static str;

    /// What it does, in one line.
    fn about(&self) -> &'static str;

    /// Where the idea comes from.
    fn source(&self) -> &'static str;

    /// Proposals for one file, or `None` where there is nothing to do.
    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work>;

    /// Whether its proposals are tested even where a run has
    /// [learnt](crate::engine::SyntaxFilter::Learn) that what is badly formed never fails: someone
    /// must, or that could never turn out to be wrong.
    fn tries_everything(&self) -> bool {
        false
    }

    /// Whether it is about the input as a whole: opened once, on the first file, and not once for
    /// each file.
    fn whole_input(&self) -> bool {
        false
    }

    /// Whether opening it asks somebody outside, who is only to be asked where the plan has got to
    /// it.
    fn asks_outside(&self) -> bool {
        false
    }
}
