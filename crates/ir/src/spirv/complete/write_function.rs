use super::super::code;
use super::completion::Completion;
use super::flow::{Exit, Flow};
use super::resolve::Resolved;
use crate::Cut;
use crate::module::{Function, Op, Target};

impl Completion<'_> {
    /// Adds the cuts of a remaining function.
    pub(super) fn write_function(&mut self, number: u32) {
        let module = self.module;
        let function = &module.functions[number as usize];
        if self.gone.contains(function.item) {
            return;
        }
        let flow = self.flows[number as usize].take();
        match &flow {
            Some(flow) if flow.is_reordered => self.write_blocks(function, flow),
            _ => {
                for (local, block) in function.blocks.clone().enumerate() {
                    self.write_block(function, flow.as_ref(), local, block);
                }
            }
        }
        self.flows[number as usize] = flow;
    }

    /// Adds the cuts of a block that keeps its place.
    fn write_block(&mut self, function: &Function, flow: Option<&Flow>, local: usize, block: u32) {
        let module = self.module;
        let of = &module.blocks[block as usize];
        let is_gone = self.gone_blocks.contains(block);
        if is_gone {
            self.cuts.push(Cut {
                span: of.label.clone(),
                text: vec![],
            });
        }
        for at in of.instructions.clone() {
            let instruction = &module.instructions[at as usize];
            let cut = match is_gone || self.removed.contains(at) {
                true => Some((instruction.span.clone(), vec![])),
                false => {
                    let text = self.statement(function, flow, local, at);
                    text.map(|text| (instruction.core.clone(), text))
                }
            };
            self.cuts.extend(cut.map(|(span, text)| Cut { span, text }));
        }
    }

    /// Adds the cut of a whole body whose blocks are joined, or in another order.
    fn write_blocks(&mut self, function: &Function, flow: &Flow) {
        let module = self.module;
        let mut text = vec![];
        for (nth, &local) in flow.order.iter().enumerate() {
            let of = &module.blocks[function.blocks.start as usize + local];
            if flow.joined_to[local].is_none() {
                text.extend_from_slice(module.bytes(&of.label));
            }
            let next = flow.order.get(nth + 1);
            let is_followed = next.is_some_and(|&next| flow.joined_to[next].is_some());
            for at in of.instructions.clone() {
                let instruction = &module.instructions[at as usize];
                let is_joint = is_followed && instruction.op.is_terminator();
                if is_joint || self.removed.contains(at) {
                    continue;
                }
                let (span, core) = (&instruction.span, &instruction.core);
                match self.statement(function, Some(flow), local, at) {
                    Some(new) => {
                        text.extend_from_slice(module.bytes(&(span.start..core.start)));
                        text.extend_from_slice(&new);
                        text.extend_from_slice(module.bytes(&(core.end..span.end)));
                    }
                    None => text.extend_from_slice(module.bytes(span)),
                }
            }
        }
        let span = function.body.clone();
        self.cuts.push(Cut { span, text });
    }

    /// Returns the name of a block as branches use it.
    fn block_name(&self, function: &Function, flow: &Flow, local: usize) -> Vec<u8> {
        let mut local = local;
        // Phis name a block by that to which it is joined.
        for _ in 0..flow.joined_to.len() {
            match flow.joined_to[local] {
                Some(from) => local = from,
                None => break,
            }
        }
        let block = function.blocks.start as usize + local;
        let name = &self.module.values[self.module.blocks[block].value as usize].name;
        self.module.bytes(name).to_vec()
    }

    /// Returns the new text of an instruction that is left, or `None` if it is the same.
    fn statement(
        &mut self,
        function: &Function,
        flow: Option<&Flow>,
        local: usize,
        at: u32,
    ) -> Option<Vec<u8>> {
        let module = self.module;
        let instruction = &module.instructions[at as usize];
        let mut cuts = vec![];
        let mut before = vec![];
        if let Some(flow) = flow {
            match instruction.op {
                Op::Phi => return self.phi(function, flow, local, at),
                op if op.is_terminator() => {
                    before = self.moved_merge(function, flow, local, at);
                    match &flow.exits[local] {
                        Exit::Same => {}
                        Exit::Other(targets) => cuts = self.retargeted(function, flow, targets, at),
                        exit => {
                            before.extend(self.end(function, flow, exit));
                            return Some(before);
                        }
                    }
                }
                _ => {}
            }
        }
        for nth in instruction.uses.clone() {
            let used = &module.uses[nth as usize];
            let resolved = self.resolve(nth);
            if resolved == as_before(used.target) {
                continue;
            }
            let text = self.text_of(resolved);
            cuts.push(Cut {
                span: used.span.clone(),
                text,
            });
        }
        if cuts.is_empty() && before.is_empty() {
            return None;
        }
        before.extend(self.apply(&instruction.core, cuts));
        Some(before)
    }

    /// Writes the end of a block that is another one.
    fn end(&mut self, function: &Function, flow: &Flow, exit: &Exit) -> Vec<u8> {
        let form = self.facts.form;
        let head = self.module.items[function.item as usize].uses.start;
        match exit {
            Exit::Jump(to) => {
                let name = self.block_name(function, flow, *to);
                form.instruction(code::BRANCH, b"", &[&name])
            }
            Exit::Return => {
                let ty = self.symbol_of(head);
                let item = ty.and_then(|ty| self.module.symbols.item(ty));
                let code = item.map(|item| self.facts.item_codes[item as usize]);
                match ty {
                    _ if code == Some(code::TYPE_VOID) => form.instruction(code::RETURN, b"", &[]),
                    Some(ty) if self.facts.can_be_undefined(self.module, Some(ty)) => {
                        let value = self.undefined(ty);
                        form.instruction(code::RETURN_VALUE, b"", &[&value])
                    }
                    _ => form.instruction(code::UNREACHABLE, b"", &[]),
                }
            }
            _ => form.instruction(code::UNREACHABLE, b"", &[]),
        }
    }

    /// Writes the statement of a header that is in another block now.
    fn moved_merge(&self, function: &Function, flow: &Flow, local: usize, at: u32) -> Vec<u8> {
        let form = self.facts.form;
        match flow.merges[local] {
            Some(merge)
                if self.module.instructions[merge.at as usize].block
                    != self.module.instructions[at as usize].block =>
            {
                let name = self.block_name(function, flow, merge.behind);
                let mut text = form.instruction(code::SELECTION_MERGE, b"", &[&name, form.none()]);
                text.extend_from_slice(form.separator());
                text
            }
            _ => vec![],
        }
    }

    /// Returns the cuts of a branch or a switch with other successors.
    fn retargeted(
        &mut self,
        function: &Function,
        flow: &Flow,
        targets: &[Option<usize>],
        at: u32,
    ) -> Vec<Cut> {
        let module = self.module;
        let uses = module.instructions[at as usize].uses.clone();
        let mut cuts = vec![];
        for (nth, target) in uses.skip(1).zip(targets) {
            let span = module.uses[nth as usize].span.clone();
            match target {
                Some(target) => cuts.push(Cut {
                    span,
                    text: self.block_name(function, flow, *target),
                }),
                None => {
                    // The literal of a case comes before its block.
                    let start = module.uses[nth as usize - 1].span.end;
                    cuts.push(Cut {
                        span: start..span.end,
                        text: vec![],
                    });
                }
            }
        }
        cuts
    }

    /// Gives a phi the operands of the edges that are left.
    fn phi(&mut self, function: &Function, flow: &Flow, local: usize, at: u32) -> Option<Vec<u8>> {
        let module = self.module;
        let instruction = &module.instructions[at as usize];
        let ty = instruction.uses.clone().next()?;
        let pairs = self.pairs(at);
        let mut entries: Vec<(usize, super::flow::Entry)> = flow.entries[local]
            .iter()
            .map(|entry| {
                let nth = pairs.iter().position(|pair| pair.1 == entry.via);
                (nth.unwrap_or(pairs.len()), *entry)
            })
            .collect();
        entries.sort_by_key(|(nth, entry)| (*nth, entry.from));
        let mut parts = vec![];
        for (nth, entry) in entries {
            let resolved = match pairs.get(nth) {
                Some(pair) => self.resolve(pair.0),
                None => Resolved::Undefined(self.symbol_of(ty)),
            };
            parts.push(self.text_of(resolved));
            parts.push(self.block_name(function, flow, entry.from));
        }
        let result = instruction
            .result
            .map(|of| &module.values[of as usize].name);
        let result = result.map_or(&b""[..], |name| module.bytes(name));
        let mut operands = vec![module.bytes(&module.uses[ty as usize].span)];
        operands.extend(parts.iter().map(Vec::as_slice));
        let text = self.facts.form.instruction(code::PHI, result, &operands);
        (text != module.bytes(&instruction.core)).then_some(text)
    }
}

/// Returns the thing that a use named before the change.
fn as_before(target: Target) -> Resolved {
    match target {
        Target::Value(value) => Resolved::Value(value),
        Target::Symbol(symbol) => Resolved::Symbol(symbol),
    }
}
