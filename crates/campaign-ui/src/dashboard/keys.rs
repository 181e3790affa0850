//! Keys and their actions.

use ratatui_crossterm::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    About,
    Validate,
    View,
    Edit,
    Copy,
    Reduce,
    ReduceAll,
    Report,
    Delete,
    ShowAll,
    ShowInvalid,
    /// End the campaign.
    Quit,
    /// Leave a page, or end the campaign from the panels.
    Leave,
    Help,
    Close,
    Ignore,
    Open,
    Filter,
    Back,
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    End,
    /// Show the page of the issue before.
    Previous,
    /// Show the page of the next issue.
    Next,
    NextPanel,
    Suspend,
    Redraw,
}

/// The description of a key: the keys, the name in the footer, and the help.
pub(super) struct Key {
    pub(super) keys: &'static str,
    /// Empty for keys that the footer leaves out.
    pub(super) name: &'static str,
    pub(super) help: &'static str,
}

const fn key(keys: &'static str, name: &'static str, help: &'static str) -> Key {
    Key { keys, name, help }
}

/// All keys, in the order of the help.
pub(super) const KEYS: &[Key] = &[
    key("F1 b", "", "show the version and the folder"),
    key("F2 v", "validate", "run the test of the issue again"),
    key(
        "F3 Enter",
        "view",
        "show the issue with its tests and its output",
    ),
    key(
        "F4 e",
        "edit",
        "edit the note of the issue in $VISUAL or $EDITOR",
    ),
    key(
        "F5 y",
        "copy",
        "copy the smallest test to the terminal's clipboard",
    ),
    key("F6 r", "reduce", "reduce the test of the issue again"),
    key(
        "Shift-F6 R",
        "",
        "reduce all open issues that are not reduced",
    ),
    key("F7 p", "report", "show the path of the report of the issue"),
    key("F8 d", "delete", "delete the issue, after a question"),
    key(
        "F9 a",
        "all",
        "list issues of all states; again: open ones only",
    ),
    key(
        "Shift-F9 A",
        "",
        "list invalid issues only; again: open ones only",
    ),
    key(
        "F10 q",
        "quit",
        "end the campaign, without a question (also Ctrl-C); q leaves a page",
    ),
    key("? h", "help", "show or hide this"),
    key("c", "", "mark the issue as fixed"),
    key("i", "", "ignore the issue"),
    key("o", "", "open the issue"),
    key(
        "/",
        "filter",
        "list issues whose identity contains a string",
    ),
    key("j k", "", "select an issue, or scroll (also arrow keys)"),
    key("PageUp PageDown", "", "move by a page"),
    key(
        "Home End",
        "",
        "move to the beginning or the end (also g and G)",
    ),
    key(
        "Left Right",
        "",
        "show the issue before or after, on the page of an issue",
    ),
    key("Tab", "panel", "show another panel if not all have room"),
    key("Escape", "", "leave a page, or list all issues again"),
    key("Ctrl-Z", "", "suspend nubbin"),
    key("Ctrl-L", "", "redraw the screen"),
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
    let is_shifted = key.modifiers.contains(KeyModifiers::SHIFT);
    Some(match key.code {
        // Older terminals send a shifted function key as the key with a number twelve higher.
        KeyCode::F(6) if is_shifted => Action::ReduceAll,
        KeyCode::F(18) => Action::ReduceAll,
        KeyCode::F(9) if is_shifted => Action::ShowInvalid,
        KeyCode::F(21) => Action::ShowInvalid,
        KeyCode::F(1) | KeyCode::Char('b') => Action::About,
        KeyCode::F(2) | KeyCode::Char('v') => Action::Validate,
        KeyCode::F(3) | KeyCode::Enter => Action::View,
        KeyCode::F(4) | KeyCode::Char('e') => Action::Edit,
        KeyCode::F(5) | KeyCode::Char('y') => Action::Copy,
        KeyCode::F(6) | KeyCode::Char('r') => Action::Reduce,
        KeyCode::Char('R') => Action::ReduceAll,
        KeyCode::F(7) | KeyCode::Char('p') => Action::Report,
        KeyCode::F(8) | KeyCode::Char('d') => Action::Delete,
        KeyCode::F(9) | KeyCode::Char('a') => Action::ShowAll,
        KeyCode::Char('A') => Action::ShowInvalid,
        KeyCode::F(10) => Action::Quit,
        KeyCode::Char('q') => Action::Leave,
        KeyCode::Char('?' | 'h') => Action::Help,
        KeyCode::Char('c') => Action::Close,
        KeyCode::Char('i') => Action::Ignore,
        KeyCode::Char('o') => Action::Open,
        KeyCode::Char('/') => Action::Filter,
        KeyCode::Esc => Action::Back,
        KeyCode::Char('k') | KeyCode::Up => Action::Up,
        KeyCode::Char('j') | KeyCode::Down => Action::Down,
        KeyCode::PageUp => Action::PageUp,
        KeyCode::PageDown | KeyCode::Char(' ') => Action::PageDown,
        KeyCode::Home | KeyCode::Char('g') => Action::Home,
        KeyCode::End | KeyCode::Char('G') => Action::End,
        KeyCode::Left => Action::Previous,
        KeyCode::Right => Action::Next,
        KeyCode::Tab | KeyCode::BackTab => Action::NextPanel,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(name: &str) -> Option<Action> {
        let (modifiers, name) = match name.split_once('-') {
            Some(("Shift", name)) => (KeyModifiers::SHIFT, name),
            Some(("Ctrl", name)) => (KeyModifiers::CONTROL, name),
            _ => (KeyModifiers::NONE, name),
        };
        let code = match name {
            "Enter" => KeyCode::Enter,
            "Tab" => KeyCode::Tab,
            "Escape" => KeyCode::Esc,
            "PageUp" => KeyCode::PageUp,
            "PageDown" => KeyCode::PageDown,
            "Home" => KeyCode::Home,
            "End" => KeyCode::End,
            "Left" => KeyCode::Left,
            "Right" => KeyCode::Right,
            _ => match name.strip_prefix('F').and_then(|n| n.parse().ok()) {
                Some(number) => KeyCode::F(number),
                None => KeyCode::Char(name.chars().next().unwrap().to_ascii_lowercase()),
            },
        };
        let code = match (code, modifiers, name.len()) {
            (KeyCode::Char(_), KeyModifiers::NONE, 1) => {
                KeyCode::Char(name.chars().next().unwrap())
            }
            (code, ..) => code,
        };
        action(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn every_key_that_is_listed_does_something() {
        for key in KEYS {
            for name in key.keys.split(' ') {
                assert!(press(name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn function_keys_have_letters_for_terminals_that_keep_them() {
        for key in KEYS.iter().filter(|key| key.keys.contains('F')) {
            let (function, letter) = key.keys.split_once(' ').unwrap();
            // `q` ends the campaign from the panels only.
            if letter != "q" {
                assert_eq!(press(function), press(letter), "{function}");
            }
        }
        assert_eq!(press("F18"), Some(Action::ReduceAll));
        assert_eq!(press("F21"), Some(Action::ShowInvalid));
    }
}
