use super::flow::Flow;
use super::state::Undefineds;
use crate::complete::Cut;
use crate::mlir::Facts;
use crate::module::{Definition, Module, Op, Target};
use crate::{Change, Set, Substitute};

/// A change that is being completed.
pub(super) struct Completion<'a> {
    pub(super) module: &'a Module,
    pub(super) facts: &'a Facts,
    pub(super) change: &'a Change,
    pub(super) flow: Flow,
    /// The functions whose body is removed.
    pub(super) dropped: Set,
    /// The removed operations, including operations within them.
    pub(super) removed: Set,
    /// The parameters of functions and arguments of blocks that are removed.
    pub(super) parameters: Set,
    pub(super) undefined: Undefineds,
    pub(super) cuts: Vec<Cut>,
}

/// The value to which a use refers after a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resolved {
    Same,
    Other(u32),
    Undefined,
}

impl<'a> Completion<'a> {
    pub(super) fn new(module: &'a Module, facts: &'a Facts, change: &'a Change) -> Self {
        Completion {
            module,
            facts,
            change,
            flow: Flow::new(module, facts, change),
            dropped: Set::new(module.functions.len()),
            removed: Set::new(module.instructions.len()),
            parameters: Set::default(),
            undefined: Undefineds::new(facts.next_number),
            cuts: vec![],
        }
    }

    pub(super) fn run(mut self) -> Vec<Cut> {
        for (number, function) in (0..).zip(&self.module.functions) {
            let item = function.item;
            if self.change.bodies.contains(item) || self.change.items.contains(item) {
                self.dropped.insert(number);
            }
        }
        self.parameters = self.free_parameters();
        self.remove();
        self.remove_unneeded();
        self.write();
        self.items();
        self.insert_undefined();
        self.cuts
    }

    /// Marks the operations that the change removes, with those within them.
    fn remove(&mut self) {
        let (module, change) = (self.module, self.change);
        for (at, instruction) in (0..).zip(&module.instructions) {
            let is_value = |value| change.values.contains_key(&value);
            let names_removed = || {
                instruction
                    .uses
                    .clone()
                    .any(|nth| match module.uses[nth as usize].target {
                        Target::Symbol(symbol) => {
                            let item = module.symbols.item(symbol);
                            item.is_some_and(|item| change.items.contains(item))
                        }
                        Target::Value(_) => false,
                    })
            };
            let is_removed = self.flow.is_gone(instruction.block)
                || !instruction.op.is_terminator()
                    && (change.instructions.contains(at)
                        || self.facts.operations[at as usize]
                            .results
                            .clone()
                            .any(is_value)
                        || !change.items.is_empty() && names_removed());
            if is_removed {
                self.remove_all(at);
            }
        }
        // A needed value cannot be replaced with another one if its type is removed.
        for _ in 0..MAX_ROUNDS {
            if !self.keep_needed() {
                break;
            }
        }
    }

    fn remove_all(&mut self, at: u32) {
        self.removed
            .extend(at..self.facts.operations[at as usize].end.max(at + 1));
    }

    /// Keeps the operations whose results are needed and have no known type. Returns whether there
    /// are any.
    fn keep_needed(&mut self) -> bool {
        let mut kept = vec![];
        for (at, instruction) in (0..).zip(&self.module.instructions) {
            if self.removed.contains(at) {
                continue;
            }
            for nth in instruction.uses.clone() {
                let Target::Value(value) = self.module.uses[nth as usize].target else {
                    continue;
                };
                let Some(Definition::Instruction(definition)) = self.definition(value) else {
                    continue;
                };
                let is_gone = self
                    .flow
                    .is_gone(self.module.instructions[definition as usize].block);
                let is_unknown = self.facts.types[value as usize].is_empty();
                let is_same = self.is_shared(definition);
                if self.removed.contains(definition)
                    && !is_gone
                    && (is_unknown || is_same)
                    && self.resolved(value) == Resolved::Undefined
                {
                    kept.push(definition);
                }
            }
        }
        let is_any = !kept.is_empty();
        if is_any {
            let mut removed = Set::new(self.module.instructions.len());
            let kept: std::collections::BTreeSet<u32> = kept.into_iter().collect();
            for at in self.removed.iter() {
                if !kept.contains(&at) {
                    removed.insert(at);
                }
            }
            self.removed = removed;
        }
        is_any
    }

    pub(super) fn definition(&self, value: u32) -> Option<Definition> {
        Some(self.module.values.get(value as usize)?.definition)
    }

    /// Returns whether an operation is within a function whose body is removed.
    pub(super) fn is_dropped(&self, at: u32) -> bool {
        self.dropped
            .contains(self.facts.operations[at as usize].function)
    }

    /// Returns whether a value is removed.
    fn is_removed(&self, value: u32) -> bool {
        match self.definition(value) {
            Some(Definition::Instruction(at)) => self.removed.contains(at),
            Some(Definition::Parameter(_)) => self.parameters.contains(value),
            Some(Definition::Block(block)) => {
                self.flow.is_gone(block) || self.parameters.contains(value)
            }
            None => false,
        }
    }

    /// Returns the value that replaces another value.
    pub(super) fn resolved(&self, value: u32) -> Resolved {
        if !self.is_removed(value) {
            return Resolved::Same;
        }
        let mut at = value;
        for _ in 0..MAX_ROUNDS {
            match self.change.values.get(&at) {
                Some(&Substitute::Value(other)) if other as usize >= self.module.values.len() => {
                    break;
                }
                Some(&Substitute::Value(other)) if !self.is_removed(other) => {
                    return Resolved::Other(other);
                }
                Some(&Substitute::Value(other)) => at = other,
                _ => break,
            }
        }
        Resolved::Undefined
    }

    /// Removes the operations without effects whose results were needed and are not any more.
    fn remove_unneeded(&mut self) {
        if self.removed.is_empty()
            && self.change.edges.is_empty()
            && self.parameters.is_empty()
            && self.change.operands.is_empty()
            && !self.flow.is_changed()
        {
            return;
        }
        let module = self.module;
        let count = module.values.len();
        let (mut before, mut after) = (vec![0_u32; count], vec![0_u32; count]);
        for (at, instruction) in (0..).zip(&module.instructions) {
            let is_removed = self.removed.contains(at);
            for nth in instruction.uses.clone() {
                let Target::Value(value) = module.uses[nth as usize].target else {
                    continue;
                };
                if value as usize >= count {
                    continue;
                }
                before[value as usize] += 1;
                if let (false, Some(value)) = (is_removed, self.use_after(at, nth, value)) {
                    after[value as usize] += 1;
                }
            }
        }
        let mut todo: Vec<u32> = (0..module.instructions.len() as u32).rev().collect();
        while let Some(at) = todo.pop() {
            let instruction = &module.instructions[at as usize];
            let operation = &self.facts.operations[at as usize];
            let mut results = operation.results.clone();
            let is_unneeded = instruction.op == Op::Pure
                && !self.removed.contains(at)
                && !results.is_empty()
                && results.clone().all(|value| after[value as usize] == 0)
                && results.any(|value| before[value as usize] > 0);
            if !is_unneeded {
                continue;
            }
            self.removed.insert(at);
            for nth in instruction.uses.clone() {
                if let Target::Value(value) = module.uses[nth as usize].target
                    && (value as usize) < count
                    && let Some(value) = self.use_after(at, nth, value)
                {
                    let left = &mut after[value as usize];
                    *left = left.saturating_sub(1);
                    if let (0, Definition::Instruction(of)) =
                        (*left, module.values[value as usize].definition)
                    {
                        todo.push(of);
                    }
                }
            }
        }
    }

    /// Returns whether a use is the operand for an argument that its block loses.
    fn is_lost(&self, at: u32, nth: u32) -> bool {
        let span = &self.module.uses[nth as usize].span;
        let mut successors = self.facts.operations[at as usize].successors.iter();
        successors.any(|successor| {
            let Some(Definition::Block(block)) = self.definition(successor.label) else {
                return false;
            };
            let values = self.facts.arguments[block as usize].values.clone();
            let operands = successor.operands.iter().flatten();
            let mut lost = values.zip(operands).filter(|(_, operand)| *operand == span);
            lost.any(|(value, _)| self.parameters.contains(value))
        })
    }

    /// Returns the value of a use after the change, if the use is left.
    fn use_after(&self, at: u32, nth: u32, value: u32) -> Option<u32> {
        let operation = &self.facts.operations[at as usize];
        if let Some(&chosen) = self.change.edges.get(&at)
            && self.flow.is_jump(at)
        {
            let span = &self.module.uses[nth as usize].span;
            let kept = operation.successors.get(chosen as usize)?;
            if span.start < kept.span.start || span.end > kept.span.end {
                return None;
            }
        }
        if !self.parameters.is_empty() && self.is_lost(at, nth) {
            return None;
        }
        match self.change.operands.get(&nth) {
            Some(&Substitute::Value(other)) if (other as usize) < self.module.values.len() => {
                return Some(other);
            }
            _ => {}
        }
        match self.resolved(value) {
            Resolved::Same => Some(value),
            Resolved::Other(other) => Some(other),
            Resolved::Undefined => None,
        }
    }
}

/// The maximum number of searches for needed values, and of values that replace each other.
const MAX_ROUNDS: usize = 8;
