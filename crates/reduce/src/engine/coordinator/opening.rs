//! What a pass finds when it is opened: on the best so far, or on a text that may come.

use super::Coordinator;
use crate::edit::{Fingerprint, fingerprint};
use crate::engine::schedule::Turn;
use crate::input::Input;
use crate::pass::{Context, Pass};
use crate::protect;
use crate::work::{Lists, Machine};
use std::cmp::Reverse;

/// A pass in its place in the plan, and the file it is opened on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    tier: usize,
    pass: usize,
    file: usize,
}

impl Key {
    pub(super) fn new(turn: &Turn, file: usize) -> Self {
        Key {
            tier: turn.tier,
            pass: turn.pass,
            file,
        }
    }
}

/// What a run that found nothing has looked at.
#[derive(Clone, Copy)]
pub(super) struct Barren {
    pub(super) base: Fingerprint,
    /// Of the file itself.
    pub(super) text: Fingerprint,
}

/// An input, by its content.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) input: &'a Input,
    pub(super) print: Fingerprint,
}

impl At<'_> {
    /// What tells whether a file has changed, for a pass.
    pub(super) fn print_of(&self, pass: &dyn Pass, file: usize) -> Fingerprint {
        match self.input.file(file) {
            Some(file) if !pass.whole_input() && self.input.file_count() > 1 => {
                fingerprint(file.text)
            }
            _ => self.print,
        }
    }
}

impl Coordinator<'_, '_, '_> {
    /// The best so far.
    pub(super) fn here(&self) -> At<'_> {
        At {
            input: &self.base,
            print: self.base_print,
        }
    }

    /// Whether the plan only asks for the pass since it would be the last chance to find what it left
    /// untried, and it is not one to look for that.
    pub(super) fn is_left_out(&self, pass: &dyn Pass, turn: &Turn) -> bool {
        turn.last && !self.plan.thorough && !pass.tries_everything()
    }

    /// Whether a pass has found nothing in a file, and would find the same now.
    pub(super) fn is_barren(&self, at: At<'_>, pass: &dyn Pass, turn: &Turn, file: usize) -> bool {
        let known = self.barren.get(&Key::new(turn, file));
        known.is_some_and(|known| {
            known.base == at.print || turn.again && known.text == at.print_of(pass, file)
        })
    }

    /// The biggest file first: that is where most is to be had. Files in which the pass has found
    /// nothing, and which are as they were, come last.
    pub(super) fn files_for(&self, at: At<'_>, pass: &dyn Pass, turn: &Turn) -> Vec<usize> {
        let mut present = at.input.present();
        if pass.whole_input() {
            return present.next().map(|file| file.number).into_iter().collect();
        }
        let mut files: Vec<_> = present
            .map(|f| {
                let known = self.barren.get(&Key::new(turn, f.number));
                let settled = known.is_some_and(|known| known.text == fingerprint(f.text));
                (settled, Reverse(f.text.len()), f.number)
            })
            .collect();
        files.sort_unstable();
        files.into_iter().map(|(_, _, number)| number).collect()
    }

    /// The machine of a pass on a file; nothing where there is nothing for it to do.
    pub(super) fn open(
        &self,
        at: At<'_>,
        pass: &dyn Pass,
        file: usize,
    ) -> Option<Box<dyn Machine>> {
        let lists = Lists {
            algorithm: self.plan.algorithm.clone(),
            insist: self.plan.insist,
            seed: self.options.seed,
        };
        let context = Context {
            input: at.input,
            lists: &lists,
        };
        let work = pass.open(&at.input.file(file)?, &context)?;
        Some(protect::guard(at.input, work.start(&lists)))
    }
}
