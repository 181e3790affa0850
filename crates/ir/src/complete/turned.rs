use super::body::Body;
use super::flow::{Exit, Flow, Ways};
use super::incoming::Incoming;
use crate::Change;
use crate::dominators::Dominators;
use crate::llvm::parts;
use crate::module::{Module, Op, Target};
use rustc_hash::FxHashMap;

impl Flow {
    /// Moves the wanted branches at the start of loops to the end of their loops. The branch leaves
    /// the loop, and a single jump leads back to its start.
    pub(super) fn turn(&mut self, ways: &Ways<'_>, is_wanted: impl Fn(usize) -> bool) {
        // An exit of a turned loop leads through more blocks than before, and never through fewer.
        // So a block keeps its dominators.
        let dominators = self.dominators();
        let mut is_inside = vec![false; self.exits.len()];
        for head in 0..self.exits.len() {
            if self.is_kept[head] && is_wanted(head) {
                self.turn_one(ways, &dominators, head, &mut is_inside);
            }
        }
    }

    /// Moves the branch of a block to the end of the loop, if possible. `is_inside` is `false` for
    /// all blocks before and after.
    fn turn_one(
        &mut self,
        ways: &Ways<'_>,
        dominators: &Dominators,
        head: usize,
        is_inside: &mut [bool],
    ) -> Option<()> {
        let targets = self.targets(ways, head)?;
        let mut back = self.entries[head].iter().map(|entry| entry.from);
        let last = back.find(|&from| dominators.has(head, from))?;
        let is_alone = !back.any(|from| dominators.has(head, from));
        if !is_alone || last == head || self.jump(ways, last) != Some(head) {
            return None;
        }
        let blocks = self.loop_blocks(head, last, is_inside);
        let sides = targets.map(|to| is_inside[to]);
        for block in blocks {
            is_inside[block] = false;
        }
        let (body, outside) = match sides {
            [true, false] => (targets[0], targets[1]),
            [false, true] => (targets[1], targets[0]),
            _ => return None,
        };
        self.exits[head] = Exit::Jump(body);
        self.exits[last] = Exit::Turned {
            head,
            targets: targets.map(|to| if to == body { head } else { to }),
        };
        let mut entries = self.entries[outside].iter_mut();
        entries.find(|entry| entry.from == head)?.from = last;
        Some(())
    }

    /// Returns the blocks of a loop, which are those that lead to its last block without passing
    /// its head, and the head. Sets their bits in `is_inside`.
    fn loop_blocks(&self, head: usize, last: usize, is_inside: &mut [bool]) -> Vec<usize> {
        let mut blocks = vec![head, last];
        is_inside[head] = true;
        is_inside[last] = true;
        let mut next = 1;
        while let Some(&block) = blocks.get(next) {
            next += 1;
            for entry in &self.entries[block] {
                if !std::mem::replace(&mut is_inside[entry.from], true) {
                    blocks.push(entry.from);
                }
            }
        }
        blocks
    }

    /// Returns the dominators of the blocks after the change.
    pub(super) fn dominators(&self) -> Dominators {
        let mut successors = vec![vec![]; self.exits.len()];
        for (to, entries) in self.entries.iter().enumerate() {
            for entry in entries {
                successors[entry.from].push(to);
            }
        }
        Dominators::new(&successors)
    }

    /// Returns the blocks that end with a branch from the start of a loop, each with that start.
    pub(super) fn turned(&self) -> impl Iterator<Item = (usize, usize)> {
        let exits = self.exits.iter().enumerate();
        exits.filter_map(|(block, exit)| match exit {
            Exit::Turned { head, .. } => Some((block, *head)),
            _ => None,
        })
    }
}

impl Body<'_, '_> {
    /// Gives uses after a loop with a branch at its end the values of the last iteration. At the
    /// start of the loop, phis had these values.
    pub(super) fn leave_with_last_values(&mut self) {
        let turned: FxHashMap<usize, usize> = self.flow.turned().map(|(at, of)| (of, at)).collect();
        if turned.is_empty() {
            return;
        }
        let dominators = self.flow.dominators();
        let mut left: FxHashMap<u32, Left> = FxHashMap::default();
        // A loop is handled after the loops before it, whose values it may use.
        for &head in &dominators.walk {
            if let Some(&last) = turned.get(&head) {
                self.leave_loop(&dominators, head, last, &mut left);
            }
        }
        let module = self.all.module;
        for at in self.instructions() {
            let instruction = &module.instructions[at as usize];
            let block = self.local(instruction.block);
            for nth in instruction.uses.clone() {
                if let Target::Value(value) = module.uses[nth as usize].target
                    && let Some(of) = left.get(&value)
                    && dominators.has(of.outside, block)
                {
                    if let Incoming::Text(text) = &of.last {
                        self.keep_uses(text);
                    }
                    self.last_values.insert(nth, of.last.clone());
                }
            }
        }
    }

    /// Adds the phis at the start of a loop with a branch at its end, each with its last value, if
    /// only that branch leads to the block after the loop.
    fn leave_loop(
        &self,
        dominators: &Dominators,
        head: usize,
        last: usize,
        left: &mut FxHashMap<u32, Left>,
    ) {
        let Exit::Turned { targets, .. } = self.flow.exits[last] else {
            return;
        };
        let [yes, no] = targets;
        let outside = if yes == head { no } else { yes };
        let mut entries = self.flow.entries[head].iter();
        let entry = entries.find(|entry| entry.from == last);
        let (Some(entry), [_]) = (entry, &self.flow.entries[outside][..]) else {
            return;
        };
        let module = self.all.module;
        let of = &module.blocks[self.function.blocks.start as usize + head];
        for at in of.instructions.clone() {
            let instruction = &module.instructions[at as usize];
            let (Op::Phi, Some(result)) = (instruction.op, instruction.result) else {
                break;
            };
            let mut value = self.phi_value(at, entry.via);
            if let Incoming::Value(other) = value
                && let Some(of) = left.get(&other)
                && dominators.has(of.outside, head)
            {
                value = of.last.clone();
            }
            let last = value;
            left.insert(result, Left { outside, last });
        }
    }

    /// Returns the condition of the branch that ended a block before the change.
    pub(super) fn condition(&self, block: usize) -> Incoming {
        let module = self.all.module;
        let of = &module.blocks[self.function.blocks.start as usize + block];
        let at = of.instructions.end.saturating_sub(1);
        let instruction = &module.instructions[at as usize];
        let tokens = self.tokens(&instruction.core);
        let ty = tokens.iter().position(|of| of.of(&module.text) == b"i1");
        let after_type = ty.map_or(&[][..], |ty| &tokens[ty + 1..]);
        // A constant expression has commas inside brackets.
        let operand = parts(after_type)
            .first()
            .map(|part| &after_type[part.clone()]);
        let Some([first, .., last] | [first @ last]) = operand else {
            return Incoming::UNDEFINED;
        };
        self.incoming_of(at, &(first.start..last.end))
    }

    /// Returns the text of a branch from the start of a loop, instead of the jump back. The notes
    /// about the loop come from the jump.
    pub(super) fn turned_branch(&self, jump: u32, head: usize, targets: [usize; 2]) -> Vec<u8> {
        let module = self.all.module;
        let condition = self.incoming_text(&self.condition(head));
        let [yes, no] = targets.map(|to| self.block_name(to));
        let instruction = &module.instructions[jump as usize];
        let mut text = [
            &b"br i1 "[..],
            &condition,
            b", label ",
            &yes,
            b", label ",
            &no,
        ]
        .concat();
        for word in instruction.words.clone() {
            if !self.all.change.words.contains(word) {
                text.extend_from_slice(module.bytes(&module.words[word as usize].span));
            }
        }
        text
    }

    /// Returns the conditions of branches that were moved to the ends of their loops.
    pub(super) fn turned_conditions(&self) -> Vec<u32> {
        let heads = self.flow.turned().map(|(_, head)| head);
        heads
            .filter_map(|head| self.resolved_incoming(&self.condition(head)))
            .collect()
    }
}

/// The value that a phi at the start of a loop had in the last iteration.
struct Left {
    /// The block after the loop.
    outside: usize,
    last: Incoming,
}

/// The form that a branch can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Both sides are executed.
    Straight,
    /// The branch is at the end of the loop.
    Turned,
}

impl Module {
    /// Returns the branches of a function that can have another form.
    pub(crate) fn branches_of_shape(&self, function: u32, shape: Shape) -> Vec<u32> {
        let of = match self.functions.get(function as usize) {
            Some(of) if self.spirv.is_none() && self.mlir.is_none() && !of.is_rigid => of,
            _ => return vec![],
        };
        if self.items[of.item as usize].is_frozen {
            return vec![];
        }
        let last = |block: u32| self.blocks[block as usize].instructions.end.checked_sub(1);
        let is_branch = |at: &u32| self.instructions[*at as usize].op == Op::Branch;
        let branches = of.blocks.clone().filter_map(last).filter(is_branch);
        let mut change = Change::default();
        match shape {
            Shape::Straight => change.straight.extend(branches),
            Shape::Turned => change.turned.extend(branches),
        }
        let flow = Flow::new(self, of, function, &change);
        let found: Vec<usize> = match shape {
            Shape::Straight => flow.straight_branches().collect(),
            Shape::Turned => flow.turned().map(|(_, head)| head).collect(),
        };
        let found = found.into_iter();
        found
            .filter_map(|block| last(of.blocks.start + block as u32))
            .collect()
    }
}
