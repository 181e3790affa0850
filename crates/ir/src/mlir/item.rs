use super::open::Open;
use super::read::Reader;
use super::scope::UNKNOWN;
use super::token::{Kind, unquoted};
use crate::module::{Definition, ItemKind, Span};

/// The words that make an item local to its module.
const LOCAL: [&[u8]; 6] = [
    b"private",
    b"internal",
    b"linkonce",
    b"linkonce_odr",
    b"\"private\"",
    b"\"nested\"",
];

impl Reader<'_> {
    /// Creates the values that the head of an operation defines for its region. The region is open.
    pub(super) fn head(&mut self, first: usize, brace: usize) {
        let function = self.module.functions.len() as u32 - 1;
        let list = (first..brace).find(|&at| self.tokens[at].is(b'('));
        let Some(list) = list else {
            return;
        };
        let end = (self.close[list] as usize).min(brace);
        let (values, spans) = self.parameters(list + 1, end, Definition::Parameter(function));
        let of = &mut self.module.functions[function as usize];
        (of.parameters, of.parameter_spans) = (values, spans);
    }

    /// Adds the item of an operation.
    pub(super) fn finish_item(&mut self, open: &Open, core: Span, end: u32, kind: ItemKind) {
        let (first, limit) = (open.first, self.at);
        let brace = open.brace.unwrap_or(limit).max(first);
        let generic = self.tokens[open.name.max(first)].kind == Kind::Text;
        let named = match (open.is_alias, generic) {
            (true, _) => Some(first),
            (_, true) => (first..limit.saturating_sub(2))
                .find(|&at| {
                    self.tokens[at].of(self.text) == b"sym_name" && self.tokens[at + 1].is(b'=')
                })
                .map(|at| at + 2),
            _ => (first..brace.min(limit)).find(|&at| self.tokens[at].kind == Kind::Symbol),
        };
        let text = self.text;
        let is_item = open.instruction.is_none();
        let name_token = named.filter(|_| is_item).map(|at| self.tokens[at]);
        let head = self.tokens[first..brace.min(limit).max(first)].iter();
        let head: Vec<&[u8]> = head.map(|token| token.of(text)).take(24).collect();
        let is_local = head.iter().any(|word| LOCAL.contains(word));
        let is_free = !generic && matches!(head.first(), Some(&(b"func.func" | b"llvm.func")));
        let list = named
            .map(|at| at + 1)
            .filter(|&at| self.tokens.get(at).is_some_and(|token| token.is(b'(')));
        let parameters = list.map(|at| {
            let close = self
                .tokens
                .get(self.close[at] as usize)
                .map_or(end, |token| token.end);
            self.tokens[at].start..close
        });
        let can_be_declared = matches!(
            unquoted(self.tokens[open.name.max(first)], text),
            b"func.func" | b"llvm.func"
        );
        let is_global = kind == ItemKind::Global;
        let has_initializer =
            is_global && !generic && head.first() == Some(&&b"llvm.mlir.global"[..]);
        let initializer = list.filter(|_| has_initializer);
        let initializer = initializer.and_then(|at| self.initializer(open, at, end, limit));
        if let Some(function) = open.function.filter(|_| is_item) {
            self.set_body(function, core.clone());
        }
        let symbol = name_token
            .map(|token| match token.kind {
                Kind::Text => [b"@", unquoted(token, text)].concat(),
                _ => token.of(text).to_vec(),
            })
            .map(|name| self.module.symbols.intern(&name));
        let number = self.module.items.len() as u32;
        // The name in a definition is not a use of the item.
        let item = self.item(core, end, kind);
        item.is_local = is_local;
        item.initializer = initializer;
        item.is_frozen = matches!(kind, ItemKind::Function(_)) && !can_be_declared;
        item.is_addressed = !is_free;
        if is_free {
            item.parameters = parameters;
        }
        if let (Some(symbol), Some(token)) = (symbol, name_token) {
            item.name = Some(symbol);
            item.name_span = token.span();
            let uses = item.uses.clone();
            self.module.symbols.define(symbol, number);
            for used in &mut self.module.uses[uses.start as usize..uses.end as usize] {
                if used.span == token.span() {
                    used.target = UNKNOWN;
                }
            }
        }
    }

    /// Returns the value of a global whose list begins at a token.
    fn initializer(&self, open: &Open, list: usize, end: u32, limit: usize) -> Option<Span> {
        let close = self.tokens.get(self.close[list] as usize);
        let span = self.tokens[list].end..close.map_or(end, |token| token.start);
        if span.start >= span.end && open.brace.is_none() {
            return None;
        }
        // The type of a string may be left out.
        let close = self.tokens.partition_point(|token| token.start < span.end);
        let ty = super::ty::trailing(self.text, self.tokens, self.close, close + 1, limit);
        ty.is_some().then_some(span)
    }

    /// Sets the body of a function: its region, or else its whole operation.
    fn set_body(&mut self, function: u32, whole: Span) {
        let block = self.module.functions[function as usize].blocks.start as usize;
        let region = self.facts.block_regions.get(block).copied();
        let region = self.facts.regions.get(region.unwrap_or_default() as usize);
        let span = region.map(|region| region.span.clone());
        self.module.functions[function as usize].body = span.unwrap_or(whole);
    }
}
