//! Colours: the terminal's own sixteen on its own background, so that they can be read on dark and
//! light ones alike.

use ratatui_core::style::{Color, Modifier, Style};

/// The styles of the view, by their meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    pub(crate) strong: Style,
    /// The style of text that is less important.
    pub(crate) dim: Style,
    pub(crate) size: Style,
    pub(crate) tests: Style,
    pub(crate) active: Style,
    pub(crate) warning: Style,
    pub(crate) removed: Style,
    pub(crate) added: Style,
    pub(crate) selected: Style,
}

impl Theme {
    /// Creates a theme with colors, unless the variable `NO_COLOR` is set and not empty.
    pub(crate) fn from_environment() -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Theme::new(!refused)
    }

    pub(crate) fn new(colours: bool) -> Self {
        let coloured = |colour: Color| {
            if colours {
                Style::new().fg(colour)
            } else {
                Style::new()
            }
        };
        Theme {
            strong: Style::new().add_modifier(Modifier::BOLD),
            dim: Style::new().add_modifier(Modifier::DIM),
            size: coloured(Color::Blue),
            tests: coloured(Color::Magenta),
            active: coloured(Color::Green).add_modifier(Modifier::BOLD),
            warning: coloured(Color::Red).add_modifier(Modifier::BOLD),
            removed: coloured(Color::Red).add_modifier(Modifier::CROSSED_OUT),
            added: coloured(Color::Green),
            selected: Style::new().add_modifier(Modifier::REVERSED),
        }
    }
}
