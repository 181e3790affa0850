use super::super::code;
use super::super::facts::Facts;
use super::flow::{Flow, State};
use super::shape::Shape;
use crate::module::{Definition, ItemKind, Module, Op, Target};
use crate::{Change, Cut, Set};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Returns the module after a change, with all changes that follow from it, as cuts in any order.
///
/// Cost: linear in the module, and in its blocks for each loop around them.
pub(crate) fn complete(module: &Module, facts: &Facts, change: &Change) -> Vec<Cut> {
    let mut completion = Completion {
        module,
        facts,
        change,
        gone: Set::new(module.items.len()),
        removed: Set::new(module.instructions.len()),
        gone_blocks: Set::new(module.blocks.len()),
        flows: vec![],
        broken: FxHashSet::default(),
        phis: FxHashMap::default(),
        undefined: BTreeMap::new(),
        found_undefined: FxHashMap::default(),
        cuts: vec![],
    };
    completion.run();
    completion.cuts
}

/// A change that is being completed.
pub(super) struct Completion<'a> {
    pub(super) module: &'a Module,
    pub(super) facts: &'a Facts,
    pub(super) change: &'a Change,
    /// The items that are removed.
    pub(super) gone: Set,
    /// The instructions that are removed for any reason.
    pub(super) removed: Set,
    pub(super) gone_blocks: Set,
    /// The edges of functions whose edges change.
    pub(super) flows: Vec<Option<Flow>>,
    /// The uses that the definition of their value no longer dominates.
    pub(super) broken: FxHashSet<u32>,
    /// The values of phis in joined blocks, by the remaining use of each phi.
    pub(super) phis: FxHashMap<u32, Option<u32>>,
    /// The new undefined values, by the symbols of their types.
    pub(super) undefined: BTreeMap<u32, Vec<u8>>,
    /// The undefined values that the module already has, by the symbols of their types.
    pub(super) found_undefined: FxHashMap<u32, u32>,
    pub(super) cuts: Vec<Cut>,
}

impl Completion<'_> {
    fn run(&mut self) {
        let module = self.module;
        self.remove_items();
        for number in 0..module.functions.len() {
            let flow = self.flow(number as u32);
            self.remove_blocks(number as u32, flow.as_ref());
            self.flows.push(flow);
        }
        self.remove_stated();
        self.remove_undefinable();
        self.remove_unneeded();
        self.write();
    }

    /// Removes the items that the change states. A function where the program begins keeps a body.
    fn remove_items(&mut self) {
        let module = self.module;
        let number = module.items.len() as u32;
        let is_item = |item: &u32| *item < number;
        self.gone.extend(self.change.items.iter().filter(is_item));
        for item in self.change.bodies.iter().filter(is_item) {
            let is_function = matches!(module.items[item as usize].kind, ItemKind::Function(_));
            if is_function && !self.facts.entries.contains(item) {
                self.gone.insert(item);
            }
        }
        for (at, item) in (0..).zip(&module.items) {
            if self.facts.item_codes[at as usize] == code::UNDEF
                && !self.gone.contains(at)
                && let (Some(ty), Some(name)) = (&item.ty, item.name)
                && let Some(ty) = module.symbols.find(module.bytes(ty))
            {
                self.found_undefined.entry(ty).or_insert(name);
            }
        }
    }

    /// Computes the edges of a function, if they change.
    fn flow(&self, number: u32) -> Option<Flow> {
        let (module, change) = (self.module, self.change);
        let function = &module.functions[number as usize];
        if self.gone.contains(function.item) || function.blocks.is_empty() {
            return None;
        }
        if change.bodies.contains(function.item) {
            return Some(Flow::stripped(function.blocks.len()));
        }
        let last = |block: usize| {
            let block = function.blocks.start as usize + block;
            module.blocks[block].instructions.end.saturating_sub(1)
        };
        let mut blocks = 0..function.blocks.len();
        let has_edges = !change.edges.is_empty()
            && blocks
                .clone()
                .any(|block| change.edges.contains_key(&last(block)));
        let has_blocks = !change.blocks.is_empty()
            && blocks.any(|block| change.blocks.contains(function.blocks.start + block as u32));
        let is_merged = change.merged.contains(number);
        if function.is_rigid || !(has_edges || has_blocks || is_merged) {
            return None;
        }
        let shape = Shape::new(module, self.facts, function);
        Some(Flow::new(&shape, function, last, change, is_merged))
    }

    /// Removes the instructions of removed blocks, and notes the uses that are broken by it.
    fn remove_blocks(&mut self, number: u32, flow: Option<&Flow>) {
        let module = self.module;
        let function = &module.functions[number as usize];
        let is_gone = self.gone.contains(function.item);
        for (local, block) in function.blocks.clone().enumerate() {
            let instructions = module.blocks[block as usize].instructions.clone();
            let state = match flow {
                _ if is_gone => State::Gone,
                Some(flow) => flow.states[local],
                None => State::Kept,
            };
            if state == State::Gone {
                self.removed.extend(instructions);
                self.gone_blocks.insert(block);
                continue;
            }
            let Some(flow) = flow else { continue };
            if flow.joined_to[local].is_some() {
                self.gone_blocks.insert(block);
                self.join_phis(block, flow, local);
            }
            for at in instructions {
                let op = module.instructions[at as usize].op;
                let merge = flow.merges[local].filter(|merge| merge.at == at);
                let stays = match op {
                    Op::Merge => state != State::Stub && merge.is_some(),
                    Op::Phi => state != State::Stub,
                    _ => state == State::Kept || op.is_terminator(),
                };
                if !stays {
                    self.removed.insert(at);
                }
            }
        }
        if let Some(flow) = flow {
            self.find_broken(number, flow);
        }
    }

    /// Notes the values of the phis in a block that is joined to another one.
    fn join_phis(&mut self, block: u32, flow: &Flow, local: usize) {
        let module = self.module;
        let via = flow.entries[local].first().map(|entry| entry.via);
        for at in module.blocks[block as usize].instructions.clone() {
            let instruction = &module.instructions[at as usize];
            if let (Op::Phi, Some(result)) = (instruction.op, instruction.result) {
                let pairs = self.pairs(at);
                let of = pairs.into_iter().find(|pair| Some(pair.1) == via);
                self.phis.insert(result, of.map(|pair| pair.0));
                self.removed.insert(at);
            }
        }
    }

    /// Returns the uses that are values of a phi, each with its block in the function.
    pub(super) fn pairs(&self, at: u32) -> Vec<(u32, usize)> {
        let module = self.module;
        let instruction = &module.instructions[at as usize];
        let uses: Vec<u32> = instruction.uses.clone().skip(1).collect();
        let pairs = uses.chunks_exact(2).filter_map(|pair| {
            let Target::Value(value) = module.uses[pair[1] as usize].target else {
                return None;
            };
            let Definition::Block(block) = module.values[value as usize].definition else {
                return None;
            };
            Some((pair[0], self.local(instruction.block, block)?))
        });
        pairs.collect()
    }

    /// Returns the index of a block in the function that has another block.
    pub(super) fn local(&self, inside: u32, block: u32) -> Option<usize> {
        let function = &self.module.functions[self.function_of(inside)];
        let is_there = function.blocks.contains(&block);
        is_there.then(|| (block - function.blocks.start) as usize)
    }

    /// Returns the function that has a block.
    pub(super) fn function_of(&self, block: u32) -> usize {
        let functions = &self.module.functions;
        functions.partition_point(|function| function.blocks.end <= block)
    }

    /// Finds the uses whose values are not defined on every way to them any more.
    fn find_broken(&mut self, number: u32, flow: &Flow) {
        let module = self.module;
        let function = &module.functions[number as usize];
        for (local, block) in function.blocks.clone().enumerate() {
            if !matches!(flow.states[local], State::Kept | State::Empty) {
                continue;
            }
            for at in module.blocks[block as usize].instructions.clone() {
                let instruction = &module.instructions[at as usize];
                let pairs = match instruction.op {
                    Op::Phi => self.pairs(at),
                    _ => vec![],
                };
                for nth in instruction.uses.clone() {
                    let Target::Value(value) = module.uses[nth as usize].target else {
                        continue;
                    };
                    let Definition::Instruction(of) = module.values[value as usize].definition
                    else {
                        continue;
                    };
                    let home = module.instructions[of as usize].block;
                    let Some(home) = self.local(block, home) else {
                        continue;
                    };
                    let pair = pairs.iter().find(|pair| pair.0 == nth);
                    let places = flow.entries[local].iter();
                    let is_fine = match pair {
                        Some((_, via)) => places
                            .filter(|entry| entry.via == *via)
                            .all(|entry| flow.dominators.has(home, entry.from)),
                        None => flow.dominators.has(home, local),
                    };
                    if !is_fine {
                        self.broken.insert(nth);
                    }
                }
            }
        }
    }

    /// Removes the instructions that the change states.
    fn remove_stated(&mut self) {
        let module = self.module;
        let can_go = |at: u32| {
            let instruction = module.instructions.get(at as usize);
            instruction.is_some_and(|of| !of.op.is_terminator() && of.op != Op::Merge)
        };
        let stated = self.change.instructions.iter();
        self.removed.extend(stated.filter(|&at| can_go(at)));
        for &value in self.change.values.keys() {
            if let Some(Definition::Instruction(at)) = module
                .values
                .get(value as usize)
                .map(|value| value.definition)
                && can_go(at)
            {
                self.removed.insert(at);
            }
        }
    }
}
