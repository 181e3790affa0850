use super::completion::Completion;
use crate::complete::Cut;
use rustc_hash::FxHashMap;

impl Completion<'_> {
    /// Returns the name of a value of a type that is defined wherever a function needs it.
    pub(super) fn undefined(&mut self, function: u32, ty: &[u8]) -> Vec<u8> {
        let operation = self.undefined_operation(function, ty);
        let key = (function, operation);
        if let Some(name) = self.undefined.names.get(&key) {
            return name.clone();
        }
        if let Some(name) = self.shared(function, &key.1) {
            return name;
        }
        let name = format!("%{}", self.undefined.next).into_bytes();
        self.undefined.next = self.undefined.next.wrapping_add(1);
        let text = [&name[..], b" = ", &key.1].concat();
        self.undefined.new.push((function, text));
        self.undefined.names.insert(key, name.clone());
        name
    }

    /// Returns the operation that defines a value of a type.
    fn undefined_operation(&self, function: u32, ty: &[u8]) -> Vec<u8> {
        let item = self
            .module
            .functions
            .get(function as usize)
            .map(|function| function.item);
        let core = item.map(|item| self.module.bytes(&self.module.items[item as usize].core));
        let core = core.unwrap_or_default();
        let core = core.strip_prefix(b"\"").unwrap_or(core);
        let is_number = match ty {
            b"index" => true,
            [b'i' | b'f', digits @ ..] | [b'b', b'f', digits @ ..] => {
                !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
            }
            _ => false,
        };
        if core.starts_with(b"llvm.") || ty.starts_with(b"!llvm.") {
            return [b"llvm.mlir.undef : ", ty].concat();
        }
        if core.starts_with(b"spirv.") {
            return [b"spirv.Undef : ", ty].concat();
        }
        if is_number && self.facts.has_arith {
            let zero: &[u8] = match ty {
                b"i1" => return b"arith.constant false".to_vec(),
                [b'f' | b'b', ..] => b"0.000000e+00",
                _ => b"0",
            };
            return [b"arith.constant ", zero, b" : ", ty].concat();
        }
        [b"builtin.unrealized_conversion_cast to ", ty].concat()
    }

    /// Returns the operations at the beginning of a function that define values of this kind.
    fn leading(&self, function: u32) -> impl Iterator<Item = (u32, &[u8], &[u8])> {
        let of = self.module.functions.get(function as usize);
        let block = of.and_then(|of| self.module.blocks.get(of.blocks.start as usize));
        let range = block.map_or(0..0, |block| block.instructions.clone());
        let all = range.map_while(|at| {
            let text = self
                .module
                .bytes(&self.module.instructions[at as usize].core);
            let equals = text.iter().position(|&byte| byte == b'=')?;
            let (name, operation) = (text[..equals].trim_ascii(), text[equals + 1..].trim_ascii());
            let starts: [&[u8]; 4] = [
                b"llvm.mlir.undef",
                b"spirv.Undef",
                b"arith.constant",
                b"builtin.unrealized_conversion_cast to",
            ];
            starts
                .iter()
                .any(|start| operation.starts_with(start))
                .then_some((at, name, operation))
        });
        all.take(MAX_LEADING)
    }

    /// Returns the value that the beginning of a function defines by an operation.
    fn shared(&self, function: u32, operation: &[u8]) -> Option<Vec<u8>> {
        let mut leading = self.leading(function);
        let found = leading.find(|(at, _, text)| *text == operation && !self.removed.contains(*at));
        found.map(|(_, name, _)| name.to_vec())
    }

    /// Returns whether an operation defines the value that would replace its result.
    pub(super) fn is_shared(&self, at: u32) -> bool {
        let function = self.facts.operations[at as usize].function;
        let of = &self.module.functions.get(function as usize);
        let block = of.map(|of| of.blocks.start);
        if block != Some(self.module.instructions[at as usize].block) {
            return false;
        }
        let Some((_, _, operation)) = self.leading(function).find(|(other, _, _)| *other == at)
        else {
            return false;
        };
        let ty = self.module.instructions[at as usize]
            .result
            .and_then(|value| self.facts.types[value as usize].first().cloned());
        ty.is_some_and(|ty| self.undefined_operation(function, self.module.bytes(&ty)) == operation)
    }

    /// Adds the new operations to the text.
    pub(super) fn insert_undefined(&mut self) {
        let new = std::mem::take(&mut self.undefined.new);
        // Each cut replaces a byte, since an insertion would be merged with an earlier one.
        let mut texts: FxHashMap<u32, Vec<u8>> = FxHashMap::default();
        for (function, operation) in new {
            let Some(at) = self.entry(function) else {
                continue;
            };
            let of = &self.module.functions[function as usize];
            let first = self.module.blocks[of.blocks.start as usize]
                .instructions
                .start;
            let first = &self.module.instructions[first as usize];
            let indent = self.module.bytes(&(first.span.start..first.core.start));
            let byte = self.module.bytes(&(at..at + 1));
            let text = texts.entry(at).or_insert_with(|| match byte {
                b"\n" if !of.is_rigid => vec![],
                _ => byte.to_vec(),
            });
            if of.is_rigid {
                // The function is a single operation, and the byte comes before it.
                text.extend_from_slice(&operation);
                text.push(b'\n');
            } else {
                text.push(b'\n');
                text.extend_from_slice(indent);
                text.extend_from_slice(&operation);
            }
        }
        self.cuts.extend(texts.into_iter().map(|(at, mut text)| {
            if self.module.bytes(&(at..at + 1)) == b"\n" && text.last() != Some(&b'\n') {
                text.push(b'\n');
            }
            Cut {
                span: at..at + 1,
                text,
            }
        }));
    }

    /// Returns the byte before the first operation of a function: the line break after a label,
    /// or the brace.
    fn entry(&self, function: u32) -> Option<u32> {
        let of = self.module.functions.get(function as usize)?;
        let block = self.module.blocks.get(of.blocks.start as usize)?;
        let before = match block.label.is_empty() {
            true => of.body.start,
            false => block.label.end,
        };
        before.checked_sub(1)
    }
}

/// The maximum number of operations at the beginning of a function that are looked at.
const MAX_LEADING: usize = 64;
