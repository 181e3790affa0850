use super::facts::Successor;
use super::form::{is_container, is_declared, is_operation, kind_of, op_of};
use super::open::Open;
use super::read::Reader;
use super::scope::UNKNOWN;
use super::token::{Kind, Token, base, unquoted};
use crate::module::{Definition, Function, Instruction, ItemKind, Op, Span, Target, Use};

impl Reader<'_> {
    /// Starts an operation, or the definition of an alias.
    pub(super) fn begin(&mut self) {
        let (first, limit) = (self.at, self.limit());
        let mut name = first;
        if self.tokens[first].kind == Kind::Value {
            let mut at = first;
            while at < limit
                && matches!(
                    self.tokens[at].kind,
                    Kind::Value | Kind::Number | Kind::Mark(b':' | b',')
                )
            {
                at += 1;
            }
            if at + 1 < limit && self.tokens[at].is(b'=') {
                name = at + 1;
            }
        }
        let next = self.tokens.get(first + 1).filter(|_| first + 1 < limit);
        let is_alias = matches!(self.tokens[first].kind, Kind::Attribute | Kind::Type)
            && next.is_some_and(|next| next.is(b'='));
        let mut open = Open {
            first,
            name,
            is_alias,
            ..Open::default()
        };
        let is_list = self
            .frames
            .last()
            .is_some_and(|frame| frame.region.is_none());
        let token = self.tokens[name];
        let text = unquoted(token, self.text);
        // An item has a symbol name. Other operations are in a block of their own.
        let is_item = is_list && (is_alias || is_declared(text) || is_container(text));
        if !is_item {
            if is_list {
                let at = self.line_start(self.tokens[first].start);
                let region = self.facts.regions.len() as u32;
                let (block, function) = (
                    self.module.blocks.len() as u32,
                    self.module.functions.len() as u32,
                );
                self.facts.regions.push(super::facts::Region {
                    span: at..at,
                    owner: None,
                    blocks: block..block + 1,
                });
                self.function(at..at, block);
                self.block(at..at, at..at, Default::default());
                self.facts.block_regions[block as usize] = region;
                open.function = Some(function);
            }
            open.instruction = Some(self.instruction(token));
        }
        self.at = name;
        if let Some(frame) = self.frames.last_mut() {
            frame.open = Some(open);
        }
    }

    fn limit(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.end)
    }

    /// Adds a function whose item is the next one.
    fn function(&mut self, body: Span, block: u32) {
        let values = self.module.values.len() as u32;
        self.module.functions.push(Function {
            item: self.module.items.len() as u32,
            body,
            parameters: values..values,
            parameter_spans: vec![],
            blocks: block..block,
            is_rigid: false,
        });
    }

    fn instruction(&mut self, name: Token) -> u32 {
        let span = match name.kind {
            Kind::Text => name.start + 1..name.end.saturating_sub(1).max(name.start + 1),
            _ => name.span(),
        };
        let at = self.new_operation(span, name.kind == Kind::Text);
        self.facts.has_arith |= unquoted(name, self.text).starts_with(b"arith.");
        let block = self.frames.last().and_then(|frame| frame.block);
        let block = block.unwrap_or_else(|| self.module.blocks.len().saturating_sub(1) as u32);
        self.module.instructions.push(Instruction {
            span: name.span(),
            core: name.span(),
            op: Op::Effect,
            result: None,
            uses: 0..0,
            words: 0..0,
            block,
        });
        at
    }

    /// Reads to the end of the current operation, or into its next region.
    pub(super) fn scan(&mut self) {
        let limit = self.limit();
        let Some(mut open) = self.frames.last_mut().and_then(|frame| frame.open.take()) else {
            return;
        };
        let is_list = self
            .frames
            .last()
            .is_some_and(|frame| frame.region.is_none());
        while self.at < limit {
            let (at, token) = (self.at, self.tokens[self.at]);
            if at > open.name
                && open.depth == 0
                && token.is_first
                && self.begins(at, limit, is_list)
            {
                break;
            }
            match token.kind {
                Kind::Mark(b'{') if !open.is_alias && self.is_region(at, &open) => {
                    self.open_region(open, is_list);
                    return;
                }
                Kind::Mark(b'{') if open.depth == 0 => open.dictionaries.push(at),
                Kind::Mark(b'{')
                    if self
                        .tokens
                        .get(at.wrapping_sub(1))
                        .is_some_and(|token| !token.is(b'<'))
                        && open.instruction.is_none()
                        && open.depth == 1 =>
                {
                    open.dictionaries.push(at);
                }
                Kind::Value | Kind::Symbol | Kind::Attribute | Kind::Type => open.names.push(at),
                Kind::Label => open.labels.push(at),
                _ => {}
            }
            match token.kind {
                Kind::Mark(b'(' | b'[' | b'{') => open.depth += 1,
                Kind::Mark(b')' | b']' | b'}') => open.depth = open.depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
        }
        self.names(&mut open, false);
        self.end(open, is_list);
    }

    /// Enters the region of an operation whose brace is the present token.
    fn open_region(&mut self, mut open: Open, is_list: bool) {
        let (at, limit, token) = (self.at, self.limit(), self.tokens[self.at]);
        self.names(&mut open, true);
        open.regions += 1;
        let name = unquoted(self.tokens[open.name], self.text);
        let is_nested = is_list && open.instruction.is_none() && is_container(name);
        let is_first = open.brace.is_none();
        open.brace.get_or_insert(at);
        if is_nested {
            let span = self.core(&open);
            let next = at + 1;
            let end = self.line_end(token.end, next);
            self.flush_uses(&mut open);
            self.words(&mut open, limit);
            self.item(span, end, ItemKind::Opaque);
            open.first = (self.close[at] as usize).min(self.tokens.len() - 1);
            open.brace = None;
        }
        let function = match open.instruction {
            None if !is_nested && is_first => {
                let block = self.module.blocks.len() as u32;
                self.function(token.end..token.end, block);
                open.function = Some(self.module.functions.len() as u32 - 1);
                Some((open.first, at))
            }
            _ => None,
        };
        let arguments = std::mem::take(&mut open.names);
        if let Some(frame) = self.frames.last_mut() {
            frame.open = Some(open);
        }
        self.enter(is_nested);
        match function {
            Some((first, brace)) => self.head(first, brace),
            None => {
                let block = self.frames.last().and_then(|frame| frame.block);
                for nth in arguments {
                    let (token, of) = (
                        self.tokens[nth],
                        Definition::Block(block.unwrap_or_default()),
                    );
                    let value = self.value(token.span(), of, vec![]);
                    self.scopes.define(token.of(self.text), value);
                }
            }
        }
    }

    /// Returns whether the next operation begins with a token that is the first one of its line.
    fn begins(&self, at: usize, limit: usize, is_list: bool) -> bool {
        if let Some(before) = at.checked_sub(1).map(|before| self.tokens[before])
            && matches!(
                before.kind,
                Kind::Mark(b',' | b'=' | b':' | b'<') | Kind::Arrow
            )
        {
            // The colon belongs to a label, or to a list that continues.
            return false;
        }
        let tokens = &self.tokens[at..limit];
        let mut next = tokens.iter().skip(1);
        match tokens[0].kind {
            Kind::Label => true,
            Kind::Value => next
                .take(MAX_RESULTS)
                .find(|token| {
                    !matches!(
                        token.kind,
                        Kind::Value | Kind::Number | Kind::Mark(b':' | b',')
                    )
                })
                .is_some_and(|token| token.is(b'=')),
            Kind::Text => next.next().is_some_and(|token| token.is(b'(')),
            Kind::Attribute | Kind::Type => {
                is_list && next.next().is_some_and(|token| token.is(b'='))
            }
            Kind::Word => {
                is_operation(tokens[0].of(self.text))
                    || self.has_short_names(tokens[0].of(self.text))
            }
            Kind::Mark(b'{') => is_list && next.next().is_some_and(|token| token.is(b'-')),
            _ => false,
        }
    }

    /// Returns whether a word without a dialect begins an operation of the dialect around it.
    fn has_short_names(&self, word: &[u8]) -> bool {
        let around = self
            .frames
            .iter()
            .rev()
            .skip(1)
            .find_map(|frame| frame.open.as_ref());
        let name = around.map(|open| unquoted(self.tokens[open.name], self.text));
        let is_short = name.is_some_and(|name| {
            [&b"transform."[..], b"pdl.", b"irdl."]
                .iter()
                .any(|dialect| name.starts_with(dialect))
        });
        is_short && !matches!(word, b"attributes" | b"failures" | b"rewrite")
    }

    /// Returns whether a brace opens a region.
    fn is_region(&self, at: usize, open: &Open) -> bool {
        let before = at.checked_sub(1).map(|before| self.tokens[before]);
        let name = self.tokens[open.name];
        if name.kind == Kind::Text {
            let is_next = before.is_some_and(|token| token.is(b','))
                && at >= 2
                && self.tokens[at - 2].is(b'}');
            return before.is_some_and(|token| token.is(b'(')) || is_next && open.regions > 0;
        }
        if open.depth > 0 {
            return false;
        }
        let close = self.close[at] as usize;
        let inner = self.tokens.get(at + 1..close).unwrap_or_default();
        let (first, second) = (inner.first(), inner.get(1));
        let Some(first) = first else {
            let end = self.tokens.get(close);
            return end.is_some_and(|end| end.is_first) || is_container(name.of(self.text));
        };
        let is_entry =
            second.is_some_and(|next| matches!(next.kind, Kind::Mark(b'=' | b',' | b':')));
        match first.kind {
            Kind::Label | Kind::Value => true,
            Kind::Text => second.is_some_and(|next| next.is(b'(')),
            Kind::Attribute | Kind::Type => is_container(name.of(self.text)),
            Kind::Word => {
                let word = first.of(self.text);
                let is_operation = is_operation(word) || self.has_short_names(word);
                is_operation && !is_entry && (second.is_some() || first.is_first)
            }
            _ => false,
        }
    }

    /// Resolves the names since the last region. Those that a region defines are in its scope.
    fn names(&mut self, open: &mut Open, is_region: bool) {
        let results = open.name;
        for at in std::mem::take(&mut open.names) {
            let token = self.tokens[at];
            match token.kind {
                Kind::Value if at < results => {}
                Kind::Value if is_region && self.is_defined(at, open) => open.names.push(at),
                Kind::Value => {
                    open.waiting.push((open.uses.len(), at));
                    open.uses.push(Use {
                        span: token.span(),
                        target: UNKNOWN,
                    });
                }
                _ => {
                    let name = token.of(self.text);
                    let symbol = self.module.symbols.intern(name);
                    open.uses.push(Use {
                        span: token.span(),
                        target: Target::Symbol(symbol),
                    });
                }
            }
        }
    }

    /// Returns whether a value in the head of an operation is an argument of its next region.
    fn is_defined(&self, at: usize, open: &Open) -> bool {
        let next = self.tokens.get(at + 1);
        let is_generic = self.tokens[open.name].kind == Kind::Text;
        let is_assigned = next.is_some_and(|next| next.is(b'='));
        let is_parameter = open.instruction.is_none();
        !is_generic && (is_assigned || is_parameter || self.resolve(self.tokens[at]).is_none())
    }

    /// Resolves a use in the present scopes.
    fn resolve(&self, token: Token) -> Option<u32> {
        self.scopes.find(base(token.of(self.text)))
    }

    fn flush_uses(&mut self, open: &mut Open) -> std::ops::Range<u32> {
        let start = self.module.uses.len() as u32;
        let waiting = std::mem::take(&mut open.waiting);
        self.module.uses.append(&mut open.uses);
        for (nth, at) in waiting {
            let (place, token) = (start + nth as u32, self.tokens[at]);
            match self.resolve(token) {
                Some(value) => self.module.uses[place as usize].target = Target::Value(value),
                None => self.scopes.wait(base(token.of(self.text)), place),
            }
        }
        start..self.module.uses.len() as u32
    }

    fn core(&self, open: &Open) -> Span {
        let last = self.at.max(open.first + 1).min(self.tokens.len());
        self.tokens[open.first].start..self.tokens[last - 1].end
    }

    /// Ends an operation before the present token.
    fn end(&mut self, mut open: Open, is_list: bool) {
        let limit = self.at;
        let core = self.core(&open);
        let end = self.line_end(core.end, limit);
        self.successors(&mut open);
        let uses = self.flush_uses(&mut open);
        if let Some(at) = open.instruction {
            for successor in &mut self.facts.operations[at as usize].successors {
                successor.label += uses.start;
            }
        }
        let name = unquoted(self.tokens[open.name], self.text);
        let words = self.module.words.len() as u32;
        self.words(&mut open, limit);
        let words = words..self.module.words.len() as u32;
        if let Some(at) = open.instruction {
            let token = self.tokens[open.first];
            let span = match token.is_first
                && (self.text.get(end as usize - 1) == Some(&b'\n')
                    || end as usize == self.text.len())
            {
                true => self.line_start(token.start)..end,
                false => core.clone(),
            };
            let results = self.results(&open, at);
            let is_last = self.at >= self.limit() || self.tokens[self.at].kind == Kind::Label;
            let operation = &mut self.facts.operations[at as usize];
            operation.results = results.clone();
            operation.end = self.module.instructions.len() as u32;
            let op = op_of(
                name,
                is_last && !is_list,
                operation.successors.len(),
                !results.is_empty(),
                open.regions > 0,
            );
            let instruction = &mut self.module.instructions[at as usize];
            instruction.span = span;
            instruction.core = core.clone();
            instruction.uses = uses;
            instruction.words = words;
            instruction.op = op;
            instruction.result = results.clone().next();
        }
        if !is_list {
            return;
        }
        let first_block = open
            .function
            .map(|function| self.module.functions[function as usize].blocks.start);
        if let (Some(function), Some(_)) = (open.function, first_block) {
            let (blocks, instructions) = (
                self.module.blocks.len() as u32,
                self.module.instructions.len() as u32,
            );
            let of = &mut self.module.functions[function as usize];
            of.blocks.end = blocks;
            if let Some(at) = open.instruction {
                of.is_rigid = true;
                let block = self.module.instructions[at as usize].block;
                self.module.blocks[block as usize].instructions.end = instructions;
                of.body = core.clone();
            }
        }
        let kind = match open.instruction {
            Some(_) => ItemKind::Opaque,
            None if open.is_alias => match self.tokens[open.first].kind {
                Kind::Type => ItemKind::Type,
                _ => ItemKind::Attributes,
            },
            None => kind_of(name, open.function),
        };
        self.finish_item(&open, core, end, kind);
    }

    /// Defines the results of an operation.
    fn results(&mut self, open: &Open, at: u32) -> std::ops::Range<u32> {
        let first = self.module.values.len() as u32;
        for nth in open.first..open.name {
            let token = self.tokens[nth];
            if token.kind != Kind::Value {
                continue;
            }
            let count = self
                .tokens
                .get(nth + 2)
                .filter(|_| self.tokens[nth + 1].is(b':'));
            let count = count.and_then(|count| {
                std::str::from_utf8(count.of(self.text))
                    .ok()?
                    .parse::<usize>()
                    .ok()
            });
            // The types are inferred after everything was read. Until then, only their number is
            // known.
            let count = count.unwrap_or(1).min(MAX_RESULTS);
            let value = self.value(token.span(), Definition::Instruction(at), vec![]);
            self.facts.types[value as usize] = vec![0..0; count];
            self.scopes.define(token.of(self.text), value);
        }
        let results = first..self.module.values.len() as u32;
        self.print_types(open.name, self.at, at, results.clone());
        results
    }

    fn successors(&mut self, open: &mut Open) {
        let Some(instruction) = open.instruction else {
            return;
        };
        let mut all = vec![];
        for at in std::mem::take(&mut open.labels) {
            let token = self.tokens[at];
            let mut end = token.end;
            let mut operands = None;
            let list = self.tokens.get(at + 1).filter(|next| next.is(b'('));
            if let Some(list) = list {
                let close = (self.close[at + 1] as usize).min(self.tokens.len() - 1);
                let values = &self.tokens[at + 2..close.max(at + 2)];
                let values = values.iter().take_while(|token| !token.is(b':'));
                operands = Some(
                    values
                        .filter(|token| token.kind == Kind::Value)
                        .map(|token| token.span())
                        .collect(),
                );
                end = self.tokens[close].end.max(list.end);
            } else if self.tokens[open.name].kind != Kind::Text {
                operands = Some(vec![]);
            }
            // The block is resolved together with the uses.
            open.waiting.push((open.uses.len(), at));
            open.uses.push(Use {
                span: token.span(),
                target: UNKNOWN,
            });
            let label = open.uses.len() as u32 - 1;
            all.push(Successor {
                span: token.start..end,
                label,
                operands,
            });
        }
        self.facts.operations[instruction as usize].successors = all;
    }
}

/// The maximum number of results of one name.
const MAX_RESULTS: usize = 1 << 8;
