use super::completion::Completion;
use crate::Set;
use crate::module::{Definition, ItemKind, Op, Span};
use rustc_hash::FxHashMap;

impl Completion<'_> {
    /// Returns the parameters and arguments of the change that can be removed with all their
    /// operands.
    pub(super) fn free_parameters(&self) -> Set {
        let (module, facts) = (self.module, self.facts);
        let mut free = Set::default();
        if self.change.parameters.is_empty() {
            return free;
        }
        // The number of operands that all branches give to each block, if they agree.
        let mut counts: FxHashMap<u32, Option<usize>> = FxHashMap::default();
        for successor in facts
            .operations
            .iter()
            .flat_map(|operation| &operation.successors)
        {
            let count = successor.operands.as_ref().map(Vec::len);
            let known = counts.entry(successor.label).or_insert(count);
            if *known != count {
                *known = None;
            }
        }
        for value in self.change.parameters.iter() {
            let is_free = match self.definition(value) {
                Some(Definition::Parameter(function)) => module.has_free_signature(function),
                Some(Definition::Block(block)) => {
                    let arguments = &facts.arguments[block as usize];
                    let label = module.blocks[block as usize].value;
                    let is_first = facts.regions[facts.block_regions[block as usize] as usize]
                        .blocks
                        .start
                        == block;
                    let count = counts.get(&label).copied().flatten();
                    arguments.values.contains(&value)
                        && !is_first
                        && count == Some(arguments.values.len())
                }
                _ => false,
            };
            if is_free && facts.types[value as usize].len() == 1 {
                free.insert(value);
            }
        }
        free
    }

    /// Removes arguments of a block from its label.
    pub(super) fn arguments(&mut self, block: u32) {
        let arguments = &self.facts.arguments[block as usize];
        let Some(list) = &arguments.list else {
            return;
        };
        if !arguments
            .values
            .clone()
            .any(|value| self.parameters.contains(value))
        {
            return;
        }
        let kept = arguments.values.clone().zip(&arguments.spans);
        let kept = kept.filter(|(value, _)| !self.parameters.contains(*value));
        let kept: Vec<&[u8]> = kept.map(|(_, span)| self.module.bytes(span)).collect();
        match kept.is_empty() {
            true => {
                let end = (list.end + 1).min(self.module.text.len() as u32);
                self.cut(list.start - 1..end, vec![]);
            }
            false => self.cut(list.clone(), kept.join(&b", "[..])),
        }
    }

    /// Removes parameters from the heads of functions.
    pub(super) fn parameter_lists(&mut self) {
        let module = self.module;
        for (number, function) in (0..).zip(&module.functions) {
            let is_removed = |value: u32| self.parameters.contains(value);
            if self.dropped.contains(number) || !function.parameters.clone().any(is_removed) {
                continue;
            }
            let Some(list) = module.items[function.item as usize].parameters.clone() else {
                continue;
            };
            let kept = function.parameters.clone().zip(&function.parameter_spans);
            let kept: Vec<&[u8]> = kept
                .filter(|(value, _)| !is_removed(*value))
                .map(|(_, span)| module.bytes(span))
                .collect();
            let text = kept.join(&b", "[..]);
            self.cut(
                list.start + 1..list.end.saturating_sub(1).max(list.start + 1),
                text,
            );
        }
    }

    /// Returns the new lists of operands and types of a call whose function loses parameters.
    pub(super) fn call(&mut self, at: u32) -> Option<Vec<(Span, Vec<u8>)>> {
        let module = self.module;
        let instruction = &module.instructions[at as usize];
        if instruction.op != Op::Call || self.parameters.is_empty() {
            return None;
        }
        let (nth, item) = module.callee(at)?;
        let ItemKind::Function(function) = module.items.get(item as usize)?.kind else {
            return None;
        };
        let values = module.functions[function as usize].parameters.clone();
        if self.dropped.contains(function)
            || !values.clone().any(|value| self.parameters.contains(value))
        {
            return None;
        }
        let start = module.uses[nth as usize].span.end;
        let operands = list(&module.text, start, instruction.core.end)?;
        let rest = module.bytes(&(operands.0.end..instruction.core.end));
        let colon = rest.windows(3).rposition(|at| at == b": (")? as u32 + operands.0.end;
        let types = list(&module.text, colon + 2, instruction.core.end)?;
        let is_fit = operands.1.len() == values.len() && types.1.len() == values.len();
        if !is_fit {
            return None;
        }
        let mut names = vec![];
        for (value, span) in values.clone().zip(&operands.1) {
            if !self.parameters.contains(value) {
                names.push(self.operand_at(at, span));
            }
        }
        let kept = values
            .zip(&types.1)
            .filter(|(value, _)| !self.parameters.contains(*value));
        let kept: Vec<&[u8]> = kept.map(|(_, span)| module.bytes(span)).collect();
        Some(vec![
            (operands.0, names.join(&b", "[..])),
            (types.0, kept.join(&b", "[..])),
        ])
    }
}

/// Returns the text within the parentheses at a place, and its parts between commas.
fn list(text: &[u8], start: u32, limit: u32) -> Option<(Span, Vec<Span>)> {
    let of = text.get(start as usize..limit as usize)?;
    if of.first() != Some(&b'(') {
        return None;
    }
    let (mut depth, mut from, mut parts) = (0_i32, 1, vec![]);
    for (at, &byte) in of.iter().enumerate() {
        match byte {
            b'(' | b'<' | b'[' | b'{' => depth += 1,
            b'>' if of[at - 1] == b'-' => {}
            b')' | b'>' | b']' | b'}' => depth -= 1,
            b'"' => return None,
            _ => {}
        }
        if depth == 0 || depth == 1 && byte == b',' {
            let part = &of[from..at];
            let spaces = part.len() - part.trim_ascii_start().len();
            if !part.trim_ascii().is_empty() {
                let begin = start + (from + spaces) as u32;
                parts.push(begin..begin + part.trim_ascii().len() as u32);
            }
            from = at + 1;
        }
        if depth == 0 {
            return Some((start + 1..start + at as u32, parts));
        }
    }
    None
}
