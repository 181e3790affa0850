use crate::work::{Forest, HeaviestFirst, List, Lists, Machine, Taken};
use nubbin_edit::{Edit, Fingerprint};
use std::sync::{Arc, Mutex, PoisonError};

/// Several works that run one after another as one work.
///
/// A pass whose kinds of proposals should not be mixed in one list (blank lines, then indentation,
/// then runs of spaces) opens one list per kind and chains them. All of them refer to the text
/// on which the pass was opened. When the engine rebases a later list, deletions of an earlier one
/// disappear from its proposals and cost no test.
///
/// A list starts when its turn comes, so a chain of any length holds the state of only one list
/// minimizer. A list in a chain is minimized by the list minimizer that it requests, or by the
/// default one.
///
/// ```
/// use nubbin_reduce::edit::Edit;
/// use nubbin_reduce::pass::Chain;
/// use nubbin_reduce::span::Span;
/// use nubbin_reduce::work::{Lists, Machine, OneByOne, Work};
///
/// let first = OneByOne::new([Edit::delete(Span::new(0, 1))]);
/// let second = OneByOne::new([Edit::delete(Span::new(1, 2))]);
/// let both = [first, second].map(|machine| Work::Machine(Box::new(machine)));
/// let mut chain = Chain::new(both, &Lists::default());
/// assert_eq!(chain.next().unwrap().render(b"ab"), b"b");
/// chain.record(false);
/// assert_eq!(chain.next().unwrap().render(b"ab"), b"a");
/// chain.record(false);
/// assert!(chain.next().is_none());
/// ```
pub struct Chain {
    stages: Arc<[Stage]>,
    /// The number of stages that have been started.
    started: usize,
    running: Option<Box<dyn Machine>>,
    /// The configurations of the stages that have ended.
    configurations: u64,
    lists: Lists,
}

/// One of the works of a [`Chain`].
pub(super) enum Stage {
    List(List),
    Forest(Forest),
    /// A machine that is never run itself, so that all forks of the chain share it.
    Machine(Mutex<Box<dyn Machine>>),
}

impl Stage {
    fn start(&self, lists: &Lists) -> Box<dyn Machine> {
        match self {
            Stage::List(list) => list.clone().start(lists),
            Stage::Forest(forest) => Box::new(HeaviestFirst::new(forest.clone(), lists)),
            Stage::Machine(machine) => machine
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .fork(),
        }
    }
}

impl Chain {
    /// Creates a chain of stages, in the order in which they run.
    pub(super) fn of(stages: Arc<[Stage]>, lists: &Lists) -> Self {
        Chain {
            stages,
            started: 0,
            running: None,
            configurations: 0,
            lists: lists.clone(),
        }
    }
}

impl Machine for Chain {
    fn next(&mut self) -> Option<Edit> {
        loop {
            if let Some(machine) = &mut self.running {
                match machine.next() {
                    // An edit without changes is not proposed.
                    Some(edit) if edit.is_none() => {
                        machine.record(false);
                        continue;
                    }
                    Some(edit) => return Some(edit),
                    None => {}
                }
                self.configurations += machine.configurations().unwrap_or(0);
                self.running = None;
            }
            self.running = Some(self.stages.get(self.started)?.start(&self.lists));
            self.started += 1;
        }
    }

    fn record(&mut self, adopted: bool) {
        if let Some(machine) = &mut self.running {
            machine.record(adopted);
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(Chain {
            stages: Arc::clone(&self.stages),
            started: self.started,
            running: self.running.as_ref().map(|machine| machine.fork()),
            configurations: self.configurations,
            lists: self.lists.clone(),
        })
    }

    fn taken(&self) -> Option<Taken<'_>> {
        self.running.as_ref()?.taken()
    }

    fn configurations(&self) -> Option<u64> {
        let Some(machine) = &self.running else {
            return Some(self.configurations).filter(|&count| count > 0);
        };
        Some(machine.configurations()? + self.configurations)
    }

    fn known_by(&self) -> Option<Fingerprint> {
        self.running.as_ref()?.known_by()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::Work;
    use crate::work::{OneByOne, Spans};
    use nubbin_edit::Span;

    fn list() -> Work {
        Work::List(List::new(Spans::new([Span::new(0, 1), Span::new(1, 2)])).try_all())
    }

    fn rendered(machine: &mut dyn Machine) -> Vec<Vec<u8>> {
        std::iter::from_fn(|| {
            let edit = machine.next()?;
            machine.record(false);
            Some(edit.render(b"abc"))
        })
        .collect()
    }

    #[test]
    fn a_fork_continues_from_the_present_stage() {
        let last = OneByOne::new([Edit::delete(Span::new(2, 3))]);
        let mut chain = Chain::new([list(), Work::Machine(Box::new(last))], &Lists::default());
        assert_eq!(chain.next().unwrap().render(b"abc"), b"c");
        chain.record(false);
        let mut fork = chain.fork();
        let rest = rendered(&mut chain);
        assert_eq!(rendered(&mut *fork), rest);
        assert_eq!(rest.last().unwrap(), b"ab");
    }

    #[test]
    fn a_chain_of_empty_lists_has_no_work() {
        assert!(Chain::work([Work::List(List::new(Spans::new([])))], &Lists::default()).is_none());
        assert!(Chain::work([list()], &Lists::default()).is_some());
    }
}
