use super::token::{Token, TokenKind, Tokens};
use crate::Symbols;
use crate::module::{Item, ItemKind, Module, Target, Use, WordKind};
use rustc_hash::FxHashMap;

/// Reads a module from any text.
///
/// Cost: linear in the text.
pub(crate) fn read(text: &[u8]) -> Module {
    let mut reader = Reader::new(text);
    let mut tokens = Tokens::new(text);
    let mut item: Vec<Token> = vec![];
    let mut depth = 0_u32;
    while let Some(token) = tokens.next() {
        let is_start = depth == 0 && begins_item(token, text, &tokens) || is_forced(token, text);
        if is_start && !item.is_empty() {
            reader.item(&item, Some(token));
            item.clear();
            depth = 0;
        }
        match token.kind {
            TokenKind::Mark(b'(' | b'[' | b'{') => depth += 1,
            TokenKind::Mark(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        reader.has_typed_pointer |= token.is(b'*');
        item.push(token);
    }
    reader.item(&item, None);
    reader.finish()
}

/// Returns whether a token outside of all brackets begins an item.
fn begins_item(token: Token, text: &[u8], rest: &Tokens<'_>) -> bool {
    match token.kind {
        TokenKind::Word => match token.of(text) {
            b"define" | b"declare" | b"attributes" => true,
            b"source_filename" | b"target" | b"module" | b"uselistorder" | b"uselistorder_bb" => {
                token.is_first
            }
            _ => false,
        },
        TokenKind::Local | TokenKind::Global | TokenKind::Comdat | TokenKind::Metadata => {
            rest.peek() == Some(b'=')
        }
        TokenKind::Mark(b'^') => token.is_first,
        _ => false,
    }
}

/// Returns whether a token begins an item even within brackets: some bracket is missing.
fn is_forced(token: Token, text: &[u8]) -> bool {
    let is_at_margin =
        token.is_first && (token.start == 0 || text[token.start as usize - 1] == b'\n');
    is_at_margin && matches!(token.of(text), b"define" | b"declare" | b"attributes")
}

/// A module that is being read.
pub(super) struct Reader<'a> {
    pub(super) text: &'a [u8],
    pub(super) module: Module,
    /// The values of the current function, by their names.
    pub(super) names: FxHashMap<&'a [u8], u32>,
    /// The values of the current function, by their numbers.
    pub(super) numbers: FxHashMap<u32, u32>,
    /// The number of the next value without a name.
    pub(super) next_number: u32,
    /// A position at which the type of pointers is written, and a position at which the type of
    /// truth values is written.
    pub(super) pointer: Option<crate::Span>,
    pub(super) truth: Option<crate::Span>,
    /// Whether a pointer type states the type to which it points: `i8*`.
    pub(super) has_typed_pointer: bool,
    /// The end of the last item.
    pub(super) end: u32,
    /// The functions whose blocks have addresses.
    pub(super) rigid: Vec<u32>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8]) -> Self {
        Reader {
            text,
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
                has_untyped_pointers: false,
                spirv: None,
                mlir: None,
            },
            names: FxHashMap::default(),
            numbers: FxHashMap::default(),
            next_number: 0,
            pointer: None,
            truth: None,
            has_typed_pointer: false,
            end: 0,
            rigid: vec![],
        }
    }

    /// Records the use of a token that names something other than a value.
    pub(super) fn symbol_use(&mut self, token: Token) {
        let symbol = self.module.symbols.intern(token.of(self.text));
        self.module.uses.push(Use {
            span: token.span(),
            target: Target::Symbol(symbol),
        });
    }

    /// Returns the end of the line of the token that ends at `at`, if nothing else is on the line.
    pub(super) fn line_end(&self, at: u32, next: Option<Token>) -> u32 {
        if let Some(next) = next.filter(|next| !next.is_first) {
            return next.start;
        }
        let rest = self.text.get(at as usize..).unwrap_or_default();
        let len = rest.iter().position(|&byte| byte == b'\n');
        at + len.map_or(rest.len(), |len| len + 1) as u32
    }

    fn finish(mut self) -> Module {
        // A module without any pointer may use either kind of pointer.
        self.module.has_untyped_pointers = self.pointer.is_some() || !self.has_typed_pointer;
        let end = self.text.len() as u32;
        if let Some(last) = self.module.items.last_mut() {
            last.span.end = end;
        }
        for used in &self.module.uses {
            let Target::Symbol(symbol) = used.target else {
                continue;
            };
            let before = self
                .text
                .get(..used.span.start as usize)
                .unwrap_or_default();
            // A call that states the whole function type would need another type.
            let is_called = self.text.get(used.span.end as usize) == Some(&b'(')
                && !before.trim_ascii_end().ends_with(b")")
                && !before.trim_ascii_end().ends_with(b")*");
            if let (false, Some(item)) = (is_called, self.module.symbols.item(symbol)) {
                self.module.items[item as usize].is_addressed = true;
            }
        }
        self.find_places();
        let mut frozen = std::mem::take(&mut self.rigid);
        for item in &self.module.items {
            if item.kind != ItemKind::Alias {
                continue;
            }
            let uses = &self.module.uses[item.uses.start as usize..item.uses.end as usize];
            frozen.extend(uses.iter().filter_map(|used| match used.target {
                Target::Symbol(symbol) => Some(symbol),
                Target::Value(_) => None,
            }));
        }
        for symbol in frozen {
            let Some(item) = self.module.symbols.item(symbol) else {
                continue;
            };
            let item = &mut self.module.items[item as usize];
            item.is_frozen = true;
        }
        self.module
    }

    /// Finds the operands of loops that are places in the source.
    fn find_places(&mut self) {
        let module = &mut self.module;
        for item in &module.items {
            if item.kind != ItemKind::Metadata {
                continue;
            }
            for word in &mut module.words[item.words.start as usize..item.words.end as usize] {
                let text = self
                    .text
                    .get(word.span.start as usize..word.span.end as usize);
                let name = text.unwrap_or_default();
                let name = name.strip_prefix(b",").unwrap_or(name).trim_ascii();
                let of = module
                    .symbols
                    .find(name)
                    .and_then(|symbol| module.symbols.item(symbol));
                let core = of.map(|of| module.items[of as usize].core.clone());
                let core =
                    core.and_then(|core| self.text.get(core.start as usize..core.end as usize));
                let mut parts = core.unwrap_or_default().split(|&byte| byte == b'=');
                let is_place = parts.nth(1).is_some_and(|node| {
                    let node = node.trim_ascii_start();
                    let node = node.strip_prefix(b"distinct ").unwrap_or(node);
                    node.starts_with(b"!DILocation(")
                });
                if is_place {
                    word.kind = WordKind::Debug;
                }
            }
        }
    }

    /// Adds an item that has the given tokens.
    fn item(&mut self, tokens: &[Token], next: Option<Token>) {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return;
        };
        let span = self.end..self.line_end(last.end, next);
        self.end = span.end;
        let item = Item {
            span,
            core: first.start..last.end,
            kind: ItemKind::Opaque,
            name: None,
            name_span: first.start..first.start,
            uses: 0..0,
            words: 0..0,
            is_local: false,
            is_frozen: false,
            is_addressed: false,
            initializer: None,
            ty: None,
            parameters: None,
        };
        self.classify(item, tokens);
    }
}
