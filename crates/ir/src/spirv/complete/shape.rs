use super::super::code;
use super::super::facts::Facts;
use crate::module::{Definition, Function, Module, Op, Target};

/// The blocks of a function before the change, by their index in the function.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) blocks: Vec<BlockShape>,
}

#[derive(Debug)]
pub(super) struct BlockShape {
    pub(super) successors: Vec<usize>,
    pub(super) op: Option<Op>,
    pub(super) merge: Option<Merge>,
    /// The header of the loop that continues at the block.
    pub(super) continues: Option<usize>,
    /// Whether the branches of a header meet at the block.
    pub(super) is_meeting: bool,
}

/// The statement of a header about its construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Merge {
    /// The instruction.
    pub(super) at: u32,
    /// The block after the construct.
    pub(super) behind: usize,
    /// The block that leads back to the header of a loop.
    pub(super) continues: Option<usize>,
}

impl Shape {
    pub(super) fn new(module: &Module, facts: &Facts, function: &Function) -> Self {
        let all = function.blocks.clone();
        let of = |target: Target| match target {
            Target::Value(value) => match module.values[value as usize].definition {
                Definition::Block(block) if all.contains(&block) => {
                    Some((block - all.start) as usize)
                }
                _ => None,
            },
            Target::Symbol(_) => None,
        };
        let targets = |at: u32| {
            let uses = module.instructions[at as usize].uses.clone();
            let uses = uses.map(|nth| module.uses[nth as usize].target);
            uses.filter_map(&of).collect::<Vec<_>>()
        };
        let mut blocks: Vec<BlockShape> = vec![];
        for block in all.clone() {
            let range = module.blocks[block as usize].instructions.clone();
            let last = range.clone().last();
            let op = last.map(|at| module.instructions[at as usize].op);
            let merge = range
                .rev()
                .find(|&at| module.instructions[at as usize].op == Op::Merge);
            let merge = merge.and_then(|at| match (facts.codes[at as usize], &targets(at)[..]) {
                (code::LOOP_MERGE, &[behind, continues]) => Some(Merge {
                    at,
                    behind,
                    continues: Some(continues),
                }),
                (code::SELECTION_MERGE, &[behind]) => Some(Merge {
                    at,
                    behind,
                    continues: None,
                }),
                _ => None,
            });
            blocks.push(BlockShape {
                successors: last.map_or(vec![], targets),
                op,
                merge,
                continues: None,
                is_meeting: false,
            });
        }
        for header in 0..blocks.len() {
            let Some(merge) = blocks[header].merge else {
                continue;
            };
            blocks[merge.behind].is_meeting = true;
            if let Some(continues) = merge.continues {
                blocks[continues].continues = Some(header);
            }
        }
        Shape { blocks }
    }
}
