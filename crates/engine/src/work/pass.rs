use super::{Facts, Lists, Work};
use nubbin_edit::{File, Input};
use std::sync::LazyLock;

/// The facts that a pass may use beside the file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Context<'a> {
    /// All files.
    pub input: &'a Input,
    /// The list minimizer and its settings, for passes that start lists themselves.
    pub lists: &'a Lists,
    /// Facts about languages.
    pub facts: &'a Facts,
}

impl<'a> Context<'a> {
    /// Makes the context of an input with the default lists, and without facts.
    pub fn of(input: &'a Input) -> Self {
        static DEFAULT: LazyLock<(Lists, Facts)> = LazyLock::new(Default::default);
        Context::new(input, &DEFAULT.0, &DEFAULT.1)
    }

    /// Makes the context of an input.
    pub fn new(input: &'a Input, lists: &'a Lists, facts: &'a Facts) -> Self {
        Context {
            input,
            lists,
            facts,
        }
    }
}

/// A source of proposals. See the documentation of passes.
pub trait Pass: Send + Sync {
    /// Returns the name for flags, logs, and statistics.
    fn id(&self) -> &'static str;

    /// Returns a description in one line.
    fn about(&self) -> &'static str;

    /// Returns the source of the idea.
    fn source(&self) -> &'static str;

    /// Returns the proposals for one file, or `None` if there are none.
    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work>;

    /// Returns the proposals for several files. By default, it joins those for each. It is called
    /// instead of `open` where [`joins_files`](Pass::joins_files) says so.
    fn open_all(&self, files: &[File<'_>], context: &Context<'_>) -> Option<Work> {
        let works = files.iter().filter_map(|file| self.open(file, context));
        Work::joined(works, context.lists)
    }

    /// Returns whether its proposals are tested even if a run has
    /// [learnt](crate::SyntaxFilter::Learn) that badly formed candidates never fail.
    /// Without such tests, that belief could never be corrected.
    fn tries_everything(&self) -> bool {
        false
    }

    /// Returns whether the pass works on the input as a whole. Such a pass is opened once, on the
    /// first file, and not once for each file.
    fn whole_input(&self) -> bool {
        false
    }

    /// Returns whether its work for several files can be one: a list, or a forest, whose units are
    /// in any of the files. Then the engine opens it on all files at once, and many small files do
    /// not take a number of tests each.
    fn joins_files(&self) -> bool {
        false
    }

    /// Returns whether the pass asks an external program when it is opened. Such a pass is opened
    /// only when the plan reaches it.
    fn asks_outside(&self) -> bool {
        false
    }
}
