//! Opens passes on the base, or on a text that may become the base.

use super::control::Control;
use super::schedule::Turn;
use crate::plan::Plan;
use crate::work::{Context, Facts, Lists, Machine, Pass, Scope, Views, guard};
use nubbin_edit::{Fingerprint, Input, fingerprint};
use nubbin_verdict::{Panicked, contained};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

/// The position of a pass in the plan, and the file on which the pass is opened.
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

/// The text on which a pass has ended without a successful proposal.
#[derive(Clone, Copy)]
pub(super) struct Exhausted {
    base: Fingerprint,
    /// The fingerprint of the file alone.
    file: Fingerprint,
}

impl Exhausted {
    pub(super) fn on(text: &Input, pass: &dyn Pass, file: usize) -> Self {
        Exhausted {
            base: text.fingerprint(),
            file: print_of(text, pass, file),
        }
    }
}

/// Returns a fingerprint of the part of the input that the pass reads when it works on a file.
fn print_of(text: &Input, pass: &dyn Pass, file: usize) -> Fingerprint {
    match text.file(file) {
        Some(file) if !opens_once(pass) && text.file_count() > 1 => fingerprint(file.text),
        _ => text.fingerprint(),
    }
}

/// Returns whether a pass is opened once for all files.
fn opens_once(pass: &dyn Pass) -> bool {
    pass.info().scope != Scope::File
}

/// The plan, and the passes of the plan that need not run.
pub(super) struct Opener {
    pub(super) plan: Plan,
    lists: Lists,
    pub(super) control: Control,
    views: Arc<Views>,
    /// Passes that need not run again on the same text.
    exhausted: FxHashMap<Key, Exhausted>,
    /// The passes that are left out because they have panicked.
    failed: Vec<&'static str>,
}

impl Opener {
    pub(super) fn new(plan: Plan, seed: u64, control: Control) -> Self {
        let lists = Lists {
            algorithm: plan.algorithm.clone(),
            seed,
        };
        Opener {
            plan,
            lists,
            control,
            views: Arc::default(),
            exhausted: FxHashMap::default(),
            failed: vec![],
        }
    }

    pub(super) fn pass(&self, turn: &Turn) -> &dyn Pass {
        self.plan.tiers[turn.tier].passes[turn.pass].as_ref()
    }

    /// Leaves out a pass that has panicked.
    pub(super) fn fail(&mut self, pass: &'static str) {
        self.failed.push(pass);
    }

    pub(super) fn has_failed(&self, pass: &dyn Pass) -> bool {
        self.failed.contains(&pass.id())
    }

    /// Records that a pass has ended without a successful proposal.
    pub(super) fn exhaust(&mut self, key: Key, on: Exhausted) {
        self.exhausted.insert(key, on);
    }

    /// Lets every pass run again.
    pub(super) fn forget(&mut self) {
        self.exhausted.clear();
    }

    /// Returns whether a pass had no successful proposal on a file and would have none now.
    pub(super) fn is_exhausted(&self, text: &Input, turn: &Turn, file: usize) -> bool {
        let known = self.exhausted.get(&Key::new(turn, file));
        known.is_some_and(|known| {
            known.base == text.fingerprint()
                || turn.again && known.file == print_of(text, self.pass(turn), file)
        })
    }

    /// Returns the files for a possible next turn. There are none if the pass is left out.
    pub(super) fn files_to_come(&self, text: &Input, turn: &Turn) -> VecDeque<usize> {
        let pass = self.pass(turn);
        match self.has_failed(pass) || self.control.left(pass.id()).is_some() {
            true => VecDeque::new(),
            false => self.files_for(text, turn),
        }
    }

    /// Returns the files for a turn, largest first, since most can be removed from them.
    /// Unchanged files on which the pass had no success come last.
    ///
    /// Returns no files if the turn is only for known failures and the pass does not try them.
    pub(super) fn files_for(&self, text: &Input, turn: &Turn) -> VecDeque<usize> {
        let pass = self.pass(turn);
        if turn.last && !self.plan.thorough && !pass.info().tries_everything {
            return VecDeque::new();
        }
        let mut present = text.present();
        if opens_once(pass) {
            return present.next().map(|file| file.number).into_iter().collect();
        }
        let mut files: Vec<_> = present
            .map(|file| {
                let known = self.exhausted.get(&Key::new(turn, file.number));
                let is_same = known.is_some_and(|known| known.file == fingerprint(file.text));
                (is_same, Reverse(file.text.len()), file.number)
            })
            .collect();
        files.sort_unstable();
        files.into_iter().map(|(_, _, number)| number).collect()
    }

    /// Returns the machine of a pass on a file, or `None` if the pass has no proposals for the
    /// file.
    pub(super) fn open(
        &self,
        text: &Input,
        pass: &dyn Pass,
        file: usize,
    ) -> Option<Box<dyn Machine>> {
        open(
            text,
            pass,
            file,
            (&self.lists, &self.plan.facts),
            &self.views,
        )
    }

    /// Opens a pass on a separate thread, so that the caller can end while a pass reads a large
    /// text. The thread ends when the pass is open. Returns `None` if no thread can be started.
    pub(super) fn open_aside(
        &self,
        text: &Input,
        pass: Arc<dyn Pass>,
        file: usize,
    ) -> Option<Receiver<Opened>> {
        let (done, opened) = sync_channel(1);
        let (text, lists) = (text.clone(), self.lists.clone());
        let facts = self.plan.facts.clone();
        let views = Arc::clone(&self.views);
        let open = move || {
            let open = || open(&text, &*pass, file, (&lists, &facts), &views);
            // The caller may have ended and dropped its receiver.
            let _ = done.send(contained(open));
        };
        let thread = std::thread::Builder::new().name("opening".into());
        thread.spawn(open).ok().map(|_| opened)
    }
}

/// The machine of a pass, if the pass has proposals, or the panic of the pass.
pub(super) type Opened = Result<Option<Box<dyn Machine>>, Panicked>;

fn open(
    text: &Input,
    pass: &dyn Pass,
    file: usize,
    (lists, facts): (&Lists, &Facts),
    views: &Views,
) -> Option<Box<dyn Machine>> {
    let context = Context::new(text, lists, facts, views);
    views.make_room(text.size(), text.file_count());
    // In one list of 500 files, a list minimizer finds the needed files in about nine tests. Five
    // hundred lists need one test each.
    let work = match pass.info().scope == Scope::Joined && text.present().nth(1).is_some() {
        true => pass.open_all(&text.present().collect::<Vec<_>>(), &context)?,
        false => pass.open(&text.file(file)?, &context)?,
    };
    Some(guard(text, work.start(lists)))
}
