//! Keys and their actions.

use ratatui_crossterm::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Stop the run with the best so far. Pressed a second time, the key stops the run at once.
    Quit,
    Skip,
    /// Disable the selected pass, or enable it again.
    Toggle,
    Pause,
    Up,
    Down,
    PageUp,
    PageDown,
    /// Show the best so far on the whole screen, or show all panels again.
    Whole,
    /// Show the output of the last test on the whole screen, or show all panels again.
    Output,
    /// Open the best so far in a pager.
    Pager,
    /// Open the best so far in an editor.
    Editor,
    /// Copy the best so far to the terminal's clipboard.
    Copy,
    /// Select the current pass.
    Follow,
    NextPanel,
    Help,
    Suspend,
    Redraw,
}

/// The description of each key, for the footer (short) and for the help. The first ones are in the
/// footer if not all have room; the last one always is.
pub(super) const KEYS: &[(&str, &str, &str)] = &[
    (
        "q",
        "end",
        "stop the run with the best so far; again: at once (also Ctrl-C)",
    ),
    ("s", "skip", "skip the current pass; it runs again later"),
    ("p", "pause", "pause: start no more tests; again: continue"),
    (
        "j k",
        "select",
        "select a pass, or scroll (also arrows and pages); Esc: the current pass",
    ),
    ("Tab", "panel", "show another panel if not all have room"),
    (
        "f",
        "full",
        "fill the screen with the best so far; again: all panels",
    ),
    (
        "o",
        "output",
        "fill the screen with the output of the last test; again: all panels",
    ),
    ("v", "pager", "open the best so far in `$PAGER`"),
    (
        "e",
        "editor",
        "open a copy of the best so far in `$EDITOR`; changes to it are not used",
    ),
    (
        "d",
        "drop",
        "leave out the selected pass; again: include it",
    ),
    (
        "c",
        "copy",
        "copy the best so far to the terminal's clipboard (OSC 52)",
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
        KeyCode::PageUp => Action::PageUp,
        KeyCode::PageDown => Action::PageDown,
        KeyCode::Char('f') => Action::Whole,
        KeyCode::Char('o') => Action::Output,
        KeyCode::Char('v') => Action::Pager,
        KeyCode::Char('e') => Action::Editor,
        KeyCode::Char('c') => Action::Copy,
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
        // A key with Control differs from the plain key.
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
