use super::constructs::settle;
use super::flow::{Entry, Exit, Flow, State};
use super::shape::Shape;
use crate::change::Change;
use crate::dominators::Dominators;
use crate::module::{Function, Op};

impl Flow {
    /// Computes the edges of a function after a change. A change is left out if it would break a
    /// loop that must remain a loop.
    pub(super) fn new(
        shape: &Shape,
        function: &Function,
        last: impl Fn(usize) -> u32,
        change: &Change,
        is_merged: bool,
    ) -> Self {
        let mut fixed = vec![false; shape.blocks.len()];
        loop {
            let is_out = |block: usize| {
                let is_stated = change.blocks.contains(function.blocks.start + block as u32);
                block > 0 && is_stated && !fixed[block]
            };
            let chosen = |block: usize| {
                let chosen = change.edges.get(&last(block)).map(|&nth| nth as usize);
                chosen.filter(|_| !fixed[block])
            };
            let (mut flow, successors, broken) = Flow::attempt(shape, is_out, chosen);
            let leads_back = |block: usize| {
                let to = &shape.blocks[block].successors;
                broken.iter().any(|header| to.contains(header))
            };
            let more: Vec<usize> = (0..shape.blocks.len())
                .filter(|&block| !fixed[block] && leads_back(block))
                .collect();
            if more.is_empty() {
                flow.add_stubs();
                if is_merged {
                    flow.join(&successors);
                }
                flow.arrange();
                return flow;
            }
            more.into_iter().for_each(|block| fixed[block] = true);
        }
    }

    /// Computes the edges, and decides which statements about constructs are left.
    fn attempt(
        shape: &Shape,
        is_out: impl Fn(usize) -> bool,
        chosen: impl Fn(usize) -> Option<usize>,
    ) -> (Self, Vec<Vec<usize>>, Vec<usize>) {
        let count = shape.blocks.len();
        let detours = Detours::new(shape, &is_out);
        let mut flow = Flow::empty(count);
        let mut vias: Vec<Vec<Entry>> = vec![vec![]; count];
        let mut is_reached = vec![false; count];
        is_reached[0] = true;
        let mut todo = vec![0];
        while let Some(from) = todo.pop() {
            let of = &shape.blocks[from];
            let is_skipped = is_out(from) && of.merge.is_some();
            let ways: Vec<usize> = match (of.merge, chosen(from)) {
                (Some(merge), _) if is_skipped => vec![merge.behind],
                (_, Some(chosen)) if chosen < of.successors.len() => vec![of.successors[chosen]],
                _ => of.successors.clone(),
            };
            let ends: Vec<(usize, usize)> = ways.iter().map(|&to| detours.end(from, to)).collect();
            flow.exits[from] = exit(&of.successors, &ends);
            flow.states[from] = match detours.is_emptied[from] {
                true => State::Empty,
                false => State::Kept,
            };
            flow.merges[from] = of.merge.filter(|_| !is_skipped);
            for (to, via) in ends {
                if vias[to].iter().all(|entry| entry.from != from) {
                    vias[to].push(Entry { from, via });
                }
                if !is_reached[to] {
                    is_reached[to] = true;
                    todo.push(to);
                }
            }
        }
        flow.entries = vias;
        let mut successors = vec![vec![]; count];
        for (to, entries) in flow.entries.iter().enumerate() {
            for entry in entries {
                successors[entry.from].push(to);
            }
        }
        flow.dominators = Dominators::new(&successors);
        let broken = settle(&mut flow, shape, &successors);
        (flow, successors, broken)
    }
}

/// Returns the way in which a block ends whose successors lead to the given blocks.
fn exit(before: &[usize], ends: &[(usize, usize)]) -> Exit {
    let targets = || ends.iter().map(|&(to, _)| to);
    if before.iter().copied().eq(targets()) {
        return Exit::Same;
    }
    match targets().next() {
        Some(first) if targets().all(|to| to == first) => Exit::Jump(first),
        _ => Exit::Other(targets().map(Some).collect()),
    }
}

/// The ways around blocks that are taken out.
struct Detours {
    /// The block that follows a removed one.
    next: Vec<Option<usize>>,
    /// The blocks that lose only their instructions.
    is_emptied: Vec<bool>,
}

impl Detours {
    /// A loop without the block where it continues runs once. A block where branches meet only
    /// loses its instructions, and so does one that nothing follows.
    fn new(shape: &Shape, is_out: impl Fn(usize) -> bool) -> Self {
        let count = shape.blocks.len();
        let mut detours = Detours {
            next: vec![None; count],
            is_emptied: vec![false; count],
        };
        for (block, of) in shape.blocks.iter().enumerate() {
            if !is_out(block) || of.merge.is_some() {
                continue;
            }
            let behind = of.continues.filter(|&header| header != block);
            let behind = behind.and_then(|header| Some(shape.blocks[header].merge?.behind));
            let is_plain = matches!(of.op, Some(Op::Jump | Op::Branch)) && !of.is_meeting;
            detours.next[block] = match behind {
                Some(behind) => Some(behind),
                None => of.successors.first().copied().filter(|_| is_plain),
            };
            detours.is_emptied[block] = detours.next[block].is_none();
        }
        detours
    }

    /// Returns where an edge ends, and the last block on it.
    fn end(&self, from: usize, to: usize) -> (usize, usize) {
        let (mut via, mut at) = (from, to);
        for _ in 0..self.next.len() {
            match self.next[at] {
                Some(next) => (via, at) = (at, next),
                None => break,
            }
        }
        (at, via)
    }
}
