use super::flow::Flow;
use super::state::Completion;
use crate::module::Definition;

/// The value that a function returns after a change.
pub(super) struct Returned {
    pub(super) value: u32,
    /// The blocks at whose end the value is defined.
    pub(super) is_defined: Vec<bool>,
}

impl Returned {
    /// Returns the value that a function returns after a change, if the function can return it.
    pub(super) fn new(all: &Completion<'_>, number: u32, flow: &Flow) -> Option<Self> {
        let value = *all.change.returned.get(&number)?;
        let module = all.module;
        let function = &module.functions[number as usize];
        if module.keeps_result(number) || !module.can_return(number, value) {
            return None;
        }
        let count = function.blocks.len();
        let is_defined = match module.values[value as usize].definition {
            Definition::Instruction(at) => {
                let block = module.instructions[at as usize].block;
                let block = (block - function.blocks.start) as usize;
                let dominators = flow.dominators();
                (0..count)
                    .map(|other| dominators.has(block, other))
                    .collect()
            }
            _ => vec![true; count],
        };
        Some(Returned { value, is_defined })
    }
}
