use crate::change::Change;
use crate::module::{Block, Definition, Function, Module, Op, Target};
use std::collections::VecDeque;

/// The edges between the blocks of a function after a change. Blocks are identified by their index
/// in the function.
#[derive(Debug)]
pub(super) struct Flow {
    /// For each block, the way in which it ends.
    pub(super) exits: Vec<Exit>,
    /// For each block, whether an edge leads to it.
    pub(super) is_kept: Vec<bool>,
    /// The edges that lead to each block.
    pub(super) entries: Vec<Vec<Entry>>,
    /// For each block, the block to which it is joined.
    pub(super) joined_to: Vec<Option<usize>>,
    /// The branches whose sides follow each other. An inner branch comes before an outer one.
    pub(super) straight: Vec<Straight>,
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
    /// The block ends as before, but with other successors. A successor that is `None` is removed.
    Other(Vec<Option<usize>>),
    /// The block ends with the call that could throw an exception, followed by a jump or a return.
    Call(Option<usize>),
    /// The block ends with the branch of another block, `head`, which is the start of the loop.
    Turned { head: usize, targets: [usize; 2] },
}

/// An edge that leads to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) from: usize,
    /// The last block on the edge before the change, by which phis identify the edge. For a branch
    /// whose sides follow each other, it is the number of blocks plus the index of the branch in
    /// [`Flow::straight`].
    pub(super) via: usize,
}

/// Returns the successors of a block, in the order of its terminator.
pub(crate) fn successors(module: &Module, function: &Function, block: &Block) -> Vec<usize> {
    let range = block.instructions.start as usize..block.instructions.end as usize;
    let Some(last) = module.instructions[range].last() else {
        return vec![];
    };
    let uses = &module.uses[last.uses.start as usize..last.uses.end as usize];
    let blocks = uses.iter().filter_map(|used| match used.target {
        Target::Value(value) => match module.values[value as usize].definition {
            Definition::Block(block) => block.checked_sub(function.blocks.start),
            _ => None,
        },
        Target::Symbol(_) => None,
    });
    blocks
        .map(|block| block as usize)
        .filter(|&block| block < function.blocks.len())
        .collect()
}

/// A branch whose two sides are executed one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Straight {
    /// The block that ended with the branch.
    pub(super) branch: usize,
    /// For each side, the last block on it, by which phis identify the edge.
    pub(super) sides: [usize; 2],
    /// The last block of both sides, at whose end the values are selected.
    pub(super) last: usize,
    /// The block in which the sides meet.
    pub(super) meet: usize,
}

/// The ways out of the blocks of a function before a change.
pub(super) struct Ways<'a> {
    /// For each block, its successors.
    pub(super) successors: &'a [Vec<usize>],
    /// For each block, its terminator.
    pub(super) ops: &'a [Option<Op>],
}

/// Finds the first block that is left behind each removed one.
struct Hops {
    /// The block, and the last removed block before it.
    next: Vec<Option<(usize, usize)>>,
}

impl Hops {
    /// Searches backwards from all blocks that are left, so that the nearest one is found.
    fn new(is_removed: &[bool], successors: &[Vec<usize>], is_invoke: &[bool]) -> Self {
        let mut before: Vec<Vec<usize>> = vec![vec![]; is_removed.len()];
        for (from, all) in successors
            .iter()
            .enumerate()
            .filter(|(from, _)| is_removed[*from])
        {
            // Control flow after an exception continues only at the handler.
            let count = if is_invoke[from] { 1 } else { all.len() };
            for &to in &all[..count.min(all.len())] {
                before[to].push(from);
            }
        }
        let mut next: Vec<Option<(usize, usize)>> = vec![None; is_removed.len()];
        let kept = (0..is_removed.len()).filter(|&block| !is_removed[block]);
        let mut queue: VecDeque<(usize, usize)> = kept.map(|block| (block, block)).collect();
        while let Some((block, target)) = queue.pop_front() {
            for &from in &before[block] {
                if next[from].is_none() {
                    let via = next[block].map_or(from, |(_, via)| via);
                    next[from] = Some((target, via));
                    queue.push_back((from, target));
                }
            }
        }
        Hops { next }
    }
}

impl Flow {
    /// Computes the edges of a function after a change.
    pub(super) fn new(module: &Module, function: &Function, number: u32, change: &Change) -> Self {
        let blocks = &module.blocks[function.blocks.start as usize..function.blocks.end as usize];
        let all: Vec<Vec<usize>> = blocks
            .iter()
            .map(|block| successors(module, function, block))
            .collect();
        let op = |block: &Block| {
            let range = block.instructions.start as usize..block.instructions.end as usize;
            module.instructions[range].last().map(|last| last.op)
        };
        let ops: Vec<Option<Op>> = blocks.iter().map(op).collect();
        let is_invoke: Vec<bool> = ops.iter().map(|&op| op == Some(Op::Invoke)).collect();
        let is_removed: Vec<bool> = (0..blocks.len())
            .map(|block| block > 0 && change.blocks.contains(function.blocks.start + block as u32))
            .collect();
        let hops = match is_removed.contains(&true) {
            true => Some(Hops::new(&is_removed, &all, &is_invoke)),
            false => None,
        };
        let mut flow = Flow {
            exits: vec![Exit::Same; blocks.len()],
            is_kept: vec![false; blocks.len()],
            entries: vec![vec![]; blocks.len()],
            joined_to: vec![None; blocks.len()],
            straight: vec![],
        };
        let mut todo = vec![0];
        if let Some(entry) = flow.is_kept.first_mut() {
            *entry = true;
        } else {
            return flow;
        }
        while let Some(from) = todo.pop() {
            let last = blocks[from].instructions.end.saturating_sub(1);
            let chosen = change.edges.get(&last).map(|&chosen| chosen as usize);
            let lead = |(nth, &to): (usize, &usize)| {
                if chosen.is_some_and(|chosen| chosen != nth) {
                    return None;
                }
                match (is_removed[to], &hops) {
                    (false, _) => Some((to, from)),
                    (true, Some(hops)) if !(is_invoke[from] && nth == 1) => hops.next[to],
                    _ => None,
                }
            };
            let edges: Vec<Option<(usize, usize)>> =
                all[from].iter().enumerate().map(lead).collect();
            let (exit, taken) = exit(ops[from], &all[from], edges);
            flow.exits[from] = exit;
            for (to, via) in taken {
                flow.entries[to].push(Entry { from, via });
                if !flow.is_kept[to] {
                    flow.is_kept[to] = true;
                    todo.push(to);
                }
            }
        }
        let ways = Ways {
            successors: &all,
            ops: &ops,
        };
        let last = |block: usize| blocks[block].instructions.end.saturating_sub(1);
        if !change.straight.is_empty() {
            flow.straighten(&ways, |block| change.straight.contains(last(block)));
        }
        if !change.turned.is_empty() {
            flow.turn(&ways, |block| change.turned.contains(last(block)));
        }
        if change.merged.contains(number) {
            flow.join(&ways);
        }
        flow
    }

    /// Returns the block to which a block jumps.
    pub(super) fn jump(&self, ways: &Ways<'_>, block: usize) -> Option<usize> {
        match (&self.exits[block], &ways.successors[block][..]) {
            (Exit::Jump(to), _) => Some(*to),
            (Exit::Same, [to]) if ways.ops[block] == Some(Op::Jump) => Some(*to),
            _ => None,
        }
    }

    /// Returns the two blocks to which the branch of a block leads, if these are different blocks.
    pub(super) fn targets(&self, ways: &Ways<'_>, block: usize) -> Option<[usize; 2]> {
        if ways.ops[block] != Some(Op::Branch) {
            return None;
        }
        let targets = match (&self.exits[block], &ways.successors[block][..]) {
            (Exit::Same, &[yes, no]) => [yes, no],
            (Exit::Other(targets), _) => match targets[..] {
                [Some(yes), Some(no)] => [yes, no],
                _ => return None,
            },
            _ => return None,
        };
        (targets[0] != targets[1]).then_some(targets)
    }

    /// Returns the unchanged edges of a function whose edges are not understood.
    pub(super) fn unchanged(count: usize) -> Self {
        Flow {
            exits: vec![Exit::Same; count],
            is_kept: vec![true; count],
            entries: vec![vec![]; count],
            joined_to: vec![None; count],
            straight: vec![],
        }
    }

    /// Joins each block that only a jump leads to with the block before it.
    fn join(&mut self, ways: &Ways<'_>) {
        for block in 1..self.exits.len() {
            let [entry] = self.entries[block][..] else {
                continue;
            };
            let from = entry.from;
            let jumps = self.jump(ways, from).is_some();
            if self.is_kept[block] && jumps && from != block {
                self.joined_to[block] = Some(from);
            }
        }
    }
}

/// Returns the way in which a block ends whose successors lead to the given blocks, and its edges.
fn exit(
    op: Option<Op>,
    before: &[usize],
    edges: Vec<Option<(usize, usize)>>,
) -> (Exit, Vec<(usize, usize)>) {
    let targets: Vec<Option<usize>> = edges.iter().map(|edge| edge.map(|(to, _)| to)).collect();
    let taken: Vec<(usize, usize)> = edges.iter().flatten().copied().collect();
    let is_same = before
        .iter()
        .map(|&to| Some(to))
        .eq(targets.iter().copied());
    if is_same {
        return (Exit::Same, taken);
    }
    if op == Some(Op::Invoke) {
        return match targets[..] {
            [Some(_), Some(_)] => (Exit::Other(targets), taken),
            [normal, ..] => {
                let taken = edges.first().copied().flatten();
                (Exit::Call(normal), taken.into_iter().collect())
            }
            [] => (Exit::Same, taken),
        };
    }
    let Some(&(first, _)) = taken.first() else {
        return (Exit::Return, vec![]);
    };
    if taken.iter().all(|&(to, _)| to == first) {
        return (Exit::Jump(first), taken[..1].to_vec());
    }
    let mut targets = targets;
    // A switch needs a default, so the first remaining target replaces a removed default.
    let mut taken = taken;
    if targets[0].is_none() {
        targets[0] = Some(first);
        taken.push(taken[0]);
    }
    (Exit::Other(targets), taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_without_its_default_has_another_one() {
        let edges = vec![None, Some((2, 0)), Some((3, 0))];
        let (found, taken) = exit(Some(Op::Switch), &[1, 2, 3], edges);
        assert_eq!(found, Exit::Other(vec![Some(2), Some(2), Some(3)]));
        assert_eq!(taken, [(2, 0), (3, 0), (2, 0)]);
    }

    #[test]
    fn a_call_without_a_handler_is_a_call() {
        let edges = vec![Some((1, 0)), None];
        assert_eq!(
            exit(Some(Op::Invoke), &[1, 2], edges),
            (Exit::Call(Some(1)), vec![(1, 0)])
        );
    }
}
