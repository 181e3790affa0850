use crate::dominators::Dominators;
use crate::mlir::Facts;
use crate::module::{Definition, Module, Op};
use crate::{Change, Set};
use rustc_hash::FxHashMap;

/// The blocks after a change.
#[derive(Debug, Default)]
pub(super) struct Flow {
    gone: Set,
    /// For each removed block, the block that replaces it.
    redirected: FxHashMap<u32, u32>,
    /// The dominators of the regions in which blocks are removed, with their first block.
    dominators: FxHashMap<u32, Dominators>,
    /// Terminators that lead to a single block after the change.
    jumps: Set,
}

impl Flow {
    pub(super) fn new(module: &Module, facts: &Facts, change: &Change) -> Self {
        let mut flow = Flow::default();
        if change.blocks.is_empty() && change.edges.is_empty() {
            return flow;
        }
        for &at in change.edges.keys() {
            let Some(operation) = facts.operations.get(at as usize) else {
                continue;
            };
            let is_fit = matches!(module.instructions[at as usize].op, Op::Branch | Op::Switch)
                && !operation.is_generic
                && (change.edges[&at] as usize) < operation.successors.len();
            if is_fit {
                flow.jumps.insert(at);
            }
        }
        let mut regions: Vec<u32> = change
            .blocks
            .iter()
            .filter_map(|block| facts.block_regions.get(block as usize).copied())
            .collect();
        regions.extend(
            flow.jumps
                .iter()
                .map(|at| facts.block_regions[module.instructions[at as usize].block as usize]),
        );
        regions.sort_unstable();
        regions.dedup();
        for region in regions {
            flow.region(module, facts, change, region);
        }
        flow
    }

    pub(super) fn is_changed(&self) -> bool {
        !self.gone.is_empty()
    }

    pub(super) fn is_gone(&self, block: u32) -> bool {
        self.gone.contains(block)
    }

    pub(super) fn is_jump(&self, at: u32) -> bool {
        self.jumps.contains(at)
    }

    /// Returns the block that replaces a removed block.
    pub(super) fn redirected(&self, block: u32) -> Option<u32> {
        self.redirected.get(&block).copied()
    }

    /// Returns whether a block of a region dominates another block, after the removal of blocks.
    pub(super) fn dominates(&self, region: u32, first: u32, above: u32, block: u32) -> bool {
        let Some(dominators) = self.dominators.get(&region) else {
            return true;
        };
        dominators.has((above - first) as usize, (block - first) as usize)
    }

    fn region(&mut self, module: &Module, facts: &Facts, change: &Change, region: u32) {
        // Blocks of nested regions have numbers between those of the outer region.
        let range = facts.regions[region as usize].blocks.clone();
        let first = range.start;
        let is_own = |block: &u32| facts.block_regions.get(*block as usize) == Some(&region);
        let blocks: Vec<u32> = range.clone().filter(is_own).collect();
        if blocks.len() < 2 {
            return;
        }
        let mut frozen = Set::default();
        for &block in &blocks {
            let of = &module.blocks[block as usize];
            let last = of
                .instructions
                .end
                .checked_sub(1)
                .filter(|&last| last >= of.instructions.start);
            let Some(operation) = last.and_then(|last| facts.operations.get(last as usize)) else {
                continue;
            };
            if operation
                .successors
                .iter()
                .any(|successor| successor.operands.is_none())
            {
                frozen.extend(facts.successors(module, of));
            }
        }
        let mut next = None;
        for &block in blocks.iter().skip(1).rev() {
            let arguments = facts.arguments[block as usize].values.clone();
            let is_typed = arguments
                .into_iter()
                .all(|value| !facts.types[value as usize].is_empty());
            match next {
                Some(next) if change.blocks.contains(block) && !frozen.contains(block) => {
                    self.redirected.insert(block, next);
                }
                _ if is_typed => next = Some(block),
                _ => {}
            }
        }
        let mut successors = vec![vec![]; (range.end - first) as usize];
        for &block in &blocks {
            let of = &module.blocks[block as usize];
            let last = of.instructions.end.wrapping_sub(1);
            let mut to = facts.successors(module, of);
            if self.jumps.contains(last) && !of.instructions.is_empty() {
                let label =
                    facts.operations[last as usize].successors[change.edges[&last] as usize].label;
                to = match module
                    .values
                    .get(label as usize)
                    .map(|value| value.definition)
                {
                    Some(Definition::Block(block)) => vec![block],
                    _ => to,
                };
            }
            let to = to.into_iter().filter(is_own);
            let to = to.map(|block| self.redirected.get(&block).copied().unwrap_or(block));
            successors[(block - first) as usize] =
                to.map(|block| (block - first) as usize).collect();
        }
        let dominators = Dominators::new(&successors);
        for &block in &blocks {
            if dominators.nearest[(block - first) as usize].is_none() {
                self.gone.insert(block);
            }
        }
        self.dominators.insert(region, dominators);
    }
}
