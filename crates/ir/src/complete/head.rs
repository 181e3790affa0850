use super::body::Body;
use super::state::Cut;
use crate::llvm::parts;
use crate::llvm::token::TokenKind;
use crate::llvm::ty::closed;
use crate::module::{ItemKind, Span, WordKind};

impl Body<'_, '_> {
    /// Adds the cuts of the head: new numbers, and the removal of parameters and results.
    pub(super) fn head(&mut self) {
        let module = self.all.module;
        let item = &module.items[self.function.item as usize];
        let Some(parameters) = item.parameters.clone() else {
            return;
        };
        let mut cuts: Vec<Cut> = vec![];
        let removed: Vec<bool> = self
            .function
            .parameters
            .clone()
            .map(|value| self.all.loses(self.function.item, value))
            .collect();
        let spans = &self.function.parameter_spans;
        for span in removed_parts(spans, &removed, parameters.end - 1) {
            cuts.push(Cut { span, text: vec![] });
        }
        let item_number = self.function.item;
        let has_others = self.all.keeps_parameters(item_number);
        let name = |value| self.added_name(value).unwrap_or_default();
        let text = self.all.added_text(item_number, has_others, name);
        if !text.is_empty() {
            let end = parameters.end - 1;
            cuts.push(Cut {
                span: end..end,
                text,
            });
        }
        for value in self.function.parameters.clone() {
            let name = module.values[value as usize].name.clone();
            if let Some(number) = self.numbers.get(&value).filter(|_| !name.is_empty()) {
                cuts.push(Cut {
                    span: name,
                    text: format!("%{number}").into_bytes(),
                });
            }
        }
        if let (Some(ty), Some(text)) = (item.ty.clone(), self.new_type()) {
            cuts.push(Cut {
                span: ty.clone(),
                text,
            });
            // The words are attributes of the result.
            for word in item.words.clone().map(|word| &module.words[word as usize]) {
                let text = module.bytes(&word.span).trim_ascii();
                let is_of_result = word.span.end <= ty.start && !LINKAGE.contains(&text);
                if is_of_result || text == b"returned" {
                    cuts.push(Cut {
                        span: word.span.clone(),
                        text: vec![],
                    });
                }
            }
        }
        let is_changed = !cuts.is_empty();
        let head = item.core.start..parameters.end;
        for word in item
            .words
            .clone()
            .filter(|&word| self.all.change.words.contains(word))
        {
            let span = module.words[word as usize].span.clone();
            if is_changed && span.end <= head.end {
                cuts.push(Cut { span, text: vec![] });
            } else {
                self.all.cuts.push(Cut { span, text: vec![] });
            }
        }
        if is_changed {
            let text = self.apply(&head, cuts);
            self.all.cuts.push(Cut { span: head, text });
        }
    }

    /// Removes arguments and the result from the call of a function that no longer has them.
    pub(super) fn call(&self, at: u32, replace: &mut impl FnMut(Span, Vec<u8>)) {
        let module = self.all.module;
        let Some((nth, item)) = module
            .callee(at)
            .filter(|(_, item)| self.all.called.contains(*item))
        else {
            return;
        };
        let ItemKind::Function(number) = module.items[item as usize].kind else {
            return;
        };
        let function = &module.functions[number as usize];
        let instruction = &module.instructions[at as usize];
        let tokens = self.tokens(&instruction.core);
        let name = module.uses[nth as usize].span.clone();
        let index = tokens.partition_point(|token| token.start < name.start);
        let Some(end) = closed(&tokens, index + 1) else {
            return;
        };
        let arguments = &tokens[index + 2..end - 1];
        let spans: Vec<Span> = parts(arguments)
            .into_iter()
            .map(|part| arguments[part.start].start..arguments[part.end - 1].end)
            .collect();
        let removed: Vec<bool> = function
            .parameters
            .clone()
            .map(|value| self.all.change.parameters.contains(value))
            .collect();
        for span in removed_parts(&spans, &removed, tokens[end - 1].start) {
            replace(span, vec![]);
        }
        let undefined = |_| self.all.change.undefined.text().to_vec();
        let has_others = self.all.keeps_parameters(item);
        let text = self.all.added_text(item, has_others, undefined);
        if !text.is_empty() {
            let end = tokens[end - 1].start;
            replace(end..end, text);
        }
        if !self.all.change.results.contains(number) {
            return;
        }
        // `%x = call zeroext i8 @f(…)` becomes `call void @f(…)`.
        let code = match tokens.get(1) {
            Some(token) if token.is(b'=') => 2,
            _ => 0,
        };
        let result =
            (code + 1..index).find(|&at| crate::llvm::starts_type(&module.text, &tokens, at));
        let (Some(result), Some(first)) = (result, tokens.get(code)) else {
            return;
        };
        let Some(of) = crate::llvm::ty::ty(&module.text, &tokens, result) else {
            return;
        };
        replace(tokens[0].start..first.start, vec![]);
        replace(
            tokens[result].start..tokens[of.base - 1].end,
            b"void".to_vec(),
        );
        for word in instruction
            .words
            .clone()
            .map(|word| &module.words[word as usize])
        {
            let text = module.bytes(&word.span).trim_ascii();
            let is_of_result = word.span.end <= tokens[result].start && !LINKAGE.contains(&text);
            if is_of_result && word.kind != WordKind::Attributes {
                replace(word.span.clone(), vec![]);
            }
        }
    }
}

/// Words before the type of a function or call that are not about its result.
const LINKAGE: &[&[u8]] = &[
    b"internal",
    b"private",
    b"linkonce",
    b"linkonce_odr",
    b"weak",
    b"weak_odr",
    b"available_externally",
    b"hidden",
    b"protected",
    b"dllexport",
    b"dso_local",
    b"fastcc",
    b"coldcc",
    b"tail",
    b"notail",
];

/// Returns the spans of the parts of a list that are removed, each with one comma.
fn removed_parts(parts: &[Span], removed: &[bool], end: u32) -> Vec<Span> {
    let mut spans: Vec<Span> = vec![];
    let is_removed = |at: usize| removed.get(at).copied().unwrap_or(false);
    let mut is_first = true;
    for (at, part) in parts.iter().enumerate() {
        if is_removed(at) {
            let next = parts
                .get(at + 1)
                .map_or(end.max(part.end), |next| next.start);
            let span = match is_first {
                true => part.start..next,
                false => parts[at - 1].end..part.end,
            };
            match spans.last_mut() {
                Some(last) if last.end >= span.start => last.end = span.end.max(last.end),
                _ => spans.push(span),
            }
        } else {
            is_first = false;
        }
    }
    spans
}

/// Returns the text of a function without its body, from the text of its head.
pub(super) fn declaration(text: &[u8], tokens: &[crate::llvm::token::Token]) -> Option<Vec<u8>> {
    let name = tokens
        .iter()
        .position(|token| token.kind == TokenKind::Global)?;
    let after = closed(tokens, name + 1)?;
    let mut out = b"declare".to_vec();
    // A definition and its declaration have the same linkage and visibility.
    let mut at = 1;
    while at < name {
        let token = tokens[at];
        if !DEFINED.contains(&token.of(text)) {
            separate(&mut out, text, tokens, at);
            out.extend_from_slice(token.of(text));
        }
        at += 1;
    }
    out.push(b' ');
    out.extend_from_slice(tokens[name].of(text));
    out.push(b'(');
    let inner = &tokens[name + 2..after - 1];
    for (nth, part) in parts(inner).into_iter().enumerate() {
        if nth > 0 {
            out.extend_from_slice(b", ");
        }
        let part = &inner[part];
        let of = crate::llvm::ty::ty(text, part, 0);
        let is_named = part
            .last()
            .is_some_and(|last| last.kind == TokenKind::Local)
            && of.is_some_and(|of| part.len() > of.end);
        let part = &part[..part.len() - usize::from(is_named)];
        if let (Some(first), Some(last)) = (part.first(), part.last()) {
            out.extend_from_slice(text.get(first.start as usize..last.end as usize)?);
        }
    }
    out.push(b')');
    for group in tokens[after..]
        .iter()
        .filter(|token| token.kind == TokenKind::Group)
    {
        out.push(b' ');
        out.extend_from_slice(group.of(text));
    }
    Some(out)
}

/// Adds a space before a token where there was one.
fn separate(out: &mut Vec<u8>, text: &[u8], tokens: &[crate::llvm::token::Token], at: usize) {
    let between = tokens[at - 1].end as usize..tokens[at].start as usize;
    if at == 1 || text.get(between).is_some_and(|space| !space.is_empty()) {
        out.push(b' ');
    }
}

/// Words that only definitions have.
const DEFINED: &[&[u8]] = &[
    b"internal",
    b"private",
    b"linkonce",
    b"linkonce_odr",
    b"weak",
    b"weak_odr",
    b"available_externally",
    b"dso_local",
    b"dso_preemptable",
    b"dllexport",
    b"hidden",
    b"protected",
    b"default",
    b"external",
];
