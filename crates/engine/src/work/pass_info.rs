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
    /// The name of the pass in flags, logs, and statistics.
    pub id: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// The source of the idea.
    pub source: &'static str,
    /// The options of the pass, each with its syntax and its effect.
    pub options: &'static [(&'static str, &'static str)],
    /// The files on which one opening of the pass works.
    pub scope: Scope,
    /// Whether the proposals are tested even if the run has [learnt](crate::SyntaxFilter::Learn)
    /// that badly formed candidates never fail. Without such tests, a wrong conclusion could not be
    /// corrected.
    pub tries_everything: bool,
    /// Whether the pass asks an external program when it is opened. Such a pass is opened only when
    /// the plan reaches it.
    pub asks_outside: bool,
}

/// The files on which one opening of a pass works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One file: the pass is opened on each file in turn.
    File,
    /// Any number of files: the engine opens the pass on all files at once. The work is a list or a
    /// forest whose units are in any of the files, so many small files do not take separate tests.
    Joined,
    /// The input as a whole: the pass is opened once, on the first file.
    Input,
}

impl PassInfo {
    /// Creates the description of a pass that is opened on one file after another.
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

    /// Returns this description with options.
    #[must_use]
    pub const fn with_options(mut self, options: &'static [(&'static str, &'static str)]) -> Self {
        self.options = options;
        self
    }

    /// Returns this description for a pass whose work on several files is [joined](Scope::Joined).
    #[must_use]
    pub const fn joining_files(mut self) -> Self {
        self.scope = Scope::Joined;
        self
    }

    /// Returns this description for a pass on the [input as a whole](Scope::Input).
    #[must_use]
    pub const fn on_input(mut self) -> Self {
        self.scope = Scope::Input;
        self
    }

    /// Returns this description for a pass that [tries everything](PassInfo::tries_everything).
    #[must_use]
    pub const fn trying_everything(mut self) -> Self {
        self.tries_everything = true;
        self
    }

    /// Returns this description for a pass that [asks an external program](PassInfo::asks_outside).
    #[must_use]
    pub const fn asking_outside(mut self) -> Self {
        self.asks_outside = true;
        self
    }
}
