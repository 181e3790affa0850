use super::flow::{Exit, Flow};
use super::incoming::{Incoming, Placed};
use super::returned::Returned;
use super::state::{Completion, Cut};
use crate::Substitute;
use crate::module::{Definition, Function, Op, Target};
use rustc_hash::FxHashMap;
use std::mem;
use std::ops::Range;

/// The body of a function whose change is being completed.
pub(super) struct Body<'c, 'a> {
    pub(super) all: &'c mut Completion<'a>,
    pub(super) function: &'a Function,
    /// The index of the function in the module.
    pub(super) index: u32,
    pub(super) flow: Flow,
    /// Whether the function returns nothing after the change.
    pub(super) is_void: bool,
    /// The value that the function returns after the change, if it returns another value.
    pub(super) returned: Option<Returned>,
    /// The new numbers of values, if they change.
    pub(super) numbers: FxHashMap<u32, u32>,
    /// The numbers of new parameters, by the values that they replace.
    pub(super) added: FxHashMap<u32, u32>,
    /// The values that replace others: the values of phis in joined blocks, and of loads from
    /// variables that became values.
    pub(super) phis: FxHashMap<u32, Incoming>,
    /// The phis that replace variables, and the selections that replace phis. Their numbers are
    /// above the numbers of all values.
    pub(super) placed: Vec<Placed>,
    /// The new phis of each block, as values.
    pub(super) placed_at: FxHashMap<usize, Vec<u32>>,
    /// The new selections at the end of each block, as values.
    pub(super) selected_at: FxHashMap<usize, Vec<u32>>,
    /// The values of phis for branches whose sides follow each other, by the index of the branch in
    /// the flow.
    pub(super) selected: FxHashMap<(u32, usize), Incoming>,
    /// The uses after loops with a branch at the end, each with its new value.
    pub(super) last_values: FxHashMap<u32, Incoming>,
}

impl<'c, 'a> Body<'c, 'a> {
    pub(super) fn new(all: &'c mut Completion<'a>, index: u32) -> Self {
        let function = &all.module.functions[index as usize];
        let flow = match function.is_rigid || all.module.items[function.item as usize].is_frozen {
            true => Flow::unchanged(function.blocks.len()),
            false => Flow::new(all.module, function, index, all.change),
        };
        let is_void = all.change.results.contains(index) && all.called.contains(function.item);
        let returned = match is_void {
            true => None,
            false => Returned::new(all, index, &flow),
        };
        Body {
            all,
            function,
            index,
            flow,
            is_void,
            returned,
            numbers: FxHashMap::default(),
            added: FxHashMap::default(),
            phis: FxHashMap::default(),
            placed: vec![],
            placed_at: FxHashMap::default(),
            selected_at: FxHashMap::default(),
            selected: FxHashMap::default(),
            last_values: FxHashMap::default(),
        }
    }

    /// Adds the cuts of the body and of the head.
    pub(super) fn complete(mut self) {
        self.place_selections();
        self.leave_with_last_values();
        self.find_phis();
        self.promote();
        self.remove_unneeded();
        let order = self.order();
        self.number(&order);
        if self.flow.joined_to.iter().any(Option::is_some) {
            self.write_all(&order);
        } else {
            self.write();
        }
        self.head();
    }

    pub(super) fn instructions(&self) -> Range<u32> {
        let blocks = &self.all.module.blocks;
        let range = self.function.blocks.clone();
        match (
            blocks.get(range.start as usize),
            blocks.get(range.end.wrapping_sub(1) as usize),
        ) {
            (Some(first), Some(last)) if !range.is_empty() => {
                first.instructions.start..last.instructions.end
            }
            _ => 0..0,
        }
    }

    /// Returns the index of a block in the function.
    pub(super) fn local(&self, block: u32) -> usize {
        (block - self.function.blocks.start) as usize
    }

    /// Returns whether a value belongs to the function.
    pub(super) fn has(&self, value: u32) -> bool {
        if self.placed(value).is_some() {
            return true;
        }
        match self
            .all
            .module
            .values
            .get(value as usize)
            .map(|value| value.definition)
        {
            Some(Definition::Parameter(_)) => self.function.parameters.contains(&value),
            Some(Definition::Block(block)) => self.function.blocks.contains(&block),
            Some(Definition::Instruction(at)) => self.instructions().contains(&at),
            None => false,
        }
    }

    /// Returns the block of the function to which a use refers.
    pub(super) fn block_of(&self, target: Target) -> Option<usize> {
        let Target::Value(value) = target else {
            return None;
        };
        match self.all.module.values[value as usize].definition {
            Definition::Block(block) if self.function.blocks.contains(&block) => {
                Some(self.local(block))
            }
            _ => None,
        }
    }

    /// Finds the values of the phis in blocks that are joined to others, and removes these.
    fn find_phis(&mut self) {
        let module = self.all.module;
        for block in 0..self.flow.joined_to.len() {
            if self.flow.joined_to[block].is_none() {
                continue;
            }
            let [entry] = self.flow.entries[block][..] else {
                continue;
            };
            let of = &module.blocks[self.function.blocks.start as usize + block];
            for at in of.instructions.clone() {
                let instruction = &module.instructions[at as usize];
                let (Op::Phi, Some(result)) = (instruction.op, instruction.result) else {
                    break;
                };
                let value = self.phi_value(at, entry.via);
                // The text may name items, which must be kept.
                self.all.kept_uses.extend(instruction.uses.clone());
                self.phis.insert(result, value);
                self.all.removed.insert(at);
            }
        }
    }

    /// Returns the value that replaces a value, or the value itself if it is not replaced. Returns
    /// `None` if the replacement is undefined or a constant.
    pub(super) fn resolved(&self, value: u32) -> Option<u32> {
        let mut value = value;
        // Values that replace each other in a cycle have no definition, so the number of steps is
        // limited.
        for _ in 0..64 {
            let next = match self.all.change.values.get(&value) {
                Some(Substitute::Value(next)) => *next,
                Some(Substitute::Constant(_) | Substitute::Item(_) | Substitute::Parameter) => {
                    return None;
                }
                None if !self.has(value) => return None,
                None => match self.phis.get(&value) {
                    Some(Incoming::Value(next)) => *next,
                    Some(Incoming::Text(_) | Incoming::Constant(_)) => return None,
                    None => return Some(value),
                },
            };
            value = next;
        }
        None
    }

    /// Returns the blocks that are left, in the order in which they are written.
    fn order(&self) -> Vec<usize> {
        let count = self.flow.is_kept.len();
        let mut next = vec![None; count];
        for (block, from) in self.flow.joined_to.iter().enumerate() {
            if let Some(from) = from {
                next[*from] = Some(block);
            }
        }
        let mut order = vec![];
        for first in 0..count {
            if !self.flow.is_kept[first] || self.flow.joined_to[first].is_some() {
                continue;
            }
            let mut at = Some(first);
            while let Some(block) = at {
                order.push(block);
                at = next[block];
            }
        }
        order
    }

    /// Gives the values that have no names their numbers.
    fn number(&mut self, order: &[usize]) {
        let module = self.all.module;
        let mut next = 0;
        let give = |value: u32, next: &mut u32, numbers: &mut FxHashMap<u32, u32>| {
            if let Some(old) = module.values[value as usize].number {
                if old != *next {
                    numbers.insert(value, *next);
                }
                *next += 1;
            }
        };
        for value in self.function.parameters.clone() {
            if !self.all.loses(self.function.item, value) {
                give(value, &mut next, &mut self.numbers);
            }
        }
        let added = self.all.added.get(&self.function.item);
        for &value in added.into_iter().flatten() {
            self.added.insert(value, next);
            next += 1;
        }
        for &block in order {
            let of = &module.blocks[self.function.blocks.start as usize + block];
            if self.flow.joined_to[block].is_none() {
                give(of.value, &mut next, &mut self.numbers);
            }
            for value in self.placed_in(block) {
                self.numbers.insert(value, next);
                next += 1;
            }
            for at in of.instructions.clone() {
                let instruction = &module.instructions[at as usize];
                if instruction.op.is_terminator() {
                    for value in self.selected_in(block) {
                        self.numbers.insert(value, next);
                        next += 1;
                    }
                }
                if let Some(result) = instruction.result
                    && !self.all.removed.contains(at)
                    && !self.returns_nothing(at)
                {
                    give(result, &mut next, &mut self.numbers);
                }
            }
        }
    }

    /// Returns whether an instruction calls a function that returns nothing after the change.
    pub(super) fn returns_nothing(&self, at: u32) -> bool {
        let all = &self.all;
        let op = all.module.instructions[at as usize].op;
        if all.called.is_empty() || !matches!(op, Op::Call | Op::Invoke) {
            return false;
        }
        all.module.callee(at).is_some_and(|(_, item)| {
            let kept = all.keeps_body(item);
            kept.is_some_and(|function| all.change.results.contains(function))
        })
    }

    /// Adds the cuts of a body whose blocks keep their places.
    fn write(&mut self) {
        let module = self.all.module;
        for block in 0..self.flow.is_kept.len() {
            let of = &module.blocks[self.function.blocks.start as usize + block];
            let is_kept = self.flow.is_kept[block];
            if !is_kept {
                self.all.cuts.push(Cut {
                    span: of.label.clone(),
                    text: vec![],
                });
            } else if let Some(&number) = self.numbers.get(&of.value) {
                let name = module.values[of.value as usize].name.clone();
                if !name.is_empty() {
                    self.all.cuts.push(Cut {
                        span: name,
                        text: number.to_string().into_bytes(),
                    });
                }
            }
            let mut phis = self.placed_lines(block);
            for at in of.instructions.clone() {
                let instruction = &module.instructions[at as usize];
                let is_gone = !is_kept || self.all.removed.contains(at);
                if instruction.op.is_terminator() {
                    phis.extend(self.selection_lines(block));
                }
                let lines = mem::take(&mut phis);
                // The text of an instruction starts after its indentation.
                let lead = match lines.strip_prefix(b"  ") {
                    Some(lines) if !is_gone => [lines, b"  "].concat(),
                    _ => lines,
                };
                let cut = match is_gone {
                    true => Some((instruction.span.clone(), lead)),
                    false => {
                        let text = self.statement(at);
                        let core = &instruction.core;
                        let same = || (!lead.is_empty()).then(|| module.bytes(core).to_vec());
                        let text = text.or_else(same);
                        text.map(|text| (core.clone(), [lead, text].concat()))
                    }
                };
                self.all
                    .cuts
                    .extend(cut.map(|(span, text)| Cut { span, text }));
            }
        }
        // A block without a label could not become the first block. This never happens, since the
        // first block is never removed.
        self.all.cuts.retain(|cut| !cut.span.is_empty());
    }

    /// Writes the body of a function whose blocks are joined.
    fn write_all(&mut self, order: &[usize]) {
        let module = self.all.module;
        let mut text: Vec<u8> = vec![b'\n'];
        for (nth, &block) in order.iter().enumerate() {
            let of = &module.blocks[self.function.blocks.start as usize + block];
            let is_first = nth == 0;
            if self.flow.joined_to[block].is_none() && !(is_first && of.label.is_empty()) {
                text.extend_from_slice(&self.block_name(block)[1..]);
                text.extend_from_slice(b":\n");
            }
            let is_followed = order
                .get(nth + 1)
                .is_some_and(|&next| self.flow.joined_to[next].is_some());
            text.extend_from_slice(&self.placed_lines(block));
            for at in of.instructions.clone() {
                let instruction = &module.instructions[at as usize];
                if instruction.op.is_terminator() {
                    text.extend(self.selection_lines(block));
                }
                let is_joint = is_followed && instruction.op.is_terminator();
                if is_joint || self.all.removed.contains(at) {
                    continue;
                }
                text.extend_from_slice(b"  ");
                match self.statement(at) {
                    Some(new) => text.extend_from_slice(&new),
                    None => text.extend_from_slice(module.bytes(&instruction.core)),
                }
                text.push(b'\n');
            }
        }
        let span = self.function.body.clone();
        self.all.cuts.push(Cut { span, text });
    }

    /// Returns the name of a block in the form that branches use.
    pub(super) fn block_name(&self, block: usize) -> Vec<u8> {
        let mut block = block;
        // Phis name a block by that to which it is joined.
        for _ in 0..self.flow.joined_to.len() {
            match self.flow.joined_to[block] {
                Some(from) => block = from,
                None => break,
            }
        }
        let of = &self.all.module.blocks[self.function.blocks.start as usize + block];
        self.name(of.value)
    }

    /// Returns the name of a value in the form that instructions use.
    pub(super) fn name(&self, value: u32) -> Vec<u8> {
        if let Some(number) = self.numbers.get(&value) {
            return format!("%{number}").into_bytes();
        }
        let Some(of) = self.all.module.values.get(value as usize) else {
            return self.all.change.undefined.text().to_vec();
        };
        if let Some(number) = of.number {
            return format!("%{number}").into_bytes();
        }
        let name = self.all.module.bytes(&of.name);
        match name.first() {
            Some(b'%') => name.to_vec(),
            _ => [b"%", name].concat(),
        }
    }

    /// Returns whether the change writes the terminator of a block.
    pub(super) fn has_new_exit(&self, block: usize) -> bool {
        self.flow.exits[block] != Exit::Same
    }
}
