use super::read::Reader;
use super::token::{Kind, base, unquoted};
use super::ty::{Trailing, trailing};
use crate::Span;
use crate::module::Target;
use rustc_hash::FxHashMap;
use std::ops::Range;

impl Reader<'_> {
    /// Records the types of the results of the operation whose tokens are in a range.
    pub(super) fn print_types(&mut self, name: usize, limit: usize, at: u32, results: Range<u32>) {
        let head = self.head_end(name, limit);
        let types = trailing(self.text, self.tokens, self.close, name + 1, head);
        let count: usize = results
            .clone()
            .map(|value| self.facts.types[value as usize].len())
            .sum();
        let found = types
            .as_ref()
            .and_then(|types| self.result_types(name, types, count));
        let found = found.or_else(|| {
            self.fixed_type(name, limit)
                .filter(|_| count == 1)
                .map(|ty| vec![ty])
        });
        let mut found = found
            .filter(|found| found.len() == count && count > 0)
            .unwrap_or_default()
            .into_iter();
        for value in results {
            let count = self.facts.types[value as usize].len();
            let of: Vec<Span> = found.by_ref().take(count).collect();
            if of.len() == count {
                self.module.values[value as usize].ty = of.first().cloned();
                self.facts.types[value as usize] = of;
            }
        }
        if let Some(types) = types {
            self.operand_types(at, name, &types);
        }
    }

    /// Returns where the types of an operation end: before its first region in the usual form.
    fn head_end(&self, name: usize, limit: usize) -> usize {
        if self.tokens[name].kind == Kind::Text {
            return limit;
        }
        let mut at = name + 1;
        while at < limit {
            match self.tokens[at].kind {
                Kind::Mark(b'{') => {
                    let next = self.tokens.get(at + 1);
                    if next.is_some_and(|next| next.is_first) {
                        return at;
                    }
                    at = self.close[at] as usize + 1;
                }
                Kind::Mark(b'(' | b'[') => at = self.close[at] as usize + 1,
                Kind::Word if self.tokens[at].of(self.text) == b"loc" => return at,
                _ => at += 1,
            }
        }
        limit
    }

    fn result_types(&self, name: usize, types: &Trailing, count: usize) -> Option<Vec<Span>> {
        if let Some(after) = &types.after {
            // More types may follow the types of the results, such as element types.
            let results = after.iter().take(count);
            return Some(results.cloned().collect());
        }
        let word = unquoted(self.tokens[name], self.text);
        let (dialect, short) = split(word)?;
        let is_scalar = |span: &Span| {
            let of = self
                .text
                .get(span.start as usize..span.end as usize)
                .unwrap_or_default();
            of.starts_with(b"!llvm.ptr")
                || of.len() <= 5
                    && (of == b"index" || of.iter().skip(1).all(u8::is_ascii_alphanumeric))
        };
        if count > 1 {
            return (types.before.len() == count).then(|| types.before.clone());
        }
        let first = types.before.first()?;
        let last = types.before.last()?;
        match (dialect, short) {
            (b"llvm", b"icmp" | b"fcmp") | (b"arith", b"cmpi" | b"cmpf") => {
                is_scalar(first).then(|| self.truth.clone().map(|ty| vec![ty]))?
            }
            (b"llvm", b"extractvalue" | b"cmpxchg" | b"shufflevector" | b"extractelement") => None,
            (b"llvm", b"call" | b"invoke") => None,
            (b"memref" | b"affine", b"load")
            | (b"tensor", b"extract")
            | (b"vector", b"extractelement") => self.element(first).map(|ty| vec![ty]),
            (b"memref" | b"tensor", b"dim" | b"rank") => self.index.clone().map(|ty| vec![ty]),
            (b"vector", b"load" | b"transfer_read" | b"maskedload" | b"gather" | b"expandload") => {
                (types.before.len() > 1).then(|| vec![last.clone()])
            }
            (b"vector", b"extract") => Some(vec![first.clone()]),
            (
                b"vector",
                b"insertelement" | b"splat" | b"fma" | b"constant_mask" | b"create_mask",
            ) => Some(vec![last.clone()]),
            (b"vector", _) => None,
            (b"complex", b"constant" | b"add" | b"sub" | b"mul" | b"div" | b"neg" | b"exp") => {
                Some(vec![first.clone()])
            }
            (b"bufferization", b"to_tensor" | b"to_memref") | (b"complex", _) => None,
            (b"spirv", _) => {
                let is_other = [
                    &b"Ord"[..],
                    b"Unord",
                    b"Equal",
                    b"NotEqual",
                    b"Than",
                    b"Is",
                    b"AccessChain",
                    b"Composite",
                    b"Logical",
                    b"Dot",
                    b"Atomic",
                ];
                let is_other = is_other
                    .iter()
                    .any(|part| short.windows(part.len()).any(|at| at == *part));
                (!is_other).then(|| vec![last.clone()])
            }
            (
                b"arith" | b"math" | b"llvm" | b"memref" | b"tensor" | b"gpu" | b"index" | b"func"
                | b"ub",
                _,
            ) => Some(vec![last.clone()]),
            _ => None,
        }
    }

    /// Returns the type of the result of an operation that prints none.
    fn fixed_type(&self, name: usize, limit: usize) -> Option<Span> {
        let word = self.tokens[name].of(self.text);
        let next = self.tokens.get(name + 1).filter(|_| name + 1 < limit);
        match split(word)? {
            (b"arith", b"constant") => {
                let is_truth =
                    next.is_some_and(|next| matches!(next.of(self.text), b"true" | b"false"));
                self.truth.clone().filter(|_| is_truth)
            }
            (b"index", b"cmp" | b"bool.constant") => self.truth.clone(),
            (b"index", b"casts" | b"castu" | b"sizeof") => None,
            (b"index", _) => self.index.clone(),
            (b"affine", b"apply" | b"min" | b"max") => self.index.clone(),
            (
                b"gpu",
                b"thread_id" | b"block_id" | b"block_dim" | b"grid_dim" | b"global_id" | b"lane_id",
            ) => self.index.clone(),
            _ => None,
        }
    }

    /// Returns the type of the elements of a type with a shape: `f32` of `memref<4x?xf32>`.
    fn element(&self, ty: &Span) -> Option<Span> {
        let text = self.text.get(ty.start as usize..ty.end as usize)?;
        let open = text.iter().position(|&byte| byte == b'<')?;
        let mut at = open + 1;
        // Each dimension ends with an `x`, as in `4x8xf32`.
        loop {
            let rest = text.get(at..)?;
            let digits = rest
                .iter()
                .take_while(|&&byte| {
                    byte.is_ascii_digit() || matches!(byte, b'?' | b'[' | b']' | b'*')
                })
                .count();
            if digits == 0 || rest.get(digits) != Some(&b'x') {
                break;
            }
            at += digits + 1;
        }
        let rest = text.get(at..)?;
        let mut depth = 0_i32;
        let len = rest.iter().position(|&byte| {
            match byte {
                b'<' | b'(' => depth += 1,
                b'>' | b')' => depth -= 1,
                b',' if depth == 0 => return true,
                _ => {}
            }
            depth < 0
        })?;
        (len > 0).then(|| ty.start + at as u32..ty.start + (at + len) as u32)
    }

    /// Records the types of operands, for values whose definition prints none.
    fn operand_types(&mut self, at: u32, name: usize, types: &Trailing) {
        let word = unquoted(self.tokens[name], self.text);
        let is_list = self.tokens[name].kind == Kind::Text
            || types.is_whole && types.after.is_some()
            || word.ends_with(b"return")
            || word.ends_with(b"yield")
            || word.ends_with(b".store");
        if is_list && !types.before.is_empty() {
            self.operand_types.push((at, types.before.clone()));
        }
    }

    /// Completes the types of values by the types that their uses print.
    pub(super) fn infer(&mut self) {
        let lists = std::mem::take(&mut self.operand_types);
        let mut known: FxHashMap<u32, Span> = FxHashMap::default();
        for (at, types) in lists {
            let uses = self.module.instructions[at as usize].uses.clone();
            let mut values = vec![];
            for nth in uses {
                let used = &self.module.uses[nth as usize];
                let name = self
                    .text
                    .get(used.span.start as usize..used.span.end as usize)
                    .unwrap_or_default();
                if let (Target::Value(value), Some(b'%')) = (used.target, name.first()) {
                    values.push((value, base(name).len() == name.len()));
                }
            }
            if values.len() != types.len() {
                continue;
            }
            for ((value, is_single), ty) in values.into_iter().zip(types) {
                if is_single {
                    known.entry(value).or_insert(ty);
                }
            }
        }
        for (value, ty) in known {
            let Some(types) = self.facts.types.get_mut(value as usize) else {
                continue;
            };
            let is_unknown = types.is_empty() || types.len() == 1 && types[0].is_empty();
            let is_label = self
                .text
                .get(self.module.values[value as usize].name.start as usize)
                == Some(&b'^');
            if is_unknown && !is_label {
                *types = vec![ty.clone()];
                self.module.values[value as usize].ty = Some(ty);
            }
        }
        for types in &mut self.facts.types {
            if types.iter().any(|ty| ty.is_empty()) {
                types.clear();
            }
        }
    }
}

fn split(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = name.iter().position(|&byte| byte == b'.')?;
    Some((&name[..at], &name[at + 1..]))
}
