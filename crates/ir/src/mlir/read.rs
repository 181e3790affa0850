use super::facts::{Arguments, Facts, Operation, Region};
use super::open::Open;
use super::scope::Scopes;
use super::token::{Kind, Token, brackets, tokens};
use crate::Symbols;
use crate::module::{Block, Definition, Item, ItemKind, Module, Op, Span, Target, Use, Value};
use std::sync::Arc;

/// Reads a module. Returns `None` if the text cannot be a module in MLIR.
///
/// Cost: linear in the text.
pub(crate) fn read(text: &[u8]) -> Option<Module> {
    if !is_likely(text) {
        return None;
    }
    let tokens = tokens(text);
    let close = brackets(&tokens);
    let mut reader = Reader::new(text, &tokens, &close);
    reader.run();
    Some(reader.finish())
}

/// Returns whether some line begins an operation of a dialect, or one in the generic form.
fn is_likely(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n').take(1 << 16).any(|line| {
        let line = line.trim_ascii();
        let operation = match line.iter().position(|&byte| byte == b'=') {
            Some(at) if line.starts_with(b"%") => line[at + 1..].trim_ascii_start(),
            _ => line,
        };
        if operation.starts_with(b"module") && line.ends_with(b"{") {
            return true;
        }
        let name = operation.strip_prefix(b"\"").unwrap_or(operation);
        let end = name
            .iter()
            .position(|&byte| !(byte.is_ascii_alphanumeric() || byte == b'_'));
        let Some(end) = end.filter(|&end| end > 0 && name[end] == b'.') else {
            return false;
        };
        let has_body = line.ends_with(b"{") && line.contains(&b'@') || line.ends_with(b"({");
        has_body && name[end + 1..].first().is_some_and(u8::is_ascii_alphabetic)
    })
}

/// A module that is being read.
pub(super) struct Reader<'a> {
    pub(super) text: &'a [u8],
    pub(super) tokens: &'a [Token],
    pub(super) close: &'a [u32],
    pub(super) module: Module,
    pub(super) facts: Facts,
    pub(super) scopes: Scopes<'a>,
    pub(super) frames: Vec<Frame>,
    /// The index of the next token.
    pub(super) at: usize,
    /// The end of the last item.
    pub(super) item_end: u32,
    /// The first use that is not in any item.
    pub(super) first_use: u32,
    pub(super) first_word: u32,
    /// The types that operations print for all of their operands.
    pub(super) operand_types: Vec<(u32, Vec<Span>)>,
    /// A position at which the type of truth values is written, and a position at which the type of
    /// indices is written.
    pub(super) truth: Option<Span>,
    pub(super) index: Option<Span>,
}

/// A list of operations around the next token.
#[derive(Debug)]
pub(super) struct Frame {
    /// The index of the token that ends the list.
    pub(super) end: usize,
    /// The region; `None` for a list of items.
    pub(super) region: Option<u32>,
    /// The current block of the region.
    pub(super) block: Option<u32>,
    /// The operation that is being read.
    pub(super) open: Option<Open>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8], tokens: &'a [Token], close: &'a [u32]) -> Self {
        let mut scopes = Scopes::default();
        scopes.enter();
        Reader {
            text,
            tokens,
            close,
            module: Module {
                text: text.into(),
                items: vec![],
                functions: vec![],
                blocks: vec![],
                instructions: vec![],
                values: vec![],
                uses: vec![],
                symbols: Symbols::default(),
                words: vec![],
                has_untyped_pointers: true,
                spirv: None,
                mlir: None,
            },
            facts: Facts::default(),
            scopes,
            frames: vec![Frame {
                end: tokens.len(),
                region: None,
                block: None,
                open: None,
            }],
            at: 0,
            item_end: 0,
            first_use: 0,
            first_word: 0,
            operand_types: vec![],
            truth: tokens
                .iter()
                .find(|token| token.of(text) == b"i1")
                .map(|token| token.span()),
            index: tokens
                .iter()
                .find(|token| token.of(text) == b"index")
                .map(|token| token.span()),
        }
    }

    fn run(&mut self) {
        while let Some(frame) = self.frames.last() {
            if frame.open.is_some() {
                self.scan();
            } else if self.at >= frame.end {
                self.leave();
            } else if frame.region.is_some() && self.tokens[self.at].kind == Kind::Label {
                self.label();
            } else {
                self.begin();
            }
        }
    }

    /// Ends a list of operations, and continues with the operation around it.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.at = frame.end;
        if let Some(region) = frame.region {
            self.end_block(frame.block);
            let blocks = self.module.blocks.len() as u32;
            self.facts.regions[region as usize].blocks.end = blocks;
        }
        self.scopes.leave(&mut self.module);
        if !self.frames.is_empty() {
            // The closing brace is skipped.
            self.at = (frame.end + 1).min(self.tokens.len());
        }
    }

    /// Enters a region whose brace is the next token.
    pub(super) fn enter(&mut self, is_list: bool) {
        let end = self.close[self.at] as usize;
        let brace = self.tokens[self.at];
        self.scopes.enter();
        self.at += 1;
        if is_list {
            self.frames.push(Frame {
                end,
                region: None,
                block: None,
                open: None,
            });
            return;
        }
        let owner = self
            .frames
            .last()
            .and_then(|frame| frame.open.as_ref()?.instruction);
        let blocks = self.module.blocks.len() as u32;
        let region = self.facts.regions.len() as u32;
        let close = self
            .tokens
            .get(end)
            .map_or(self.text.len() as u32, |token| token.start);
        self.facts.regions.push(Region {
            span: brace.end..close,
            owner,
            blocks: blocks..blocks,
        });
        self.frames.push(Frame {
            end,
            region: Some(region),
            block: None,
            open: None,
        });
        if self
            .tokens
            .get(self.at)
            .is_none_or(|token| token.kind != Kind::Label)
        {
            let at = self
                .tokens
                .get(self.at)
                .map_or(brace.end, |token| token.start);
            let at = self.line_start(at);
            self.block(at..at, at..at, Arguments::default());
        }
    }

    /// Starts a block.
    pub(super) fn block(&mut self, label: Span, name: Span, arguments: Arguments) {
        let region = self
            .frames
            .last()
            .and_then(|frame| frame.region)
            .unwrap_or_default();
        let value = self.value(
            name,
            Definition::Block(self.module.blocks.len() as u32),
            vec![],
        );
        let first = self.module.instructions.len() as u32;
        if let Some(frame) = self.frames.last_mut() {
            frame.block = Some(self.module.blocks.len() as u32);
        }
        self.module.blocks.push(Block {
            value,
            label,
            instructions: first..first,
        });
        self.facts.block_regions.push(region);
        self.facts.arguments.push(arguments);
    }

    fn end_block(&mut self, block: Option<u32>) {
        if let Some(block) = block {
            self.module.blocks[block as usize].instructions.end =
                self.module.instructions.len() as u32;
        }
    }

    /// Reads a label, and begins its block.
    fn label(&mut self) {
        let name = self.tokens[self.at];
        let limit = self.frames.last().map_or(0, |frame| frame.end);
        let present = self.frames.last().and_then(|frame| frame.block);
        self.end_block(present);
        let mut next = self.at + 1;
        let block = self.module.blocks.len() as u32;
        let mut arguments = Arguments::default();
        if next < limit && self.tokens[next].is(b'(') {
            let end = (self.close[next] as usize).min(limit);
            let close = self
                .tokens
                .get(end)
                .map_or(self.text.len() as u32, |token| token.start);
            arguments.list = Some(self.tokens[next].end..close);
            for token in &self.tokens[next + 1..end] {
                if matches!(token.kind, Kind::Attribute | Kind::Type) {
                    let symbol = self.module.symbols.intern(token.of(self.text));
                    self.module.uses.push(Use {
                        span: token.span(),
                        target: Target::Symbol(symbol),
                    });
                }
            }
            let (values, spans) = self.parameters(next + 1, end, Definition::Block(block));
            (arguments.values, arguments.spans) = (values, spans);
            next = (end + 1).min(limit);
        }
        if next < limit && self.tokens[next].is(b':') {
            next += 1;
        }
        let last = self.tokens[next - 1];
        self.at = next;
        let span = self.line_start(name.start)..self.line_end(last.end, next);
        self.block(span, name.span(), arguments);
        let value = self.module.blocks.last().map_or(0, |block| block.value);
        self.scopes.define(name.of(self.text), value);
    }

    /// Defines the values of a list with their types: `%a: i32, %b: f32`.
    pub(super) fn parameters(
        &mut self,
        mut at: usize,
        end: usize,
        of: Definition,
    ) -> (std::ops::Range<u32>, Vec<Span>) {
        let first = self.module.values.len() as u32;
        let mut spans = vec![];
        while at < end {
            let token = self.tokens[at];
            let is_typed =
                self.tokens.get(at + 1).is_some_and(|token| token.is(b':')) && at + 1 < end;
            if token.kind == Kind::Value && is_typed {
                let limit = super::ty::type_end(self.text, self.tokens, self.close, at + 2, end);
                let ty =
                    (limit > at + 2).then(|| self.tokens[at + 2].start..self.tokens[limit - 1].end);
                let value = self.value(token.span(), of, ty.into_iter().collect());
                self.scopes.define(token.of(self.text), value);
                at = limit.max(at + 2);
                // Attributes and a location belong to the parameter.
                while at < end && !self.tokens[at].is(b',') {
                    at = match self.tokens[at].kind {
                        Kind::Mark(b'(' | b'[' | b'{') => self.close[at] as usize + 1,
                        _ => at + 1,
                    };
                }
                at = at.min(end);
                spans.push(token.start..self.tokens[at - 1].end);
            }
            at += 1;
        }
        (first..self.module.values.len() as u32, spans)
    }

    /// Adds a value.
    pub(super) fn value(&mut self, name: Span, definition: Definition, types: Vec<Span>) -> u32 {
        let value = self.module.values.len() as u32;
        let ty = types.first().cloned();
        self.module.values.push(Value {
            name,
            definition,
            number: None,
            ty,
        });
        self.facts.types.push(types);
        value
    }

    /// Adds an item that ends with the current token.
    pub(super) fn item(&mut self, core: Span, end: u32, kind: ItemKind) -> &mut Item {
        let (uses, words) = (
            self.module.uses.len() as u32,
            self.module.words.len() as u32,
        );
        let item = Item {
            span: self.item_end..end,
            core: core.clone(),
            kind,
            name: None,
            name_span: core.start..core.start,
            uses: self.first_use..uses,
            words: self.first_word..words,
            is_local: false,
            is_frozen: false,
            is_addressed: false,
            initializer: None,
            ty: None,
            parameters: None,
        };
        (self.item_end, self.first_use, self.first_word) = (end, uses, words);
        let at = self.module.items.len();
        self.module.items.push(item);
        &mut self.module.items[at]
    }

    /// Returns the start of the line, if there are only spaces before the offset.
    pub(super) fn line_start(&self, at: u32) -> u32 {
        let before = &self.text[..at as usize];
        let spaces = before
            .iter()
            .rev()
            .take_while(|&&byte| byte == b' ' || byte == b'\t');
        let start = before.len() - spaces.count();
        match before[..start].last() {
            None | Some(b'\n') => start as u32,
            Some(_) => at,
        }
    }

    /// Returns the end of the line, if the token at `next` is on another line.
    pub(super) fn line_end(&self, at: u32, next: usize) -> u32 {
        if let Some(token) = self.tokens.get(next).filter(|token| !token.is_first) {
            return token.start;
        }
        let rest = self.text.get(at as usize..).unwrap_or_default();
        let len = rest.iter().position(|&byte| byte == b'\n');
        at + len.map_or(rest.len(), |len| len + 1) as u32
    }

    fn finish(mut self) -> Module {
        let end = self.text.len() as u32;
        match self.module.items.last_mut() {
            Some(last) => last.span.end = end,
            None => {
                self.item(0..end, end, ItemKind::Opaque);
            }
        }
        for successor in self
            .facts
            .operations
            .iter_mut()
            .flat_map(|of| &mut of.successors)
        {
            // So far, `label` is the number of the use.
            let target = self
                .module
                .uses
                .get(successor.label as usize)
                .map(|of| of.target);
            successor.label = match target {
                Some(Target::Value(value)) => value,
                _ => u32::MAX,
            };
        }
        self.infer();
        let numbers = self.tokens.iter().filter(|token| token.kind == Kind::Value);
        let numbers = numbers.filter_map(|token| {
            let digits = token.of(self.text).get(1..)?;
            let digits = digits.split(|&byte| byte == b'#').next()?;
            std::str::from_utf8(digits).ok()?.parse::<u32>().ok()
        });
        self.facts.next_number = numbers.max().map_or(0, |number| number.saturating_add(1));
        self.find_free();
        self.module.mlir = Some(Arc::new(self.facts));
        self.module
    }

    /// Marks the items that are used in other ways than by calls.
    fn find_free(&mut self) {
        for (at, operation) in self.facts.operations.iter().enumerate() {
            let is_call = self.module.instructions[at].op == Op::Call && !operation.is_generic;
            for nth in self.module.instructions[at].uses.clone() {
                let used = &self.module.uses[nth as usize];
                let Target::Symbol(symbol) = used.target else {
                    continue;
                };
                let is_called = is_call && self.text.get(used.span.end as usize) == Some(&b'(');
                if let (false, Some(item)) = (is_called, self.module.symbols.item(symbol)) {
                    self.module.items[item as usize].is_addressed = true;
                }
            }
        }
        for item in 0..self.module.items.len() {
            let names = &self.module.items[item];
            let uses = self.module.uses[names.uses.start as usize..names.uses.end as usize].iter();
            let is_function = matches!(names.kind, ItemKind::Function(_));
            let found: Vec<u32> = uses
                .filter(|_| !is_function)
                .filter_map(|used| match used.target {
                    Target::Symbol(symbol) => self.module.symbols.item(symbol),
                    Target::Value(_) => None,
                })
                .collect();
            for other in found {
                self.module.items[other as usize].is_addressed = true;
            }
        }
    }

    pub(super) fn new_operation(&mut self, name: Span, is_generic: bool) -> u32 {
        let at = self.facts.operations.len() as u32;
        self.facts.operations.push(Operation {
            name,
            is_generic,
            function: self.module.functions.len().saturating_sub(1) as u32,
            ..Operation::default()
        });
        at
    }
}
