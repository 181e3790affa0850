//! Colors: the terminal's own sixteen colors on its own background, so that they can be read on
//! dark and light backgrounds.

use ratatui_core::style::{Color, Modifier, Style};

/// The styles of the view, by their meaning.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    pub strong: Style,
    /// The style of text that is less important.
    pub dim: Style,
    pub size: Style,
    pub tests: Style,
    pub active: Style,
    pub warning: Style,
    pub removed: Style,
    pub added: Style,
    /// The style of the words of a language.
    pub keyword: Style,
    /// The style of strings and numbers of a language.
    pub literal: Style,
    pub selected: Style,
}

impl Theme {
    /// Creates a theme with colors, unless the variable `NO_COLOR` is set and not empty.
    pub fn from_environment() -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Theme::new(!refused)
    }

    pub fn new(colours: bool) -> Self {
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
            keyword: coloured(Color::Magenta),
            literal: coloured(Color::Cyan),
            selected: Style::new().add_modifier(Modifier::REVERSED),
        }
    }
}
