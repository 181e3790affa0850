//! Keys and what they mean.

use ratatui_crossterm::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// End the run with the best so far; the second time at once.
    Quit,
    Skip,
    /// Leave the selected pass out, or take it in again.
    Toggle,
    Pause,
    Up,
    Down,
    /// Select whatever pass is at work.
    Follow,
    NextPanel,
    Help,
    Suspend,
    Redraw,
}

/// What is said of each key, in the footer (short) and in the help.
pub(super) const KEYS: &[(&str, &str, &str)] = &[
    (
        "q",
        "end",
        "end the run with the best so far; again: at once (also Ctrl-C)",
    ),
    (
        "s",
        "skip",
        "skip the pass at work; it has its turn again later",
    ),
    ("p", "pause", "pause: start no more tests; again: go on"),
    (
        "j k",
        "select",
        "select a pass, as the arrow keys do; Esc: the one at work",
    ),
    (
        "d",
        "drop",
        "leave the selected pass out; again: take it in",
    ),
    (
        "Tab",
        "panel",
        "show another panel, where not all have room",
    ),
    ("?", "help", "show or hide this"),
];

pub(super) fn action(key: KeyEvent) -> Option<Action> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Action::Quit),
            KeyCode::Char('z') => Some(Action::Suspend),
            KeyCode::Char('l') => Some(Action::Redraw),
            _ => None,
        };
    }
    Some(match key.code {
        KeyCode::Char('q') => Action::Quit,
        KeyCode::Char('s') => Action::Skip,
        KeyCode::Char('d') => Action::Toggle,
        KeyCode::Char('p' | ' ') => Action::Pause,
        KeyCode::Char('k') | KeyCode::Up => Action::Up,
        KeyCode::Char('j') | KeyCode::Down => Action::Down,
        KeyCode::Esc => Action::Follow,
        KeyCode::Tab | KeyCode::BackTab => Action::NextPanel,
        KeyCode::Char('?' | 'h') => Action::Help,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(code: KeyCode, modifiers: KeyModifiers) -> Option<Action> {
        action(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn ctrl_c_is_a_key_while_the_terminal_is_ours() {
        let ctrl = KeyModifiers::CONTROL;
        assert_eq!(press(KeyCode::Char('c'), ctrl), Some(Action::Quit));
        assert_eq!(press(KeyCode::Char('z'), ctrl), Some(Action::Suspend));
        // Control keys are not mistaken for plain ones.
        assert_eq!(press(KeyCode::Char('d'), ctrl), None);
    }

    #[test]
    fn every_key_that_is_listed_does_something() {
        for (keys, ..) in KEYS {
            for key in keys.split(' ') {
                let code = match key {
                    "Tab" => KeyCode::Tab,
                    key => KeyCode::Char(key.chars().next().unwrap()),
                };
                assert!(press(code, KeyModifiers::NONE).is_some(), "{key}");
            }
        }
    }
}
