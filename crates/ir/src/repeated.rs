use crate::module::{Instruction, Module, Op, Target};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The earlier values that could replace results of instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Earlier {
    /// Results, each with the result of an earlier instruction that is equal except for its words.
    pub repeated: Vec<(u32, u32)>,
    /// Results, each with the nearest earlier result of the same type.
    pub of_type: Vec<(u32, u32)>,
}

impl Module {
    /// Returns the results of a function that an earlier result could replace. The earlier result
    /// must be defined at every use of the other one.
    ///
    /// Two loads from one address count as equal, even if there are stores between them. No results
    /// are returned for a function in MLIR, whose regions nest.
    ///
    /// Cost: linear in the function.
    ///
    /// Source of the idea: B. Alpern, M. N. Wegman, F. K. Zadeck, "Detecting Equality of Variables
    /// in Programs", 1988; for the nearest one, `spirv-reduce`, which replaces an operand with a
    /// dominating value.
    ///
    /// ```
    /// let text = "define i32 @f(ptr %0) {\n  %2 = load i32, ptr %0\n  %3 = load i32, ptr %0\n  %4 = add i32 %2, %3\n  ret i32 %4\n}\n";
    /// let module = nubbin_ir::read(text.as_bytes()).unwrap();
    /// let result = |at: usize| module.instructions[at].result.unwrap();
    /// let earlier = module.earlier(0);
    /// assert_eq!(earlier.repeated, [(result(1), result(0))]);
    /// assert_eq!(earlier.of_type, [(result(1), result(0)), (result(2), result(1))]);
    /// ```
    pub fn earlier(&self, function: u32) -> Earlier {
        let mut found = Earlier::default();
        let Some(of) = self.functions.get(function as usize) else {
            return found;
        };
        if self.mlir.is_some() {
            return found;
        }
        let start = of.blocks.start;
        let dominators = self.dominators(of);
        // `first` and `last` have values with the blocks that define them.
        let mut same: FxHashMap<u32, u32> = FxHashMap::default();
        let mut first: FxHashMap<Vec<u8>, (u32, usize)> = FxHashMap::default();
        let mut last: FxHashMap<&[u8], Vec<(u32, usize)>> = FxHashMap::default();
        for &block in &dominators.walk {
            let range = self.blocks[start as usize + block].instructions.clone();
            for instruction in range.map(|at| &self.instructions[at as usize]) {
                let Some(result) = instruction.result else {
                    continue;
                };
                if let Some(key) = self.key(instruction, &same) {
                    match first.entry(key) {
                        Entry::Occupied(entry) if dominators.has(entry.get().1, block) => {
                            same.insert(result, entry.get().0);
                            found.repeated.push((result, entry.get().0));
                        }
                        entry => drop(entry.insert_entry((result, block))),
                    }
                }
                let ty = self.values[result as usize].ty.as_ref();
                let Some(ty) = ty.map(|ty| self.bytes(ty)) else {
                    continue;
                };
                let all = last.entry(ty).or_default();
                while all.pop_if(|top| !dominators.has(top.1, block)).is_some() {}
                let is_fit = !matches!(instruction.op, Op::Phi | Op::Pad | Op::Invoke);
                if let Some(&(nearest, _)) = all.last().filter(|_| is_fit) {
                    found.of_type.push((result, nearest));
                }
                if instruction.op != Op::Invoke {
                    all.push((result, block));
                }
            }
        }
        found
    }

    /// Returns a text that two instructions share if they are the same: without the result and
    /// words, and with the first one of values that are the same. There is none for an instruction
    /// with effects, or without an operand that is a value, as that of a variable.
    fn key(&self, instruction: &Instruction, same: &FxHashMap<u32, u32>) -> Option<Vec<u8>> {
        if instruction.op != Op::Pure {
            return None;
        }
        let name = instruction
            .result
            .map(|value| self.values[value as usize].name.clone());
        let words = instruction.words.clone();
        let words = words.map(|at| self.words[at as usize].span.clone());
        let mut cuts: Vec<_> = name
            .into_iter()
            .chain(words)
            .map(|span| (span, None))
            .collect();
        for used in instruction.uses.clone().map(|nth| &self.uses[nth as usize]) {
            if let Target::Value(value) = used.target {
                let first = same.get(&value).copied().unwrap_or(value);
                cuts.push((used.span.clone(), Some(first)));
            }
        }
        cuts.iter().find(|(_, value)| value.is_some())?;
        cuts.sort_by_key(|(span, _)| span.start);
        let (mut key, mut at) = (vec![], instruction.core.start);
        for (span, value) in cuts {
            if span.start < at {
                continue;
            }
            key.extend_from_slice(self.bytes(&(at..span.start)));
            key.extend(value.into_iter().flat_map(u32::to_le_bytes));
            at = span.end;
        }
        key.extend_from_slice(self.bytes(&(at..instruction.core.end.max(at))));
        Some(key)
    }
}
