//! The completion of a change of a module in MLIR: the text of the module after it.

mod calls;
mod completion;
mod flow;
mod items;
mod state;
mod undefined;
mod write;

use super::Facts;
use crate::Change;
use crate::complete::Cut;
use crate::module::{Block, Definition, Module};
use completion::Completion;

/// Returns the text after a change, as cuts.
///
/// Cost: linear in the module.
pub(crate) fn complete(module: &Module, facts: &Facts, change: &Change) -> Vec<Cut> {
    Completion::new(module, facts, change).run()
}

impl Facts {
    /// Returns the successors of a block.
    pub(crate) fn successors(&self, module: &Module, block: &Block) -> Vec<u32> {
        let last = block
            .instructions
            .end
            .checked_sub(1)
            .filter(|&last| last >= block.instructions.start);
        let Some(operation) = last.and_then(|last| self.operations.get(last as usize)) else {
            return vec![];
        };
        let label = |value: u32| match module.values.get(value as usize)?.definition {
            Definition::Block(block) => Some(block),
            _ => None,
        };
        let all = operation
            .successors
            .iter()
            .filter_map(|successor| label(successor.label));
        all.collect()
    }
}
