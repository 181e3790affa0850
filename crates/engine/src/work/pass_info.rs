/// The description of a pass.
///
/// ```
/// use nubbin_reduce::pass::{PassInfo, Scope};
///
/// let info = PassInfo::new("digits", "deletes digits", "nubbin").joining_files();
/// assert_eq!(info.scope, Scope::Joined);
/// assert!(!info.tries_everything && !info.asks_outside);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PassInfo {
    /// The name in flags, logs, and statistics.
    pub id: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// The source of the idea.
    pub source: &'static str,
    /// The options: the syntax and the effect of each.
    pub options: &'static [(&'static str, &'static str)],
    /// The files that one opening is for.
    pub scope: Scope,
    /// Whether the proposals are tested even if a run has
    /// [learnt](crate::SyntaxFilter::Learn) that badly formed candidates never fail. Without such
    /// tests, that belief could never be corrected.
    pub tries_everything: bool,
    /// Whether the pass asks an external program when it is opened. Such a pass is opened only when
    /// the plan reaches it.
    pub asks_outside: bool,
}

/// The files that one opening of a pass is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One file: the pass is opened on each in turn.
    File,
    /// Any number of files: the work is a list, or a forest, whose units are in any of them. The
    /// engine opens the pass on all files at once, and many small files do not take a number of
    /// tests each.
    Joined,
    /// The input as a whole: the pass is opened once, on the first file.
    Input,
}

impl PassInfo {
    /// Describes a pass that is opened on one file after another.
    pub const fn new(id: &'static str, about: &'static str, source: &'static str) -> Self {
        PassInfo {
            id,
            about,
            source,
            options: &[],
            scope: Scope::File,
            tries_everything: false,
            asks_outside: false,
        }
    }

    /// Returns the description of a pass with options.
    #[must_use]
    pub const fn with_options(mut self, options: &'static [(&'static str, &'static str)]) -> Self {
        self.options = options;
        self
    }

    /// Returns the description of a pass whose work on several files is [one](Scope::Joined).
    #[must_use]
    pub const fn joining_files(mut self) -> Self {
        self.scope = Scope::Joined;
        self
    }

    /// Returns the description of a pass on the [input as a whole](Scope::Input).
    #[must_use]
    pub const fn on_input(mut self) -> Self {
        self.scope = Scope::Input;
        self
    }

    /// Returns the description of a pass that [tries everything](PassInfo::tries_everything).
    #[must_use]
    pub const fn trying_everything(mut self) -> Self {
        self.tries_everything = true;
        self
    }

    /// Returns the description of a pass that [asks a program](PassInfo::asks_outside).
    #[must_use]
    pub const fn asking_outside(mut self) -> Self {
        self.asks_outside = true;
        self
    }
}
