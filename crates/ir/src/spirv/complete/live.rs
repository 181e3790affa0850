use super::super::code;
use super::completion::Completion;
use super::flow::{Exit, State};
use super::resolve::Resolved;
use crate::Set;
use crate::module::{Definition, ItemKind, Op, Target};

impl Completion<'_> {
    /// Removes the instructions with a removed operand whose type has no undefined values, such as
    /// pointers and images.
    pub(super) fn remove_undefinable(&mut self) {
        let module = self.module;
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for (at, instruction) in (0..).zip(&module.instructions) {
                let is_fixed = instruction.op.is_terminator() || instruction.op == Op::Merge;
                if is_fixed || self.removed.contains(at) {
                    continue;
                }
                let mut uses = instruction.uses.clone();
                let is_impossible = uses.any(|nth| match self.resolve(nth) {
                    Resolved::Undefined(ty) => !self.facts.can_be_undefined(module, ty),
                    _ => false,
                });
                if is_impossible {
                    self.removed.insert(at);
                    is_changed = true;
                }
            }
        }
    }

    /// Removes the instructions and items that only removed parts needed.
    pub(super) fn remove_unneeded(&mut self) {
        let module = self.module;
        let before = Live::new(self, None).needed;
        let after = Live::new(self, Some(&before)).needed;
        for (at, instruction) in (0..).zip(&module.instructions) {
            let is_unneeded = matches!(instruction.op, Op::Pure | Op::Phi)
                && before.instructions.contains(at)
                && !after.instructions.contains(at);
            if is_unneeded {
                self.removed.insert(at);
            }
        }
        for (at, item) in (0..).zip(&module.items) {
            if can_go(item.kind) && before.items.contains(at) && !after.items.contains(at) {
                self.gone.insert(at);
            }
        }
        for function in &module.functions {
            if self.gone.contains(function.item) {
                self.gone_blocks.extend(function.blocks.clone());
                for block in function.blocks.clone() {
                    let of = &module.blocks[block as usize];
                    self.removed.extend(of.instructions.clone());
                }
            }
        }
        self.remove_places();
    }

    /// Removes the statements about the places of removed instructions.
    fn remove_places(&mut self) {
        let module = self.module;
        for block in &module.blocks {
            let mut is_removed = false;
            for at in block.instructions.clone().rev() {
                match module.instructions[at as usize].op {
                    Op::Debug if is_removed => drop(self.removed.insert(at)),
                    Op::Debug => {}
                    _ => is_removed = self.removed.contains(at),
                }
            }
        }
    }

    /// Returns whether all targets of a statement, such as a decoration, are removed.
    pub(super) fn is_about_nothing(&self, item: u32) -> bool {
        let of = &self.module.items[item as usize];
        if !code::is_statement(self.facts.item_codes[item as usize]) || of.uses.is_empty() {
            return false;
        }
        match self.module.uses[of.uses.start as usize].target {
            Target::Value(value) => match self.module.values[value as usize].definition {
                Definition::Block(block) => self.gone_blocks.contains(block),
                _ => self.is_gone(value),
            },
            Target::Symbol(symbol) => {
                let item = self.module.symbols.item(symbol);
                item.is_some_and(|item| self.gone.contains(item))
            }
        }
    }
}

/// Returns whether an item is removed with its last use.
fn can_go(kind: ItemKind) -> bool {
    use ItemKind::{Constant, Declaration, Function, Global, Metadata, Type};
    matches!(
        kind,
        Constant | Declaration | Function(_) | Global | Metadata | Type
    )
}

/// The search for the instructions and items that are needed.
struct Live<'c, 'a> {
    all: &'c Completion<'a>,
    needed: Needed,
    todo: Vec<Next>,
    /// Whether the change is already made.
    is_after: bool,
}

/// The instructions and items that are needed.
struct Needed {
    items: Set,
    instructions: Set,
    /// The instructions that nothing needed before the change. They are kept, and they need others.
    idle: Set,
}

enum Next {
    Item(u32),
    Instruction(u32),
}

impl<'c, 'a> Live<'c, 'a> {
    /// Finds all needed instructions and items.
    fn new(all: &'c Completion<'a>, before: Option<&Needed>) -> Self {
        let module = all.module;
        let is_after = before.is_some();
        let mut live = Live {
            all,
            needed: Needed {
                items: Set::new(module.items.len()),
                instructions: Set::new(module.instructions.len()),
                idle: Set::default(),
            },
            todo: vec![],
            is_after,
        };
        for (at, item) in (0..).zip(&module.items) {
            let was_needed = before.is_none_or(|before| before.items.contains(at));
            let is_root = !can_go(item.kind) || !was_needed;
            if is_root && !(is_after && (all.gone.contains(at) || all.is_about_nothing(at))) {
                live.item(at);
            }
        }
        if let Some(before) = before {
            before.idle.iter().for_each(|at| live.instruction(at));
        }
        live.follow();
        if before.is_none() {
            let all = 0..module.instructions.len() as u32;
            let found = &live.needed.instructions;
            let idle: Vec<u32> = all.filter(|&at| !found.contains(at)).collect();
            idle.iter().for_each(|&at| live.instruction(at));
            live.needed.idle.extend(idle);
            live.follow();
        }
        live
    }

    fn follow(&mut self) {
        while let Some(next) = self.todo.pop() {
            match next {
                Next::Item(at) => self.follow_item(at),
                Next::Instruction(at) => self.follow_instruction(at),
            }
        }
    }

    fn item(&mut self, at: u32) {
        if !(self.is_after && self.all.gone.contains(at)) && self.needed.items.insert(at) {
            self.todo.push(Next::Item(at));
        }
    }

    fn instruction(&mut self, at: u32) {
        if !(self.is_after && self.all.removed.contains(at)) && self.needed.instructions.insert(at)
        {
            self.todo.push(Next::Instruction(at));
        }
    }

    fn follow_item(&mut self, at: u32) {
        let module = self.all.module;
        let item = &module.items[at as usize];
        let uses = item.uses.clone();
        match item.kind {
            // The variables of an entry point are needed only if an instruction names them.
            ItemKind::EntryPoint => uses.take(1).for_each(|nth| self.used(nth)),
            ItemKind::Function(number) => {
                let blocks = module.functions[number as usize].blocks.clone();
                let all =
                    blocks.flat_map(|block| module.blocks[block as usize].instructions.clone());
                let first = all.clone().next();
                let end = first.map_or(uses.end, |at| module.instructions[at as usize].uses.start);
                (uses.start..end).for_each(|nth| self.used(nth));
                for at in all {
                    if !matches!(module.instructions[at as usize].op, Op::Pure | Op::Phi) {
                        self.instruction(at);
                    }
                }
            }
            _ => {
                let is_statement = code::is_statement(self.all.facts.item_codes[at as usize]);
                uses.skip(usize::from(is_statement))
                    .for_each(|nth| self.used(nth));
            }
        }
    }

    fn follow_instruction(&mut self, at: u32) {
        let all = self.all;
        let instruction = &all.module.instructions[at as usize];
        if !self.is_after {
            return instruction.uses.clone().for_each(|nth| self.used(nth));
        }
        let number = all.function_of(instruction.block);
        let flow = all.flows.get(number).and_then(Option::as_ref);
        let local = (instruction.block - all.module.functions[number].blocks.start) as usize;
        let Some(flow) = flow else {
            return instruction.uses.clone().for_each(|nth| self.used(nth));
        };
        if instruction.op.is_terminator() {
            match flow.exits[local] {
                Exit::Jump(_) | Exit::Unreachable => return,
                Exit::Return => {
                    let head = all.module.items[all.module.functions[number].item as usize]
                        .uses
                        .start;
                    return self.undefined(all.symbol_of(head));
                }
                Exit::Same | Exit::Other(_) => {}
            }
        }
        if instruction.op == Op::Phi && flow.states[local] != State::Stub {
            instruction
                .uses
                .clone()
                .take(1)
                .for_each(|nth| self.used(nth));
            let pairs = all.pairs(at);
            for entry in &flow.entries[local] {
                match pairs.iter().find(|pair| pair.1 == entry.via) {
                    Some(pair) => self.used(pair.0),
                    None => {
                        let ty = instruction.uses.clone().next();
                        self.undefined(ty.and_then(|nth| all.symbol_of(nth)));
                    }
                }
            }
            return;
        }
        instruction.uses.clone().for_each(|nth| self.used(nth));
    }

    fn undefined(&mut self, ty: Option<u32>) {
        let Some(ty) = ty else { return };
        let found = self.all.found_undefined.get(&ty).copied().unwrap_or(ty);
        if let Some(item) = self.all.module.symbols.item(found) {
            self.item(item);
        }
    }

    fn used(&mut self, nth: u32) {
        let module = self.all.module;
        let resolved = match (self.is_after, module.uses[nth as usize].target) {
            (true, _) => self.all.resolve(nth),
            (false, Target::Value(value)) => Resolved::Value(value),
            (false, Target::Symbol(symbol)) => Resolved::Symbol(symbol),
        };
        match resolved {
            Resolved::Value(value) => {
                if let Definition::Instruction(at) = module.values[value as usize].definition {
                    self.instruction(at);
                }
            }
            Resolved::Symbol(symbol) => {
                if let Some(item) = module.symbols.item(symbol) {
                    self.item(item);
                }
            }
            Resolved::Undefined(ty) => self.undefined(ty),
        }
    }
}
