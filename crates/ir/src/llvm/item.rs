use super::read::Reader;
use super::token::{Token, TokenKind};
use super::ty::{closed, ty};
use super::word::{is_node, words};
use crate::module::{Definition, Function, Item, ItemKind, Target, Use, Value, Word, WordKind};

/// The linkages of items that are not visible outside the module, or that exist only for their
/// uses.
pub(crate) const LOCAL: &[&[u8]] = &[
    b"internal",
    b"private",
    b"linkonce",
    b"linkonce_odr",
    b"available_externally",
    b"external",
    b"extern_weak",
];

impl Reader<'_> {
    /// Determines the kind of an item, and adds the item.
    pub(super) fn classify(&mut self, mut item: Item, tokens: &[Token]) {
        let first = tokens[0];
        let number = self.module.items.len() as u32;
        let start = self.module.uses.len() as u32;
        let first_word = self.module.words.len() as u32;
        match first.kind {
            TokenKind::Word => match first.of(self.text) {
                b"define" | b"declare" if self.function(&mut item, tokens) => {}
                b"attributes" => {
                    self.named(&mut item, tokens.get(1), ItemKind::Attributes);
                    words(
                        self.text,
                        tokens.get(2..).unwrap_or_default(),
                        &mut self.module.words,
                    );
                    self.uses(tokens.get(2..).unwrap_or_default());
                }
                b"source_filename" | b"target" => item.kind = ItemKind::Property,
                _ => self.uses(tokens),
            },
            TokenKind::Local => {
                self.named(&mut item, Some(&first), ItemKind::Type);
                self.uses(&tokens[1..]);
            }
            TokenKind::Comdat => self.named(&mut item, Some(&first), ItemKind::Comdat),
            TokenKind::Metadata => {
                let kind = match is_node(first, self.text) {
                    true => ItemKind::Metadata,
                    false => ItemKind::NamedMetadata,
                };
                self.named(&mut item, Some(&first), kind);
                self.loop_words(tokens);
                self.uses(&tokens[1..]);
            }
            TokenKind::Global => self.global(&mut item, tokens),
            _ => self.uses(tokens),
        }
        item.uses = start..self.module.uses.len() as u32;
        item.words = first_word..self.module.words.len() as u32;
        if let Some(symbol) = item.name {
            self.module.symbols.define(symbol, number);
        }
        self.module.items.push(item);
    }

    fn named(&mut self, item: &mut Item, name: Option<&Token>, kind: ItemKind) {
        if let Some(name) = name {
            item.name = Some(self.module.symbols.intern(name.of(self.text)));
            item.name_span = name.span();
            item.kind = kind;
        }
    }

    /// Records the operands of a node for a loop as words: `!7 = distinct !{!7, !8, !9}`. Among
    /// them are places in the source, by which the node needs all debug information.
    fn loop_words(&mut self, tokens: &[Token]) {
        let open = tokens.iter().position(|token| token.is(b'{'));
        let operands = open.map_or(&[][..], |open| &tokens[open + 1..]);
        let is_own = |token: &Token| token.of(self.text) == tokens[0].of(self.text);
        if !operands.first().is_some_and(is_own) {
            return;
        }
        for pair in operands.windows(2) {
            if let [comma, node] = pair
                && comma.is(b',')
                && is_node(*node, self.text)
            {
                self.module.words.push(Word {
                    span: comma.start..node.end,
                    kind: WordKind::Metadata,
                });
            }
        }
    }

    /// Records the uses of tokens outside of a body.
    fn uses(&mut self, tokens: &[Token]) {
        for (at, token) in tokens.iter().enumerate() {
            let is_name = match token.kind {
                TokenKind::Local | TokenKind::Global | TokenKind::Group | TokenKind::Comdat => true,
                TokenKind::Metadata => is_node(*token, self.text),
                TokenKind::Word if token.of(self.text) == b"blockaddress" => {
                    self.freeze_block_address(tokens, at);
                    false
                }
                _ => false,
            };
            if is_name {
                self.symbol_use(*token);
            }
        }
    }

    /// Records the uses of tokens after the name of an item. The word `comdat` alone is a use of
    /// the group with the name of the item.
    fn uses_behind(&mut self, name: Token, tokens: &[Token]) {
        let is_alone = |at: &usize| {
            let is_named = tokens.get(at + 1).is_some_and(|next| next.is(b'('));
            tokens[*at].of(self.text) == b"comdat" && !is_named
        };
        let Some(at) = (0..tokens.len()).find(is_alone) else {
            return self.uses(tokens);
        };
        self.uses(&tokens[..at]);
        let own = name.of(self.text).get(1..).unwrap_or_default();
        let symbol = self.module.symbols.intern(&[b"$", own].concat());
        self.module.uses.push(Use {
            span: tokens[at].span(),
            target: Target::Symbol(symbol),
        });
        self.uses(&tokens[at + 1..]);
    }

    /// Records that blocks of a function have addresses: `blockaddress(@f, %block)`.
    pub(super) fn freeze_block_address(&mut self, tokens: &[Token], at: usize) {
        if let Some(name) = tokens
            .get(at + 2)
            .filter(|name| name.kind == TokenKind::Global)
        {
            let symbol = self.module.symbols.intern(name.of(self.text));
            self.rigid.push(symbol);
        }
    }

    fn is_local(&self, tokens: &[Token]) -> bool {
        tokens
            .iter()
            .any(|token| LOCAL.contains(&token.of(self.text)))
    }

    /// Reads a variable or an alias.
    fn global(&mut self, item: &mut Item, tokens: &[Token]) {
        self.named(item, tokens.first(), ItemKind::Opaque);
        words(self.text, tokens, &mut self.module.words);
        self.uses_behind(tokens[0], &tokens[1..]);
        let is_kind = |token: &Token| {
            matches!(
                token.of(self.text),
                b"global" | b"constant" | b"alias" | b"ifunc"
            )
        };
        let Some(at) = tokens.iter().position(is_kind) else {
            return;
        };
        let head = &tokens[..at];
        item.is_local = self.is_local(head);
        if matches!(tokens[at].of(self.text), b"alias" | b"ifunc") {
            item.kind = ItemKind::Alias;
            return;
        }
        item.kind = ItemKind::Global;
        let is_numbered = tokens[0]
            .of(self.text)
            .get(1)
            .is_some_and(u8::is_ascii_digit);
        let is_special =
            head.iter().any(|token| token.of(self.text) == b"appending") || is_numbered;
        item.is_frozen = is_special;
        item.is_local &= !is_numbered;
        let Some(of) = ty(self.text, tokens, at + 1) else {
            return;
        };
        item.ty = Some(tokens[at + 1].start..tokens[of.end - 1].end);
        let is_declared =
            |token: &Token| matches!(token.of(self.text), b"external" | b"extern_weak");
        if head.iter().any(is_declared) {
            return;
        }
        let mut end = of.end;
        while let Some(token) = tokens.get(end) {
            end = match token.kind {
                TokenKind::Mark(b',') => break,
                TokenKind::Mark(b'(' | b'[' | b'{' | b'<') => {
                    closed(tokens, end).unwrap_or(tokens.len())
                }
                _ => end + 1,
            };
        }
        if end > of.end {
            item.initializer = Some(tokens[of.end].start..tokens[end - 1].end);
        }
    }

    /// Reads a function. Returns whether the tokens are one.
    fn function(&mut self, item: &mut Item, tokens: &[Token]) -> bool {
        let Some(name) = tokens
            .iter()
            .position(|token| token.kind == TokenKind::Global)
        else {
            return false;
        };
        let Some(after) = closed(tokens, name + 1).filter(|_| tokens[name + 1].is(b'(')) else {
            return false;
        };
        let has_body = tokens[0].of(self.text) == b"define";
        let open = match has_body {
            true => body(tokens, after),
            false => Some(tokens.len()),
        };
        let Some(open) = open else { return false };
        self.named(item, tokens.get(name), ItemKind::Declaration);
        item.parameters = Some(tokens[name + 1].start..tokens[after - 1].end);
        item.is_local = !has_body || self.is_local(&tokens[..name]);
        let result = (1..name).find(|&at| starts_type(self.text, tokens, at));
        item.ty = result.and_then(|at| {
            let of = ty(self.text, tokens, at).filter(|of| of.end == name)?;
            Some(tokens[at].start..tokens[of.end - 1].end)
        });
        words(self.text, &tokens[..open], &mut self.module.words);
        self.uses(&tokens[1..name]);
        self.uses_behind(tokens[name], &tokens[name + 1..open]);
        if !has_body {
            return true;
        }
        let end = match tokens.last() {
            Some(last) if last.is(b'}') => tokens.len() - 1,
            _ => tokens.len(),
        };
        let function = self.module.functions.len() as u32;
        item.kind = ItemKind::Function(function);
        self.names.clear();
        self.numbers.clear();
        self.next_number = 0;
        let first = self.module.values.len() as u32;
        let spans = self.parameters(&tokens[name + 2..after - 1], function);
        self.module.functions.push(Function {
            item: self.module.items.len() as u32,
            body: tokens[open].end..tokens.get(end).map_or(item.core.end, |close| close.start),
            parameters: first..self.module.values.len() as u32,
            parameter_spans: spans,
            blocks: 0..0,
            is_rigid: item.ty.is_none() || end == tokens.len(),
        });
        self.body(&tokens[(open + 1).min(end)..end]);
        true
    }

    /// Adds the values of parameters. Returns their spans.
    fn parameters(&mut self, tokens: &[Token], function: u32) -> Vec<crate::Span> {
        let mut spans = vec![];
        for part in parts(tokens) {
            let tokens = &tokens[part];
            let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
                continue;
            };
            let Some(of) = ty(self.text, tokens, 0) else {
                continue;
            };
            let is_named = last.kind == TokenKind::Local && tokens.len() > of.end;
            let name = match is_named {
                true => last.span(),
                false => last.end..last.end,
            };
            self.define(Value {
                name,
                definition: Definition::Parameter(function),
                number: None,
                ty: Some(first.start..tokens[of.end - 1].end),
            });
            spans.push(first.start..last.end);
        }
        spans
    }
}

/// Returns the ranges of tokens between commas that are not in brackets.
pub(crate) fn parts(tokens: &[Token]) -> Vec<std::ops::Range<usize>> {
    let (mut parts, mut start, mut depth) = (vec![], 0, 0_u32);
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Mark(b'(' | b'[' | b'{' | b'<') => depth += 1,
            TokenKind::Mark(b')' | b']' | b'}' | b'>') => depth = depth.saturating_sub(1),
            TokenKind::Mark(b',') if depth == 0 => {
                parts.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    if start < tokens.len() {
        parts.push(start..tokens.len());
    }
    parts
}

/// Returns whether a type begins at a token. The type may have attributes, as in
/// `dereferenceable(8) ptr` and `cc 10 { i32, i8 }`.
pub(crate) fn starts_type(text: &[u8], tokens: &[Token], at: usize) -> bool {
    let token = tokens[at];
    // A type inside an attribute, as in `sret(%T)`, does not count.
    let is_inside = at > 0 && tokens[at - 1].is(b'(');
    match token.kind {
        TokenKind::Local | TokenKind::Mark(b'{' | b'[' | b'<') => !is_inside,
        TokenKind::Word => {
            !is_inside && (super::ty::is_word(token.of(text)) || token.of(text) == b"target")
        }
        _ => false,
    }
}

/// Returns the bracket that opens the body of a function, after its parameters: the last one of the
/// head that is not closed before the end of the line.
fn body(tokens: &[Token], after: usize) -> Option<usize> {
    let mut at = after;
    loop {
        let token = tokens.get(at)?;
        match token.kind {
            TokenKind::Mark(b'{') => {
                // Braces before the body are data of the function: `prefix { i32, i8 } { i32 1, i8
                // 2 } {`.
                let close = closed(tokens, at);
                match close.filter(|&close| close < tokens.len()) {
                    Some(close) => at = close,
                    None => return Some(at),
                }
            }
            TokenKind::Mark(b'(' | b'[') => at = closed(tokens, at)?,
            _ => at += 1,
        }
    }
}
