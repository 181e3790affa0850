use super::read::Reader;
use super::token::{Token, TokenKind};
use super::ty::is_word;
use super::word::{is_node, words};
use crate::Span;
use crate::module::{Block, Definition, Instruction, ItemKind, Op, Target, Use, Value};
use std::ops::Range;

/// A statement of a body, by its tokens.
struct Statement {
    tokens: Range<usize>,
    is_label: bool,
}

impl<'a> Reader<'a> {
    /// Reads the body of the last function.
    pub(super) fn body(&mut self, tokens: &[Token]) {
        let statements = self.statements(tokens);
        let first_block = self.module.blocks.len();
        let first = self.module.instructions.len();
        let mut of: Vec<Range<usize>> = vec![];
        let mut end = self
            .module
            .functions
            .last()
            .map_or(0, |function| function.body.start);
        let mut is_open = false;
        for statement in &statements {
            let within = &tokens[statement.tokens.clone()];
            let span = self.lines(within, tokens.get(statement.tokens.end).copied(), end);
            end = span.end;
            if statement.is_label || !is_open {
                let label = match statement.is_label {
                    true => Some((within[0], span.clone())),
                    false => None,
                };
                self.block(label);
                is_open = true;
            }
            if statement.is_label {
                continue;
            }
            is_open = !self.instruction(within, span);
            of.push(statement.tokens.clone());
        }
        for (at, range) in of.into_iter().enumerate() {
            self.operands(first + at, &tokens[range]);
        }
        self.close(first_block, is_open);
    }

    /// Sets the facts that are known when all blocks have been read.
    fn close(&mut self, first_block: usize, is_open: bool) {
        let module = &mut self.module;
        let Some(function) = module.functions.last_mut() else {
            return;
        };
        function.blocks = first_block as u32..module.blocks.len() as u32;
        function.is_rigid |= is_open || function.blocks.is_empty();
        for block in &module.blocks[first_block..] {
            let range = block.instructions.start as usize..block.instructions.end as usize;
            let last = module.instructions[range].last();
            function.is_rigid |=
                last.is_none_or(|last| !last.op.is_terminator() || last.op == Op::Rigid);
        }
    }

    /// Divides a body into statements. They begin at the beginning of a line, at a definition, and
    /// at words that cannot be operands.
    fn statements(&self, tokens: &[Token]) -> Vec<Statement> {
        let mut statements: Vec<Statement> = vec![];
        let mut depth = 0_u32;
        for (at, token) in tokens.iter().enumerate() {
            if depth == 0 && self.begins(tokens, at) || at == 0 {
                if let Some(last) = statements.last_mut() {
                    last.tokens.end = at;
                }
                statements.push(Statement {
                    tokens: at..tokens.len(),
                    is_label: token.kind == TokenKind::Label,
                });
                if token.kind == TokenKind::Label && at + 1 < tokens.len() {
                    statements.push(Statement {
                        tokens: at + 1..tokens.len(),
                        is_label: false,
                    });
                    let count = statements.len();
                    statements[count - 2].tokens.end = at + 1;
                }
            }
            match token.kind {
                TokenKind::Mark(b'(' | b'[' | b'{') => depth += 1,
                TokenKind::Mark(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        statements.retain(|statement| !statement.tokens.is_empty());
        statements
    }

    /// Returns whether a token outside of all brackets begins a statement.
    fn begins(&self, tokens: &[Token], at: usize) -> bool {
        let token = tokens[at];
        let before = at.checked_sub(1).map(|before| tokens[before]);
        let is_begun = before.is_some_and(|before| {
            before.is(b'=')
                || before.is(b',')
                || matches!(before.of(self.text), b"tail" | b"musttail" | b"notail")
        });
        // The statement after a label has started.
        if is_begun || before.is_some_and(|before| before.kind == TokenKind::Label) {
            return false;
        }
        let word = token.of(self.text);
        match token.kind {
            TokenKind::Label | TokenKind::Record => true,
            TokenKind::Local if tokens.get(at + 1).is_some_and(|next| next.is(b'=')) => true,
            TokenKind::Word if token.is_first => {
                !matches!(word, b"to" | b"unwind" | b"catch" | b"filter" | b"cleanup")
            }
            TokenKind::Word => BEGINNINGS.contains(&word),
            _ => false,
        }
    }

    /// Returns the lines of a statement, if nothing else is on them, and otherwise its text with
    /// the space after it. That of a label has the space before it as well.
    fn lines(&self, tokens: &[Token], next: Option<Token>, end: u32) -> Span {
        let (first, last) = (tokens[0], tokens[tokens.len() - 1]);
        let start = match (first.kind, first.is_first) {
            (TokenKind::Label, _) => end.min(first.start),
            (_, true) => {
                let before = self
                    .text
                    .get(end as usize..first.start as usize)
                    .unwrap_or_default();
                let line = before.iter().rposition(|&byte| byte == b'\n');
                line.map_or(end, |line| end + line as u32 + 1)
                    .min(first.start)
            }
            (_, false) => first.start,
        };
        start..self.line_end(last.end, next)
    }

    fn block(&mut self, label: Option<(Token, Span)>) {
        let number = self.module.blocks.len() as u32;
        let (name, label) = match label {
            Some((token, span)) => (token.start..token.end - 1, span),
            None => (0..0, 0..0),
        };
        let value = self.define(Value {
            name,
            definition: Definition::Block(number),
            number: None,
            ty: None,
        });
        let next = self.module.instructions.len() as u32;
        self.module.blocks.push(Block {
            value,
            label,
            instructions: next..next,
        });
    }

    /// Adds a value of the current function, by its name or by the next number.
    pub(super) fn define(&mut self, mut value: Value) -> u32 {
        let index = self.module.values.len() as u32;
        let text = self.text;
        let name = text
            .get(value.name.start as usize..value.name.end as usize)
            .unwrap_or_default();
        let name = name.strip_prefix(b"%").unwrap_or(name);
        let number = match name.is_empty() {
            true => Some(self.next_number),
            false => number(name),
        };
        match number {
            Some(number) => {
                self.numbers.entry(number).or_insert(index);
                self.next_number = number.saturating_add(1);
            }
            None => {
                self.names.entry(name).or_insert(index);
            }
        }
        value.number = number;
        self.module.values.push(value);
        index
    }

    /// Adds an instruction without its operands. Returns whether it ends a block.
    fn instruction(&mut self, tokens: &[Token], span: Span) -> bool {
        let index = self.module.instructions.len() as u32;
        let has_result =
            tokens[0].kind == TokenKind::Local && tokens.get(1).is_some_and(|next| next.is(b'='));
        let code = &tokens[if has_result { 2 } else { 0 }..];
        let op = self.op(code);
        // A result without a name still has a number.
        let has_value = has_result || self.has_value(code, op);
        let result = has_value.then(|| {
            let ty = self.result_type(code);
            let name = match has_result {
                true => tokens[0].span(),
                false => tokens[0].start..tokens[0].start,
            };
            self.define(Value {
                name,
                definition: Definition::Instruction(index),
                number: None,
                ty,
            })
        });
        let block = self.module.blocks.len() as u32 - 1;
        self.module.instructions.push(Instruction {
            span,
            core: tokens[0].start..tokens[tokens.len() - 1].end,
            op,
            result,
            uses: 0..0,
            words: 0..0,
            block,
        });
        if let Some(block) = self.module.blocks.last_mut() {
            block.instructions.end = index + 1;
        }
        op.is_terminator()
    }

    /// Records the operands and words of an instruction.
    fn operands(&mut self, index: usize, tokens: &[Token]) {
        let first_use = self.module.uses.len() as u32;
        let first_word = self.module.words.len() as u32;
        let has_name =
            tokens[0].kind == TokenKind::Local && tokens.get(1).is_some_and(|next| next.is(b'='));
        let start = if has_name { 2 } else { 0 };
        for (at, token) in tokens.iter().enumerate().skip(start) {
            match token.kind {
                TokenKind::Local => self.local(tokens, at),
                TokenKind::Global | TokenKind::Group | TokenKind::Comdat => self.symbol_use(*token),
                TokenKind::Metadata if is_node(*token, self.text) => self.symbol_use(*token),
                TokenKind::Word if token.of(self.text) == b"blockaddress" => {
                    self.freeze_block_address(tokens, at);
                }
                TokenKind::Word if token.of(self.text) == b"ptr" => {
                    self.pointer.get_or_insert(token.span());
                }
                _ => {}
            }
        }
        if self.module.instructions[index].op != Op::Debug {
            words(self.text, &tokens[start..], &mut self.module.words);
        }
        let instruction = &mut self.module.instructions[index];
        instruction.uses = first_use..self.module.uses.len() as u32;
        instruction.words = first_word..self.module.words.len() as u32;
    }

    /// Records the use of a local name, which names a value or a type.
    fn local(&mut self, tokens: &[Token], at: usize) {
        let token = tokens[at];
        let name = &token.of(self.text)[1..];
        let value = match number(name) {
            Some(number) => self.numbers.get(&number),
            None => self.names.get(name),
        };
        match value.copied() {
            Some(value) if !self.is_type(tokens, at) => self.module.uses.push(Use {
                span: token.span(),
                target: Target::Value(value),
            }),
            _ => self.symbol_use(token),
        }
    }

    /// Returns whether a local name is a type at the given position, if it names both a value and a
    /// type.
    fn is_type(&self, tokens: &[Token], at: usize) -> bool {
        let symbols = &self.module.symbols;
        let item = symbols
            .find(tokens[at].of(self.text))
            .and_then(|symbol| symbols.item(symbol));
        let Some(item) = item else { return false };
        if self.module.items[item as usize].kind != ItemKind::Type {
            return false;
        }
        let next_is_value = tokens.get(at + 1).is_some_and(|next| {
            matches!(
                next.kind,
                TokenKind::Local | TokenKind::Global | TokenKind::Mark(b'*' | b'(' | b'{')
            )
        });
        let before = at
            .checked_sub(1)
            .map_or(&b""[..], |before| tokens[before].of(self.text));
        next_is_value || TYPED.contains(&before) && !is_word(before)
    }
}

/// Returns the number that a name stands for.
pub(super) fn number(name: &[u8]) -> Option<u32> {
    let is_number = !name.is_empty() && name.iter().all(u8::is_ascii_digit);
    is_number.then(|| std::str::from_utf8(name).ok()?.parse().ok())?
}

/// Words that begin a statement, wherever they are on a line.
const BEGINNINGS: &[&[u8]] = &[
    b"br",
    b"ret",
    b"switch",
    b"store",
    b"call",
    b"tail",
    b"musttail",
    b"notail",
    b"invoke",
    b"unreachable",
    b"resume",
    b"indirectbr",
    b"callbr",
    b"fence",
];

/// Words before a type that has no value after it.
const TYPED: &[&[u8]] = &[
    b"alloca",
    b"load",
    b"getelementptr",
    b"inbounds",
    b"nuw",
    b"nusw",
    b"inalloca",
    b"volatile",
    b"phi",
    b"store",
    b"ret",
    b"insertvalue",
    b"extractvalue",
    b"freeze",
    b"call",
];
