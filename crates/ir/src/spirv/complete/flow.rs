use super::shape::Merge;
use crate::dominators::Dominators;

/// The blocks and edges of a function after a change. Blocks are identified by their index in the
/// function.
///
/// Control flow is structured: a header states where the branches of its construct meet, and where
/// a loop continues, and these blocks must exist. So a construct is removed as a whole, or its
/// header loses its statement where no branch needs that any more.
#[derive(Debug)]
pub(super) struct Flow {
    pub(super) exits: Vec<Exit>,
    pub(super) states: Vec<State>,
    /// The remaining statements about constructs, by the block that contains them.
    pub(super) merges: Vec<Option<Merge>>,
    pub(super) entries: Vec<Vec<Entry>>,
    pub(super) joined_to: Vec<Option<usize>>,
    pub(super) dominators: Dominators,
    /// The remaining blocks, in the order in which they are written.
    pub(super) order: Vec<usize>,
    /// Whether the order of the blocks changes.
    pub(super) is_reordered: bool,
}

/// The state of a block after a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The block is removed.
    Gone,
    /// The block is unchanged.
    Kept,
    /// Only the end of the block is kept.
    Empty,
    /// Only an end that is never reached is kept, since a header names the block.
    Stub,
}

/// The way in which a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// The block ends as before.
    Same,
    /// The block ends with a jump.
    Jump(usize),
    /// The block ends with a return.
    Return,
    /// The block ends with an instruction that is never reached.
    Unreachable,
    /// The block ends as before, but with other successors. A successor that is `None` is removed.
    Other(Vec<Option<usize>>),
}

/// An edge that leads to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) from: usize,
    /// The last block on the edge before the change, by which phis identify the edge.
    pub(super) via: usize,
}

impl Flow {
    /// Returns the blocks of a function that consists only of a return.
    pub(super) fn stripped(count: usize) -> Self {
        let mut flow = Flow::empty(count);
        flow.states[0] = State::Empty;
        flow.exits[0] = Exit::Return;
        flow.dominators = Dominators::new(&vec![vec![]; count]);
        flow.order = vec![0];
        flow
    }

    pub(super) fn empty(count: usize) -> Self {
        Flow {
            exits: vec![Exit::Same; count],
            states: vec![State::Gone; count],
            merges: vec![None; count],
            entries: vec![vec![]; count],
            joined_to: vec![None; count],
            dominators: Dominators::new(&[]),
            order: vec![],
            is_reordered: false,
        }
    }

    /// Adds the blocks that headers name and that nothing reaches.
    pub(super) fn add_stubs(&mut self) {
        for header in 0..self.merges.len() {
            let Some(merge) = self.merges[header].filter(|_| self.states[header] != State::Gone)
            else {
                continue;
            };
            if self.states[merge.behind] == State::Gone {
                self.states[merge.behind] = State::Stub;
                self.exits[merge.behind] = Exit::Unreachable;
            }
            if let Some(continues) = merge.continues
                && self.states[continues] == State::Gone
            {
                self.states[continues] = State::Stub;
                self.exits[continues] = Exit::Jump(header);
                self.entries[header].push(Entry {
                    from: continues,
                    via: continues,
                });
            }
        }
    }

    /// Joins each block to which only a jump leads with the block before it.
    pub(super) fn join(&mut self, successors: &[Vec<usize>]) {
        let is_named = |block: usize, merges: &[Option<Merge>]| {
            let mut all = merges.iter().flatten();
            all.any(|merge| merge.behind == block || merge.continues == Some(block))
        };
        for block in 1..self.exits.len() {
            let [entry] = self.entries[block][..] else {
                continue;
            };
            let from = entry.from;
            let is_left = matches!(self.states[block], State::Kept | State::Empty)
                && matches!(self.states[from], State::Kept | State::Empty);
            let jumps = matches!(self.exits[from], Exit::Jump(_) | Exit::Same)
                && successors[from].len() == 1
                && self.merges[from].is_none();
            if is_left && jumps && from != block && !is_named(block, &self.merges) {
                self.joined_to[block] = Some(from);
            }
        }
    }

    /// Finds an order in which each block comes after the blocks that dominate it.
    pub(super) fn arrange(&mut self) {
        let is_left = |block: &usize| self.states[*block] != State::Gone;
        let count = self.states.len();
        let nearest = &self.dominators.nearest;
        let is_ordered = (1..count)
            .filter(is_left)
            .all(|block| nearest[block].is_none_or(|above| above < block));
        let mut order: Vec<usize> = match is_ordered {
            true => (0..count).filter(is_left).collect(),
            false => {
                let stubs = (0..count).filter(|&block| self.states[block] == State::Stub);
                let walk = self.dominators.walk.iter().copied().filter(is_left);
                walk.chain(stubs).collect()
            }
        };
        if self.joined_to.iter().any(Option::is_some) {
            let mut next = vec![None; count];
            for (block, from) in self.joined_to.iter().enumerate() {
                if let Some(from) = from {
                    next[*from] = Some(block);
                }
            }
            let mut all = vec![];
            for first in order {
                let mut at = Some(first).filter(|&first| self.joined_to[first].is_none());
                while let Some(block) = at {
                    all.push(block);
                    at = next[block];
                }
            }
            order = all;
        }
        let has_joints = self.joined_to.iter().any(Option::is_some);
        self.is_reordered = has_joints || !order.is_sorted();
        self.order = order;
    }
}
