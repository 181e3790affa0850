use super::completion::{Completion, Resolved};
use crate::Substitute;
use crate::complete::Cut;
use crate::mlir::facts::Successor;
use crate::module::{Definition, Span, Target, WordKind};

impl Completion<'_> {
    /// Adds the cuts of operations, blocks, and words.
    pub(super) fn write(&mut self) {
        let module = self.module;
        let mut at = 0;
        while let Some(instruction) = module.instructions.get(at as usize) {
            let end = self.facts.operations[at as usize].end.max(at + 1);
            if self.is_dropped(at) || self.flow.is_gone(instruction.block) {
                at += 1;
            } else if self.removed.contains(at) {
                self.cut(instruction.span.clone(), vec![]);
                at = end;
            } else {
                self.operation(at);
                at += 1;
            }
        }
        for (number, block) in (0..).zip(&module.blocks) {
            if self.flow.is_gone(number) {
                let inner = block
                    .instructions
                    .clone()
                    .map(|at| module.instructions[at as usize].span.end);
                let end = inner.fold(block.label.end, u32::max);
                self.cut(block.label.start..end, vec![]);
            } else if !self.parameters.is_empty() {
                self.arguments(number);
            }
        }
        if !self.parameters.is_empty() {
            self.parameter_lists();
        }
        self.words();
    }

    pub(super) fn cut(&mut self, span: Span, text: Vec<u8>) {
        self.cuts.push(Cut { span, text });
    }

    /// Adds the cuts of an operation that is left.
    fn operation(&mut self, at: u32) {
        let (module, facts) = (self.module, self.facts);
        let operation = &facts.operations[at as usize];
        if self.flow.is_jump(at)
            && let Some(successor) = operation.successors.get(self.change.edges[&at] as usize)
        {
            let name = module.bytes(&operation.name);
            let new: &[u8] = match name.strip_suffix(b"BranchConditional") {
                Some(_) => b"Branch",
                None => b"br",
            };
            let dialect = name
                .iter()
                .position(|&byte| byte == b'.')
                .map_or(0, |dot| dot + 1);
            let target = self
                .successor(at, successor)
                .unwrap_or_else(|| self.same_successor(at, successor));
            let text = [&name[..dialect], new, b" ", &target].concat();
            self.cut(module.instructions[at as usize].core.clone(), text);
            return;
        }
        let mut replaced: Vec<Span> = vec![];
        for successor in &operation.successors {
            if let Some(text) = self.successor(at, successor) {
                self.cut(successor.span.clone(), text);
                replaced.push(successor.span.clone());
            }
        }
        if let Some(lists) = self.call(at) {
            for (span, text) in lists {
                self.cut(span.clone(), text);
                replaced.push(span);
            }
        }
        for nth in module.instructions[at as usize].uses.clone() {
            let used = &module.uses[nth as usize];
            let is_within =
                |span: &Span| span.start <= used.span.start && used.span.end <= span.end;
            if replaced.iter().any(is_within) {
                continue;
            }
            if let Some(text) = self.operand(at, nth) {
                self.cut(used.span.clone(), text);
            }
        }
    }

    /// Returns the new text of an operand, if it changes.
    pub(super) fn operand(&mut self, at: u32, nth: u32) -> Option<Vec<u8>> {
        let used = &self.module.uses[nth as usize];
        let Target::Value(value) = used.target else {
            return None;
        };
        let is_block = matches!(self.definition(value)?, Definition::Block(_))
            && self.module.text.get(used.span.start as usize) == Some(&b'^');
        if is_block {
            return None;
        }
        let part = self.part(&used.span);
        let mut resolved = self.resolved(value);
        match self.change.operands.get(&nth) {
            Some(&Substitute::Value(other)) if (other as usize) < self.module.values.len() => {
                resolved = match self.resolved(other) {
                    Resolved::Same => Resolved::Other(other),
                    of => of,
                };
            }
            Some(_) => resolved = Resolved::Undefined,
            None => {}
        }
        let named = match resolved {
            Resolved::Same => value,
            Resolved::Other(other) => other,
            Resolved::Undefined => return self.undefined_part(at, value, part),
        };
        if !self.reaches(named, at) {
            return self.undefined_part(at, value, part);
        }
        match resolved {
            Resolved::Other(other) => {
                let mut name = self
                    .module
                    .bytes(&self.module.values[other as usize].name)
                    .to_vec();
                if self.facts.types[other as usize].len() > 1 {
                    name.extend_from_slice(b"#0");
                }
                Some(name)
            }
            _ => None,
        }
    }

    fn undefined_part(&mut self, at: u32, value: u32, part: usize) -> Option<Vec<u8>> {
        let ty = self.facts.types[value as usize].get(part)?.clone();
        let function = self.facts.operations[at as usize].function;
        Some(self.undefined(function, self.module.bytes(&ty)))
    }

    /// Returns the number of the result that a use names.
    fn part(&self, span: &Span) -> usize {
        let text = self.module.bytes(span);
        let number = text
            .iter()
            .position(|&byte| byte == b'#')
            .map(|at| &text[at + 1..]);
        number
            .and_then(|number| std::str::from_utf8(number).ok()?.parse().ok())
            .unwrap_or(0)
    }

    /// Returns whether a value is defined at an operation although blocks were taken out.
    fn reaches(&self, value: u32, at: u32) -> bool {
        if !self.flow.is_changed() {
            return true;
        }
        let above = match self.definition(value) {
            Some(Definition::Instruction(of)) => self.module.instructions[of as usize].block,
            Some(Definition::Block(block)) => block,
            _ => return true,
        };
        let region = self.facts.block_regions[above as usize];
        let first = self.facts.regions[region as usize].blocks.start;
        let mut block = self.module.instructions[at as usize].block;
        while self.facts.block_regions[block as usize] != region {
            let owner = self.facts.regions[self.facts.block_regions[block as usize] as usize].owner;
            let Some(owner) = owner else {
                return true;
            };
            block = self.module.instructions[owner as usize].block;
        }
        self.flow.dominates(region, first, above, block)
    }

    /// Returns the new text of a successor, if its block or the arguments of that change.
    fn successor(&mut self, at: u32, successor: &Successor) -> Option<Vec<u8>> {
        let Definition::Block(block) = self.definition(successor.label)? else {
            return None;
        };
        let to = self.flow.redirected(block);
        let values = self.facts.arguments[to.unwrap_or(block) as usize]
            .values
            .clone();
        let loses = values.clone().any(|value| self.parameters.contains(value));
        if to.is_none() && !loses {
            return None;
        }
        let function = self.facts.operations[at as usize].function;
        let (mut names, mut types) = (vec![], vec![]);
        for (nth, value) in values.enumerate() {
            if self.parameters.contains(value) {
                continue;
            }
            let ty = self
                .module
                .bytes(self.facts.types[value as usize].first()?)
                .to_vec();
            names.push(match (to, successor.operands.as_ref()?.get(nth)) {
                (None, Some(span)) => self.operand_at(at, span),
                _ => self.undefined(function, &ty),
            });
            types.push(ty);
        }
        let label = self.module.blocks[to.unwrap_or(block) as usize].value;
        let mut text = self
            .module
            .bytes(&self.module.values[label as usize].name)
            .to_vec();
        if !names.is_empty() {
            text = [
                &text[..],
                b"(",
                &names.join(&b", "[..]),
                b" : ",
                &types.join(&b", "[..]),
                b")",
            ]
            .concat();
        }
        Some(text)
    }

    /// Returns the text of a successor whose block is left as it is.
    fn same_successor(&mut self, at: u32, successor: &Successor) -> Vec<u8> {
        let (mut text, mut from) = (vec![], successor.span.start);
        for span in successor.operands.clone().unwrap_or_default() {
            text.extend_from_slice(self.module.bytes(&(from..span.start)));
            text.append(&mut self.operand_at(at, &span));
            from = span.end;
        }
        text.extend_from_slice(self.module.bytes(&(from..successor.span.end)));
        text
    }

    /// Returns the text of the operand at a place.
    pub(super) fn operand_at(&mut self, at: u32, span: &Span) -> Vec<u8> {
        let mut uses = self.module.instructions[at as usize].uses.clone();
        let nth = uses.find(|&nth| self.module.uses[nth as usize].span == *span);
        let text = nth.and_then(|nth| self.operand(at, nth));
        text.unwrap_or_else(|| self.module.bytes(span).to_vec())
    }

    /// Removes words. Without its last entry, a dictionary is removed.
    fn words(&mut self) {
        let module = self.module;
        if self.change.words.is_empty() {
            return;
        }
        for dictionary in &self.facts.dictionaries {
            let mut removed = dictionary
                .words
                .clone()
                .filter(|&word| self.change.words.contains(word))
                .peekable();
            if removed.peek().is_none() {
                continue;
            }
            let removed: Vec<&Span> = removed
                .map(|word| &module.words[word as usize].span)
                .collect();
            let kept = dictionary
                .entries
                .iter()
                .filter(|entry| !removed.contains(entry));
            let kept: Vec<&[u8]> = kept.map(|entry| module.bytes(entry)).collect();
            match kept.is_empty() {
                true => self.cut(dictionary.span.clone(), vec![]),
                false => self.cut(dictionary.inner.clone(), kept.join(&b", "[..])),
            }
        }
        for word in self.change.words.iter() {
            if let Some(word) = module.words.get(word as usize)
                && word.kind == WordKind::Debug
            {
                self.cut(word.span.clone(), vec![]);
            }
        }
    }
}
