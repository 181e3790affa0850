//! The completion of a change: the text of the module after it.

mod body;
mod flow;
mod head;
mod incoming;
mod live;
mod mark;
mod operand;
mod parameters;
mod promote;
mod returned;
mod returns;
mod state;
mod statement;
mod straight;
mod turned;

use crate::module::{Definition, Module, Span, Target};
use crate::{Change, ItemKind, Set};
use body::Body;
pub(crate) use flow::successors;
use rustc_hash::FxHashMap;
use state::Completion;
pub use state::Cut;
pub(crate) use turned::Shape;

impl Module {
    /// Returns the text changes that a change requires, including all changes that follow from it,
    /// as sorted, disjoint cuts.
    ///
    /// Cost: linear in the functions that change and in the uses of the module.
    pub fn complete(&self, change: &Change) -> Vec<Cut> {
        let cuts = match (&self.spirv, &self.mlir) {
            (Some(facts), _) => crate::spirv::complete(self, facts, change),
            (_, Some(facts)) => crate::mlir::complete(self, facts, change),
            _ => self.complete_llvm(change),
        };
        disjoint(cuts)
    }

    fn complete_llvm(&self, change: &Change) -> Vec<Cut> {
        let mut completion = Completion {
            module: self,
            change,
            cuts: vec![],
            removed: Set::new(self.instructions.len()),
            called: Set::default(),
            added: FxHashMap::default(),
            kept_uses: vec![],
        };
        completion.run();
        completion.cuts
    }

    /// Returns the text after a change.
    pub fn render(&self, change: &Change) -> Vec<u8> {
        let mut text = Vec::with_capacity(self.text.len());
        let mut at = 0;
        for cut in self.complete(change) {
            text.extend_from_slice(self.bytes(&(at..cut.span.start)));
            text.extend_from_slice(&cut.text);
            at = cut.span.end;
        }
        text.extend_from_slice(self.bytes(&(at..self.text.len() as u32)));
        text
    }

    /// Returns whether the module is binary and all its parts are understood. Deleting other bytes
    /// of such a module does not result in a module.
    pub fn is_whole_binary(&self) -> bool {
        let facts = self.spirv.as_ref();
        facts.is_some_and(|facts| facts.is_whole_binary(self))
    }

    /// Returns the bytes of a span.
    pub fn bytes(&self, span: &Span) -> &[u8] {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    /// Returns the successors of a block, in the order of its terminator.
    pub fn successors(&self, block: u32) -> Vec<u32> {
        let Some(of) = self.blocks.get(block as usize) else {
            return vec![];
        };
        if let Some(facts) = &self.mlir {
            return facts.successors(self, of);
        }
        let number = self
            .functions
            .partition_point(|function| function.blocks.end <= block);
        let Some(function) = self.functions.get(number) else {
            return vec![];
        };
        let all = successors(self, function, of);
        all.into_iter()
            .map(|block| block as u32 + function.blocks.start)
            .collect()
    }

    /// Returns whether the parameters and the result of a function may be removed. Both may be
    /// removed if every use of the function that knows its type is a call by its name.
    pub fn has_free_signature(&self, function: u32) -> bool {
        let of = &self.functions[function as usize];
        let item = &self.items[of.item as usize];
        let parameters = item.parameters.as_ref().map(|span| self.bytes(span));
        let is_variadic = parameters.is_none_or(|text| text.ends_with(b"...)"));
        if is_variadic || item.ty.is_none() && self.mlir.is_none() || item.is_frozen {
            return false;
        }
        self.has_untyped_pointers && self.mlir.is_none() || !item.is_addressed
    }

    /// Returns the function that an instruction calls by its name, and the use of the name.
    pub(crate) fn callee(&self, instruction: u32) -> Option<(u32, u32)> {
        let uses = self.instructions[instruction as usize].uses.clone();
        uses.into_iter().find_map(|nth| {
            let used = &self.uses[nth as usize];
            let Target::Symbol(symbol) = used.target else {
                return None;
            };
            if self.bytes(&used.span).first() != Some(&b'@') {
                return None;
            }
            let is_called = self.text.get(used.span.end as usize) == Some(&b'(');
            is_called.then(|| Some((nth, self.symbols.item(symbol)?)))?
        })
    }
}

/// Sorts cuts. One of an item covers those in it, and the first of two that overlap is kept.
fn disjoint(mut cuts: Vec<Cut>) -> Vec<Cut> {
    cuts.sort_by_key(|cut| (cut.span.start, cut.span.end));
    let mut disjoint: Vec<Cut> = Vec::with_capacity(cuts.len());
    for cut in cuts {
        match disjoint.last_mut() {
            Some(last) if cut.span.start < last.span.end => {
                if cut.span.start == last.span.start && cut.span.end > last.span.end {
                    *last = cut;
                }
            }
            _ => disjoint.push(cut),
        }
    }
    disjoint
}

impl Completion<'_> {
    fn run(&mut self) {
        let module = self.module;
        for (number, function) in module.functions.iter().enumerate() {
            let is_dropped = self.is_without_body(function.item);
            let mut parameters = function.parameters.clone();
            let loses = parameters.any(|value| self.change.parameters.contains(value))
                || self.change.results.contains(number as u32);
            if loses && !is_dropped && module.has_free_signature(number as u32) {
                self.called.insert(function.item);
            }
        }
        self.add_parameters();
        let touched = self.touched();
        for number in touched.iter() {
            let function = &module.functions[number as usize];
            if !self.is_without_body(function.item) {
                Body::new(self, number).complete();
            }
        }
        self.words(&touched);
        self.items();
    }

    /// Returns the functions whose bodies change.
    fn touched(&self) -> Set {
        let module = self.module;
        let mut touched = Set::new(module.functions.len());
        let function_of = |block: u32| {
            module
                .functions
                .partition_point(|function| function.blocks.end <= block) as u32
        };
        let of_instruction = |at: u32| {
            let instruction = module.instructions.get(at as usize)?;
            Some(function_of(instruction.block))
        };
        let of_use = |at: u32| {
            let number = module
                .instructions
                .partition_point(|other| other.uses.end <= at);
            of_instruction(number as u32)
        };
        let of_value = |at: u32| match module.values.get(at as usize)?.definition {
            Definition::Parameter(function) => Some(function),
            Definition::Block(block) => Some(function_of(block)),
            Definition::Instruction(instruction) => of_instruction(instruction),
        };
        let change = self.change;
        let mut all: Vec<u32> = vec![];
        all.extend(change.instructions.iter().filter_map(of_instruction));
        all.extend(change.variables.iter().filter_map(of_instruction));
        all.extend(change.blocks.iter().map(function_of));
        all.extend(change.edges.keys().filter_map(|&at| of_instruction(at)));
        all.extend(change.straight.iter().filter_map(of_instruction));
        all.extend(change.turned.iter().filter_map(of_instruction));
        all.extend(change.operands.keys().filter_map(|&at| of_use(at)));
        all.extend(change.values.keys().filter_map(|&at| of_value(at)));
        all.extend(change.parameters.iter().filter_map(of_value));
        all.extend(change.results.iter().chain(change.merged.iter()));
        all.extend(change.returned.keys());
        // Only calls with changed parameters and uses of removed items need changes.
        if !self.called.is_empty() || !change.items.is_empty() {
            let is_other = |item: u32| self.called.contains(item) || change.items.contains(item);
            for (at, used) in module.uses.iter().enumerate() {
                if let Target::Symbol(symbol) = used.target
                    && module.symbols.item(symbol).is_some_and(is_other)
                {
                    all.extend(of_use(at as u32));
                }
            }
        }
        for function in all
            .into_iter()
            .filter(|&function| (function as usize) < module.functions.len())
        {
            touched.insert(function);
        }
        touched
    }

    /// Returns whether a group of attributes would be empty without a word: an empty group is not
    /// legal.
    fn is_last_attribute(&self, item: u32, word: u32) -> bool {
        let module = self.module;
        let Some(item) = module.items.get(item as usize) else {
            return false;
        };
        if item.kind != ItemKind::Attributes || item.words.end != word + 1 {
            return false;
        }
        let all = item
            .words
            .clone()
            .all(|word| self.change.words.contains(word));
        // An attribute in quotes is not a word.
        let has_text = module.bytes(&item.core).contains(&b'"');
        all && !has_text
    }

    /// Removes words where nothing else changes.
    fn words(&mut self, touched: &Set) {
        let module = self.module;
        let mut touched_items = Set::new(module.items.len());
        for number in touched.iter() {
            touched_items.insert(module.functions[number as usize].item);
        }
        let mut item = 0;
        for word in self.change.words.iter() {
            let Some(span) = module
                .words
                .get(word as usize)
                .map(|word| word.span.clone())
            else {
                continue;
            };
            while module
                .items
                .get(item)
                .is_some_and(|item| item.span.end <= span.start)
            {
                item += 1;
            }
            let is_last = self.is_last_attribute(item as u32, word);
            if !touched_items.contains(item as u32) && !is_last {
                self.cuts.push(Cut { span, text: vec![] });
            }
        }
    }
}
