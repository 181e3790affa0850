use crate::grammar::Command;
use rustc_hash::FxHashMap;

/// The current mode of a lexer, with the modes to which `popMode` returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modes {
    /// The index of the current mode.
    pub current: u32,
    /// The modes around it, among those of [`Pushed`]; 0 if there are none.
    around: u32,
}

impl Modes {
    /// Returns a mode without modes around it.
    pub(super) fn first(mode: u32) -> Self {
        Modes {
            current: mode,
            around: 0,
        }
    }
}

/// The enclosing modes that have been seen. Equal ones are kept once.
#[derive(Debug, Default)]
pub(super) struct Pushed {
    around: Vec<Modes>,
    known: FxHashMap<Modes, u32>,
}

impl Pushed {
    /// Returns the modes after the commands of a match.
    pub(super) fn after(&mut self, mut modes: Modes, commands: &[Command]) -> Modes {
        for command in commands {
            match *command {
                Command::Mode(mode) => modes.current = mode,
                Command::Push(mode) => {
                    let next = self.around.len() as u32 + 1;
                    let around = *self.known.entry(modes).or_insert(next);
                    if around == next {
                        self.around.push(modes);
                    }
                    modes = Modes {
                        current: mode,
                        around,
                    };
                }
                Command::Pop if modes.around > 0 => {
                    modes = self.around[modes.around as usize - 1];
                }
                _ => {}
            }
        }
        modes
    }
}
