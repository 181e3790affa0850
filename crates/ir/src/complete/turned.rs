use super::body::Body;
use super::flow::{Exit, Flow, Ways};
use super::incoming::Incoming;
use crate::dominators::Dominators;
use crate::llvm::parts;
use crate::module::{Module, Op, Target};
use crate::{Change, Substitute};
use rustc_hash::FxHashMap;

impl Flow {
    /// Moves the wanted branches at the start of loops to the end of their loops. Such a branch
    /// leaves the loop, and one jump leads back to it.
    pub(super) fn turn(&mut self, ways: &Ways<'_>, is_wanted: impl Fn(usize) -> bool) {
        let mut dominators = self.dominators();
        for head in 0..self.exits.len() {
            let is_wanted = self.is_kept[head] && is_wanted(head);
            if is_wanted && self.turn_one(ways, &dominators, head).is_some() {
                dominators = self.dominators();
            }
        }
    }

    fn turn_one(&mut self, ways: &Ways<'_>, dominators: &Dominators, head: usize) -> Option<()> {
        let targets = self.targets(ways, head)?;
        let mut back = self.entries[head].iter().map(|entry| entry.from);
        let last = back.find(|&from| dominators.has(head, from))?;
        let is_alone = !back.any(|from| dominators.has(head, from));
        if !is_alone || last == head || self.jump(ways, last) != Some(head) {
            return None;
        }
        // A block around the loop may be the other target.
        let inside = targets.map(|to| dominators.has(head, to) && dominators.has(to, last));
        let (body, outside) = match inside {
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
        let turned: Vec<(usize, usize)> = self.flow.turned().collect();
        if turned.is_empty() {
            return;
        }
        let dominators = self.flow.dominators();
        for (last, head) in turned {
            let Exit::Turned { targets, .. } = self.flow.exits[last] else {
                continue;
            };
            let outside = if targets[0] == head {
                targets[1]
            } else {
                targets[0]
            };
            let mut entries = self.flow.entries[head].iter();
            let entry = entries.find(|entry| entry.from == last);
            if let (Some(entry), [_]) = (entry.copied(), &self.flow.entries[outside][..]) {
                let values = self.phis_of(head, entry.via);
                self.replace_from(&dominators, outside, &values);
            }
        }
    }

    /// Returns the phis of a block, each with its value for an edge.
    fn phis_of(&self, block: usize, via: usize) -> FxHashMap<u32, Incoming> {
        let module = self.all.module;
        let of = &module.blocks[self.function.blocks.start as usize + block];
        let phis = of.instructions.clone();
        let phis = phis.take_while(|&at| module.instructions[at as usize].op == Op::Phi);
        let values = phis.filter_map(|at| {
            let result = module.instructions[at as usize].result?;
            Some((result, self.phi_value(at, via)))
        });
        values.collect()
    }

    /// Replaces the uses of values in all blocks to which every path leads through a block.
    fn replace_from(
        &mut self,
        dominators: &Dominators,
        from: usize,
        values: &FxHashMap<u32, Incoming>,
    ) {
        let module = self.all.module;
        for block in 0..self.flow.exits.len() {
            if !dominators.has(from, block) {
                continue;
            }
            let of = &module.blocks[self.function.blocks.start as usize + block];
            let instructions = of.instructions.clone();
            for nth in instructions.flat_map(|at| module.instructions[at as usize].uses.clone()) {
                if let Target::Value(value) = module.uses[nth as usize].target
                    && let Some(incoming) = values.get(&value)
                {
                    if let Incoming::Text(text) = incoming {
                        self.keep_uses(text);
                    }
                    self.last_values.insert(nth, incoming.clone());
                }
            }
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
        // A constant expression has commas in brackets.
        let operand = parts(after_type)
            .first()
            .map(|part| &after_type[part.clone()]);
        let Some([first, .., last] | [first @ last]) = operand else {
            return Incoming::Text(0..0);
        };
        let span = first.start..last.end;
        let mut uses = instruction.uses.clone();
        let alone = uses.find(|&nth| module.uses[nth as usize].span == span);
        match alone.map(|nth| (nth, module.uses[nth as usize].target)) {
            Some((nth, Target::Value(value))) => match self.all.change.operands.get(&nth) {
                None => Incoming::Value(value),
                Some(Substitute::Value(other)) => Incoming::Value(*other),
                Some(_) => Incoming::Text(0..0),
            },
            _ => Incoming::Text(span),
        }
    }

    /// Returns the text of a branch from the start of a loop, in the place of the jump back. The
    /// notes about the loop come from the jump.
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
        let conditions = self
            .flow
            .turned()
            .filter_map(|(_, head)| match self.condition(head) {
                Incoming::Value(value) => self.resolved(value),
                Incoming::Text(_) => None,
            });
        conditions.collect()
    }
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
