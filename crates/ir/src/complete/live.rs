use super::body::Body;
use super::flow::Flow;
use crate::module::{Definition, Op, Target};
use crate::{Set, Substitute};
use rustc_hash::FxHashSet;

impl Body<'_, '_> {
    /// Removes stores to removed values, statements about removed values, and instructions that
    /// only removed instructions needed.
    pub(super) fn remove_unneeded(&mut self) {
        let module = self.all.module;
        let change = self.all.change;
        let instructions = self.instructions();
        let (before, _) = self.live(&Before);
        for at in instructions.clone() {
            let instruction = &module.instructions[at as usize];
            let is_unreachable = !self.flow.is_kept[self.local(instruction.block)];
            let is_stated =
                change.instructions.contains(at) && !self.stays_in_its_block(instruction.op);
            let is_replaced = instruction
                .result
                .is_some_and(|value| change.values.contains_key(&value));
            if is_unreachable
                || is_stated
                || is_replaced && !self.stays_in_its_block(instruction.op)
            {
                self.all.removed.insert(at);
            }
        }
        for at in instructions.clone() {
            let op = module.instructions[at as usize].op;
            if op == Op::Store && self.place(at).is_some_and(|value| self.is_gone(value)) {
                self.all.removed.insert(at);
            }
        }
        let (after, phis) = self.live(&After::new(self, &before));
        self.keep_placed(&phis);
        for at in instructions {
            let instruction = &module.instructions[at as usize];
            let is_unneeded = matches!(instruction.op, Op::Pure | Op::Phi)
                && before.contains(at)
                && !after.contains(at);
            let is_about_nothing = instruction.op == Op::Debug
                && self
                    .values_of(at)
                    .any(|value| self.is_gone(value) && !change.values.contains_key(&value));
            if is_unneeded || is_about_nothing {
                self.all.removed.insert(at);
            }
        }
        // Debug statements about removed values are removed as well.
        for at in self.instructions() {
            let is_debug = module.instructions[at as usize].op == Op::Debug;
            if is_debug && self.values_of(at).any(|value| self.is_removed(value)) {
                self.all.removed.insert(at);
            }
        }
    }

    /// Returns whether a block needs an instruction of this kind.
    fn stays_in_its_block(&self, op: Op) -> bool {
        op.is_terminator() || op == Op::Pad
    }

    /// Returns the values that an instruction uses.
    fn values_of(&self, at: u32) -> impl Iterator<Item = u32> + '_ {
        let uses = self.all.module.instructions[at as usize].uses.clone();
        uses.filter_map(|at| match self.all.module.uses[at as usize].target {
            Target::Value(value) => Some(value),
            Target::Symbol(_) => None,
        })
    }

    /// Returns the value that is the place of a store.
    fn place(&self, at: u32) -> Option<u32> {
        let module = self.all.module;
        let instruction = &module.instructions[at as usize];
        let words = instruction
            .words
            .clone()
            .map(|word| &module.words[word as usize].span);
        let end = words
            .map(|span| span.start)
            .min()
            .unwrap_or(instruction.core.end);
        let mut uses = instruction.uses.clone().rev();
        let last = uses.find(|&at| module.uses[at as usize].span.start < end)?;
        match module.uses[last as usize].target {
            Target::Value(value) if !self.all.change.operands.contains_key(&last) => Some(value),
            _ => None,
        }
    }

    /// Returns whether the definition of a value is removed.
    fn is_removed(&self, value: u32) -> bool {
        match self.all.module.values[value as usize].definition {
            Definition::Instruction(at) => self.all.removed.contains(at),
            _ => false,
        }
    }

    /// Returns whether a value is removed and nothing takes its place.
    fn is_gone(&self, value: u32) -> bool {
        self.is_removed(value) && !self.all.change.values.contains_key(&value)
    }

    /// Returns the instructions that stay in any case or that such instructions need, and the new
    /// phis that these instructions need. Those with effects stay in any case.
    fn live(&self, state: &dyn State) -> (Set, Vec<bool>) {
        let module = self.all.module;
        let mut live = Set::new(module.instructions.len());
        let mut phis = vec![false; self.placed.len()];
        let mut todo = vec![];
        for at in self.instructions() {
            let op = module.instructions[at as usize].op;
            let is_root = match op {
                Op::Debug => false,
                Op::Pure | Op::Phi => state.keeps(at),
                _ => true,
            };
            if is_root && state.has(self, at) && live.insert(at) {
                todo.push(at);
            }
        }
        let mut values: Vec<u32> = state.roots(self);
        loop {
            while let Some(value) = values.pop() {
                if let Some(phi) = self.placed(value) {
                    if !std::mem::replace(&mut phis[phi], true) {
                        values.extend(self.values_of_placed(phi));
                    }
                } else if let Definition::Instruction(of) = module.values[value as usize].definition
                    && state.has(self, of)
                    && live.insert(of)
                {
                    todo.push(of);
                }
            }
            let Some(at) = todo.pop() else {
                break;
            };
            for nth in module.instructions[at as usize].uses.clone() {
                if let Target::Value(value) = module.uses[nth as usize].target {
                    values.extend(state.used(self, at, nth, value));
                }
            }
            if module.instructions[at as usize].op == Op::Phi {
                values.extend(state.selected(self, at));
            }
        }
        (live, phis)
    }
}

/// The state of a body in which uses are followed.
trait State {
    /// Returns whether an instruction is there.
    fn has(&self, body: &Body<'_, '_>, at: u32) -> bool;

    /// Returns whether an instruction without effects is kept if nothing needs it.
    fn keeps(&self, _: u32) -> bool {
        false
    }

    /// Returns the values that are needed in any case.
    fn roots(&self, _: &Body<'_, '_>) -> Vec<u32> {
        vec![]
    }

    /// Returns the new selections that a phi needs.
    fn selected(&self, _: &Body<'_, '_>, _: u32) -> Vec<u32> {
        vec![]
    }

    /// Returns the value that a use is of, if it is there.
    fn used(&self, body: &Body<'_, '_>, at: u32, nth: u32, value: u32) -> Option<u32>;
}

/// The body as it was.
struct Before;

impl State for Before {
    fn has(&self, _: &Body<'_, '_>, _: u32) -> bool {
        true
    }

    fn used(&self, _: &Body<'_, '_>, _: u32, _: u32, value: u32) -> Option<u32> {
        Some(value)
    }
}

/// The body after the change, as far as it is known.
struct After<'s> {
    /// The instructions that were needed before the change. The others stay if the change does not
    /// remove them.
    before: &'s Set,
    /// The edges, each as the block to which it leads and the number that identifies it.
    edges: FxHashSet<(usize, usize)>,
}

impl<'s> After<'s> {
    fn new(body: &Body<'_, '_>, before: &'s Set) -> Self {
        let entries = body.flow.entries.iter().enumerate();
        let edges = entries.flat_map(|(to, all)| all.iter().map(move |entry| (to, entry.via)));
        After {
            before,
            edges: edges.collect(),
        }
    }
}

impl State for After<'_> {
    fn has(&self, body: &Body<'_, '_>, at: u32) -> bool {
        !body.all.removed.contains(at)
    }

    fn keeps(&self, at: u32) -> bool {
        !self.before.contains(at)
    }

    fn roots(&self, body: &Body<'_, '_>) -> Vec<u32> {
        let returned = body.returned.as_ref();
        let mut values = body.turned_conditions();
        values.extend(returned.and_then(|of| body.resolved(of.value)));
        values
    }

    fn selected(&self, body: &Body<'_, '_>, at: u32) -> Vec<u32> {
        body.selected_by(at)
    }

    fn used(&self, body: &Body<'_, '_>, at: u32, nth: u32, value: u32) -> Option<u32> {
        let module = body.all.module;
        let instruction = &module.instructions[at as usize];
        match body.all.change.operands.get(&nth) {
            Some(Substitute::Constant(_) | Substitute::Item(_) | Substitute::Parameter) => {
                return None;
            }
            Some(Substitute::Value(other)) => return body.resolved(*other),
            None => {}
        }
        let flow: &Flow = &body.flow;
        let block = body.local(instruction.block);
        if instruction.op == Op::Phi {
            // In a phi, the value comes before its block.
            let next = nth + 1;
            let of_block = module
                .uses
                .get(next as usize)
                .filter(|_| next < instruction.uses.end);
            let via = of_block.and_then(|used| body.block_of(used.target));
            if via.is_some_and(|via| !self.edges.contains(&(block, via))) {
                return None;
            }
        }
        use super::flow::Exit::{Jump, Return, Turned};
        if instruction.op.is_terminator()
            && matches!(flow.exits[block], Jump(_) | Return | Turned { .. })
            || instruction.op == Op::Return && (body.is_void || body.returned.is_some())
        {
            return None;
        }
        match body.last_values.get(&nth) {
            Some(last) => body.resolved_incoming(last),
            None => body.resolved(value),
        }
    }
}
