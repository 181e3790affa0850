//! The choices of the user: the shown panel, and the settings that keys switch on and off.

/// The state that keys change.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    /// The selected pass, or `None` for the current pass.
    pub(super) selected: Option<&'static str>,
    pub(super) panel: Panel,
    pub(super) help: bool,
    /// The text that fills the screen.
    pub(super) filling: Option<Filling>,
    /// The number of rows of this text that are above the screen.
    pub(super) above: usize,
    /// A note about the last key, if the screen does not show otherwise that it acted.
    pub(super) note: Option<String>,
    pub(super) paused: bool,
    /// Whether the run was asked to end.
    pub(super) ending: bool,
    /// The passes that are left out.
    pub(super) disabled: Vec<&'static str>,
}

/// A text that fills the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filling {
    /// The best so far as a whole.
    Best,
    /// The output of the last test.
    Output,
}

/// The panel that is shown if there is room for only one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Panel {
    #[default]
    Passes,
    Best,
    Workers,
}

impl Panel {
    pub(super) const ALL: [(Panel, &'static str); 3] = [
        (Panel::Passes, "passes"),
        (Panel::Best, "best so far"),
        (Panel::Workers, "workers"),
    ];

    pub(super) fn next(self) -> Self {
        match self {
            Panel::Passes => Panel::Best,
            Panel::Best => Panel::Workers,
            Panel::Workers => Panel::Passes,
        }
    }
}
