//! The values that a function could return.

use crate::module::{Definition, Module, Op, Target};
use rustc_hash::FxHashSet;

impl Module {
    /// Returns whether a function can return another value in place of its result.
    pub(crate) fn can_return(&self, function: u32, value: u32) -> bool {
        let (Some(of), Some(known)) = (
            self.functions.get(function as usize),
            self.values.get(value as usize),
        ) else {
            return false;
        };
        let item = &self.items[of.item as usize];
        let is_of_function = match known.definition {
            Definition::Instruction(at) => {
                let instruction = &self.instructions[at as usize];
                // The result of an `invoke` is not defined at the end of its own block.
                instruction.op != Op::Invoke && of.blocks.contains(&instruction.block)
            }
            Definition::Parameter(of) => of == function,
            Definition::Block(_) => false,
        };
        // A parameter with `sret` receives the result, so the type of the function cannot change.
        let Some(parameters) = &item.parameters else {
            return false;
        };
        let mut words = self.bytes(parameters).windows(5);
        let has_place = words.any(|word| word == b"sret(");
        let is_fit = is_of_function
            && !has_place
            && self.has_untyped_pointers
            && self.mlir.is_none()
            && self.spirv.is_none()
            && !of.is_rigid
            && !item.is_frozen
            && item.ty.is_some();
        is_fit && self.parameter_type(value).is_some()
    }

    /// Returns whether a function must keep the type of its result. The type must be kept if a call
    /// replaces a return, since the types must match, and if the function is a kernel, which
    /// returns no value.
    pub(crate) fn keeps_result(&self, function: u32) -> bool {
        let of = &self.functions[function as usize];
        let item = &self.items[of.item as usize];
        let head = item.core.start..item.name_span.start.max(item.core.start);
        let head = self.bytes(&head).split(u8::is_ascii_whitespace);
        let is_kernel = |word: &[u8]| {
            let is_named = [&b"amdgpu_kernel"[..], b"spir_kernel"].contains(&word);
            is_named || word.starts_with(b"amdgpu_cs_chain")
        };
        let instructions = of.blocks.clone();
        let mut instructions =
            instructions.flat_map(|block| self.blocks[block as usize].instructions.clone());
        let is_tail = |at: u32| {
            let text = self.bytes(&self.instructions[at as usize].core);
            let mut words = text.split(u8::is_ascii_whitespace);
            words.any(|word| word == b"musttail")
        };
        head.into_iter().any(is_kernel) || instructions.any(is_tail)
    }

    /// Returns the values that a function could return in place of executing an instruction, each
    /// with that instruction. The instruction has an effect, or its result is returned and has
    /// another type than the value. The values are results that are operands of the instruction,
    /// and a return must follow.
    ///
    /// Cost: linear in the function, times its returns.
    ///
    /// ```
    /// let text = "define void @f(ptr %0, i32 %1) {\n  %3 = add i32 %1, 1\n  store i32 %3, ptr %0\n  ret void\n}\n";
    /// let module = nubbin_ir::read(text.as_bytes()).unwrap();
    /// let [(store, sum)] = module.returns(0)[..] else { panic!() };
    /// let mut change = nubbin_ir::Change::new(&module);
    /// change.instructions.insert(store);
    /// change.returned.insert(0, sum);
    /// let text = String::from_utf8(module.render(&change)).unwrap();
    /// assert_eq!(text, "define i32 @f(ptr %0, i32 %1) {\n  %3 = add i32 %1, 1\n  ret i32 %3\n}\n");
    /// ```
    pub fn returns(&self, function: u32) -> Vec<(u32, u32)> {
        let Some(of) = self.functions.get(function as usize) else {
            return vec![];
        };
        if self.keeps_result(function) {
            return vec![];
        }
        let start = of.blocks.start;
        let blocks = || of.blocks.clone();
        let dominators = self.dominators(of);
        let instructions = |block: u32| self.blocks[block as usize].instructions.clone();
        let returns: Vec<usize> = blocks()
            .filter(|&block| {
                let last = instructions(block).last();
                last.is_some_and(|last| self.instructions[last as usize].op == Op::Return)
            })
            .map(|block| (block - start) as usize)
            .collect();
        let mut found = vec![];
        let returned = self.returned_values(&returns, start);
        for at in blocks().flat_map(instructions) {
            let instruction = &self.instructions[at as usize];
            let result = instruction.result.filter(|value| returned.contains(value));
            let ty = match (instruction.op, result) {
                (Op::Store | Op::Call | Op::Effect, _) => None,
                (Op::Pure, Some(result)) => match &self.values[result as usize].ty {
                    Some(ty) => Some(ty),
                    // The type of the result may be the type of an operand.
                    None => continue,
                },
                _ => continue,
            };
            let first = found.len();
            for nth in instruction.uses.clone() {
                let Target::Value(value) = self.uses[nth as usize].target else {
                    continue;
                };
                let Definition::Instruction(definition) = self.values[value as usize].definition
                else {
                    continue;
                };
                let block = (self.instructions[definition as usize].block - start) as usize;
                let is_other = ty.is_none_or(|ty| {
                    let other = self.values[value as usize].ty.as_ref();
                    other.is_some_and(|other| self.bytes(other) != self.bytes(ty))
                });
                let is_fit = is_other
                    && self.can_return(function, value)
                    && returns.iter().any(|&other| dominators.has(block, other));
                if is_fit && !found[first..].contains(&(at, value)) {
                    found.push((at, value));
                }
            }
        }
        found
    }

    /// Returns the values that some blocks of a function return.
    fn returned_values(&self, returns: &[usize], start: u32) -> FxHashSet<u32> {
        let last = |&block: &usize| {
            let block = self.blocks.get(start as usize + block)?;
            self.instructions
                .get(block.instructions.end.checked_sub(1)? as usize)
        };
        let uses = returns
            .iter()
            .filter_map(last)
            .flat_map(|of| of.uses.clone());
        let values = uses.filter_map(|nth| match self.uses[nth as usize].target {
            Target::Value(value) => Some(value),
            Target::Symbol(_) => None,
        });
        values.collect()
    }
}
