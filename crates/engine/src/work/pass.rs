use super::{Facts, Lists, PassInfo, Views, Work};
use nubbin_edit::{File, Input};
use std::sync::LazyLock;

/// The context in which a pass is opened: the whole input, settings, and facts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Context<'a> {
    /// The whole input, with all its files.
    pub input: &'a Input,
    /// The list minimizer and its settings, for passes that start lists themselves.
    pub lists: &'a Lists,
    /// Facts about languages.
    pub facts: &'a Facts,
    /// The views of the texts, which passes share.
    pub views: &'a Views,
}

impl<'a> Context<'a> {
    /// Creates the context of an input with the default list settings and without facts.
    pub fn of(input: &'a Input, views: &'a Views) -> Self {
        static DEFAULT: LazyLock<(Lists, Facts)> = LazyLock::new(Default::default);
        Context::new(input, &DEFAULT.0, &DEFAULT.1, views)
    }

    /// Creates the context of an input.
    pub fn new(input: &'a Input, lists: &'a Lists, facts: &'a Facts, views: &'a Views) -> Self {
        Context {
            input,
            lists,
            facts,
            views,
        }
    }
}

/// A source of proposals.
///
/// A pass reads a file once, when it is opened, and hands out proposals. It never runs a test.
pub trait Pass: Send + Sync {
    /// Returns the description of the pass.
    fn info(&self) -> PassInfo;

    /// Returns the name for flags, logs, and statistics.
    fn id(&self) -> &'static str {
        self.info().id
    }

    /// Returns the proposals for one file, or `None` if there are none.
    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work>;

    /// Returns the proposals for several files. By default, it joins those for each. It is called
    /// instead of `open` on several files by a pass that [joins files](super::Scope::Joined).
    fn open_all(&self, files: &[File<'_>], context: &Context<'_>) -> Option<Work> {
        let works = files.iter().filter_map(|file| self.open(file, context));
        Work::joined(works, context.lists)
    }
}
