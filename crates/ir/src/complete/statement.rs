use super::body::Body;
use super::flow::{Entry, Exit};
use super::incoming::Incoming;
use super::state::Cut;
use crate::Substitute;
use crate::llvm::token::{Token, TokenKind, Tokens};
use crate::llvm::ty::closed;
use crate::module::{Definition, Op, Span, Target};
use rustc_hash::FxHashMap;

/// The operands of a phi that have the same block.
pub(super) struct Operand {
    value: Incoming,
    /// The index of the first one among the operands of the phi.
    nth: usize,
    /// The number of operands.
    count: usize,
}

impl Body<'_, '_> {
    /// Returns the new text of a remaining instruction, or `None` if it does not change.
    pub(super) fn statement(&self, at: u32) -> Option<Vec<u8>> {
        let module = self.all.module;
        let instruction = &module.instructions[at as usize];
        let block = self.local(instruction.block);
        let core = instruction.core.clone();
        let mut cuts: Vec<Cut> = vec![];
        let mut replace = |span: Span, text: Vec<u8>| cuts.push(Cut { span, text });
        if instruction.op.is_terminator() && self.has_new_exit(block) {
            match &self.flow.exits[block] {
                Exit::Jump(to) => return Some(self.jump(*to)),
                Exit::Return => return Some(self.ret(block)),
                Exit::Other(targets) => self.retarget(at, targets, &mut replace),
                Exit::Turned { head, targets } => {
                    return Some(self.turned_branch(at, *head, *targets));
                }
                Exit::Call(next) => self.call_and_end(at, *next, &mut replace),
                Exit::Same => {}
            }
        }
        match instruction.op {
            Op::Return if self.is_void || self.returned.is_some() => return Some(self.ret(block)),
            Op::Phi => self.phi(at, block, &mut replace),
            Op::Call | Op::Invoke if !self.all.called.is_empty() => self.call(at, &mut replace),
            _ => {}
        }
        if let Some(result) = instruction.result
            && let Some(number) = self.numbers.get(&result)
        {
            let name = module.values[result as usize].name.clone();
            if !name.is_empty() {
                replace(name, format!("%{number}").into_bytes());
            }
        }
        for nth in instruction.uses.clone() {
            let used = &module.uses[nth as usize];
            if let Some(text) = self.operand(nth) {
                replace(used.span.clone(), text);
            }
        }
        for word in instruction.words.clone() {
            if self.all.change.words.contains(word) {
                replace(module.words[word as usize].span.clone(), vec![]);
            }
        }
        (!cuts.is_empty()).then(|| self.apply(&core, cuts))
    }

    /// Applies cuts to a text. A cut within another cut has no effect.
    pub(super) fn apply(&self, core: &Span, mut cuts: Vec<Cut>) -> Vec<u8> {
        let module = self.all.module;
        cuts.sort_by_key(|cut| (cut.span.start, std::cmp::Reverse(cut.span.end)));
        let mut text = Vec::with_capacity((core.end - core.start) as usize);
        let mut at = core.start;
        for cut in cuts {
            if cut.span.start < at || cut.span.end > core.end {
                continue;
            }
            text.extend_from_slice(module.bytes(&(at..cut.span.start)));
            text.extend_from_slice(&cut.text);
            at = cut.span.end;
        }
        text.extend_from_slice(module.bytes(&(at..core.end)));
        text
    }

    /// Returns the new text of a use, or `None` if it is the same.
    fn operand(&self, nth: u32) -> Option<Vec<u8>> {
        let module = self.all.module;
        let used = &module.uses[nth as usize];
        match self.all.change.operands.get(&nth) {
            Some(Substitute::Constant(text)) => return Some(text.as_bytes().to_vec()),
            Some(Substitute::Value(value)) => return Some(self.value_text(*value)),
            Some(Substitute::Item(item)) => return Some(self.item_text(*item)),
            Some(Substitute::Parameter) => {
                return Some(self.all.change.undefined.text().to_vec());
            }
            None => {}
        }
        if let Some(last) = self.last_values.get(&nth) {
            return Some(self.incoming_text(last));
        }
        let text = match used.target {
            Target::Value(value) => match module.values[value as usize].definition {
                Definition::Block(block) if self.function.blocks.contains(&block) => {
                    self.block_name(self.local(block))
                }
                _ => self.value_text(value),
            },
            Target::Symbol(symbol) => {
                let item = module.symbols.item(symbol)?;
                if !self.all.change.items.contains(item) {
                    return None;
                }
                self.all.change.undefined.text().to_vec()
            }
        };
        (text != module.bytes(&used.span)).then_some(text)
    }

    /// Returns the text that replaces the uses of a value.
    pub(super) fn value_text(&self, value: u32) -> Vec<u8> {
        let change = self.all.change;
        let undefined = || change.undefined.text().to_vec();
        let mut value = value;
        for _ in 0..64 {
            if let Some(substitute) = change.values.get(&value) {
                match substitute {
                    Substitute::Value(next) => value = *next,
                    Substitute::Constant(text) => return text.as_bytes().to_vec(),
                    Substitute::Item(item) => return self.item_text(*item),
                    Substitute::Parameter => {
                        return self.added_name(value).unwrap_or_else(undefined);
                    }
                }
                continue;
            }
            match self.phis.get(&value) {
                Some(Incoming::Value(next)) => value = *next,
                Some(constant) => return self.incoming_text(constant),
                None if !self.has(value) => return undefined(),
                None if self.placed(value).is_some() => return self.name(value),
                None => {
                    let is_left = match self.all.module.values[value as usize].definition {
                        Definition::Instruction(at) => {
                            !self.all.removed.contains(at) && !self.returns_nothing(at)
                        }
                        Definition::Parameter(_) => !self.all.loses(self.function.item, value),
                        Definition::Block(_) => true,
                    };
                    return if is_left {
                        self.name(value)
                    } else {
                        undefined()
                    };
                }
            }
        }
        undefined()
    }

    /// Returns the name of an item.
    fn item_text(&self, item: u32) -> Vec<u8> {
        let item = self.all.module.items.get(item as usize);
        item.map_or(vec![], |item| {
            self.all.module.bytes(&item.name_span).to_vec()
        })
    }

    fn jump(&self, to: usize) -> Vec<u8> {
        [b"br label ", &self.block_name(to)[..]].concat()
    }

    /// Returns the tokens of an instruction.
    pub(super) fn tokens(&self, span: &Span) -> Vec<Token> {
        let module = self.all.module;
        let tokens = Tokens::from(&module.text[..span.end as usize], span.start as usize);
        tokens.collect()
    }

    /// Gives a branch, a switch, or an invoke other successors.
    fn retarget(
        &self,
        at: u32,
        targets: &[Option<usize>],
        replace: &mut impl FnMut(Span, Vec<u8>),
    ) {
        let module = self.all.module;
        let instruction = &module.instructions[at as usize];
        let tokens = self.tokens(&instruction.core);
        let uses = instruction
            .uses
            .clone()
            .map(|nth| &module.uses[nth as usize]);
        let labels = uses.filter(|used| self.block_of(used.target).is_some());
        for (used, target) in labels.zip(targets) {
            if let Some(target) = target {
                replace(used.span.clone(), self.block_name(*target));
                continue;
            }
            // A case starts after the label of the previous case, or after the bracket.
            let index = tokens.partition_point(|token| token.start < used.span.start);
            let mut start = index;
            while start > 0
                && !tokens[start - 1].is(b'[')
                && !is_label(&tokens, start - 1, &module.text)
            {
                start -= 1;
            }
            if start > 0 {
                replace(tokens[start - 1].end..used.span.end, vec![]);
            }
        }
    }

    /// Returns a call in place of an invoke.
    fn call_and_end(&self, at: u32, next: Option<usize>, replace: &mut impl FnMut(Span, Vec<u8>)) {
        let module = self.all.module;
        let instruction = &module.instructions[at as usize];
        let tokens = self.tokens(&instruction.core);
        let word = |token: &Token, word: &[u8]| token.of(&module.text) == word;
        if let Some(invoke) = tokens.iter().find(|token| word(token, b"invoke")) {
            replace(invoke.span(), b"call".to_vec());
        }
        let to = tokens
            .windows(2)
            .rposition(|pair| word(&pair[0], b"to") && word(&pair[1], b"label"));
        let unwind = tokens.iter().rposition(|token| word(token, b"unwind"));
        if let (Some(to), Some(unwind)) = (to, unwind)
            && to > 0
            && let Some(last) = tokens.get(unwind + 2)
        {
            replace(tokens[to - 1].end..last.end, vec![]);
        }
        let end = match next {
            Some(next) => self.jump(next),
            None => self.ret(self.local(instruction.block)),
        };
        let end = [b"\n  ", &end[..]].concat();
        replace(instruction.core.end..instruction.core.end, end);
    }

    /// Returns the operands of a phi by their blocks.
    ///
    /// Cost: linear in the phi, so a caller asks once for all edges.
    pub(super) fn operands(&self, at: u32) -> FxHashMap<usize, Operand> {
        let mut operands = FxHashMap::default();
        for (nth, (block, value)) in self.incoming(at).into_iter().enumerate() {
            let count = 0;
            let first = Operand { value, nth, count };
            operands.entry(block).or_insert(first).count += 1;
        }
        operands
    }

    /// Returns the value that a phi with some operands has for the edge that `via` identifies.
    pub(super) fn value_of_edge(
        &self,
        at: u32,
        operands: &FxHashMap<usize, Operand>,
        via: usize,
    ) -> Incoming {
        let value = match self.flow.straight_at(via) {
            Some(nth) => self.selected.get(&(at, nth)),
            None => operands.get(&via).map(|of| &of.value),
        };
        value.cloned().unwrap_or(Incoming::UNDEFINED)
    }

    /// Returns the operands of a phi: their blocks and values.
    fn incoming(&self, at: u32) -> Vec<(usize, Incoming)> {
        let module = self.all.module;
        let instruction = &module.instructions[at as usize];
        let tokens = self.tokens(&instruction.core);
        let mut uses = instruction.uses.clone().peekable();
        let mut entries = vec![];
        let mut open = self.first_entry(&tokens);
        let is_open = |&open: &usize| tokens.get(open).is_some_and(|token| token.is(b'['));
        while let Some(start) = open.filter(is_open) {
            let Some(end) = closed(&tokens, start) else {
                break;
            };
            let inner = &tokens[start + 1..end - 1];
            if let [value @ .., comma, label] = inner
                && comma.is(b',')
                && let (Some(first), Some(last)) = (value.first(), value.last())
            {
                let mut within = vec![];
                while let Some(nth) =
                    uses.next_if(|&nth| module.uses[nth as usize].span.start <= label.start)
                {
                    within.push(nth);
                }
                let of = |nth: u32| &module.uses[nth as usize];
                let block = within.last().and_then(|&nth| self.block_of(of(nth).target));
                let value = self.incoming_of(at, &(first.start..last.end));
                if let Some(block) = block {
                    entries.push((block, value));
                }
            }
            open = tokens
                .get(end)
                .filter(|token| token.is(b','))
                .map(|_| end + 1);
        }
        entries
    }

    /// Returns the token that opens the first operand of a phi. The type may have brackets as well.
    fn first_entry(&self, tokens: &[Token]) -> Option<usize> {
        let module = self.all.module;
        let phi = tokens
            .iter()
            .position(|token| token.of(&module.text) == b"phi")?;
        let mut at = phi + 1;
        // Flags come before the operands, as in an addition.
        while !crate::llvm::starts_type(&module.text, tokens.get(..=at)?, at) {
            at += 1;
        }
        Some(crate::llvm::ty::ty(&module.text, tokens, at)?.end)
    }

    /// Gives a phi the operands of the edges that are left.
    fn phi(&self, at: u32, block: usize, replace: &mut impl FnMut(Span, Vec<u8>)) {
        let module = self.all.module;
        let entries = &self.flow.entries[block];
        if entries.is_empty() {
            return;
        }
        let operands = self.operands(at);
        if has_operands_for(&operands, entries) {
            return;
        }
        let core = &module.instructions[at as usize].core;
        let tokens = self.tokens(core);
        let Some(open) = self.first_entry(&tokens) else {
            return;
        };
        let mut end = open;
        while let Some(next) = closed(&tokens, end) {
            end = next;
            match tokens.get(end) {
                Some(comma)
                    if comma.is(b',') && tokens.get(end + 1).is_some_and(|next| next.is(b'[')) =>
                {
                    end += 1;
                }
                _ => break,
            }
        }
        let mut ordered: Vec<(usize, &Entry)> = entries
            .iter()
            .filter_map(|entry| {
                let nth = operands.get(&entry.via).map(|of| of.nth);
                // Selected values come last.
                let is_selected = self.flow.straight_at(entry.via).is_some();
                Some((nth.or(is_selected.then_some(usize::MAX))?, entry))
            })
            .collect();
        ordered.sort_by_key(|(nth, entry)| (*nth, entry.from));
        // All edges from one block have the same value.
        let mut first = FxHashMap::default();
        for (_, entry) in &ordered {
            first.entry(entry.from).or_insert(entry.via);
        }
        let mut text: Vec<u8> = vec![];
        for (_, entry) in &ordered {
            let via = first[&entry.from];
            let value = self.incoming_text(&self.value_of_edge(at, &operands, via));
            let separator: &[u8] = if text.is_empty() { b"[ " } else { b", [ " };
            for part in [
                separator,
                &value,
                b", ",
                &self.block_name(entry.from),
                b" ]",
            ] {
                text.extend_from_slice(part);
            }
        }
        if let (Some(first), Some(last)) = (tokens.get(open), tokens.get(end.wrapping_sub(1))) {
            replace(first.start..last.end, text);
        }
    }
}

/// Returns whether a phi has just the operands for the edges that lead to its block.
fn has_operands_for(operands: &FxHashMap<usize, Operand>, entries: &[Entry]) -> bool {
    let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
    for entry in entries {
        *counts.entry(entry.from).or_default() += 1;
    }
    let count = |from| operands.get(from).map_or(0, |of| of.count);
    entries.iter().all(|entry| entry.from == entry.via)
        && operands.len() == counts.len()
        && counts.iter().all(|(from, &other)| count(from) == other)
}

/// Returns whether a token is the name in `label %name`.
fn is_label(tokens: &[Token], at: usize, text: &[u8]) -> bool {
    at > 0 && tokens[at].kind == TokenKind::Local && tokens[at - 1].of(text) == b"label"
}
