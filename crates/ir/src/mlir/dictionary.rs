use super::facts::Dictionary;
use super::open::Open;
use super::read::Reader;
use super::token::Kind;
use crate::module::{Word, WordKind};

impl Reader<'_> {
    /// Adds the words of an operation that ends before the token at `limit`: its attributes, and
    /// its location in the source.
    pub(super) fn words(&mut self, open: &mut Open, limit: usize) {
        let is_item = open.instruction.is_none();
        for at in std::mem::take(&mut open.dictionaries) {
            self.dictionary(at, is_item, open);
        }
        if !open.is_alias {
            self.place(open.first, limit);
        }
    }

    fn dictionary(&mut self, at: usize, is_item: bool, open: &Open) {
        let close = self.close[at] as usize;
        let Some(end) = self.tokens.get(close) else {
            return;
        };
        let before = at.checked_sub(1).map(|before| self.tokens[before]);
        let is_generic = self.tokens[open.name].kind == Kind::Text;
        // Attributes directly after the name are part of the syntax of the operation, and
        // attributes in angle brackets are its properties.
        if before.is_none_or(|before| before.is(b'<')) || at == open.name + 1 {
            return;
        }
        let mut start = before.map_or(self.tokens[at].start, |before| before.end);
        if let Some(keyword) = before.filter(|before| before.of(self.text) == b"attributes") {
            start = at
                .checked_sub(2)
                .map_or(keyword.start, |before| self.tokens[before].end);
        }
        let first = self.module.words.len() as u32;
        let mut entries = vec![];
        let mut from = at + 1;
        while from < close {
            let (mut to, mut angle) = (from, 0_i32);
            while to < close && !(angle <= 0 && self.tokens[to].is(b',')) {
                match self.tokens[to].kind {
                    Kind::Mark(b'<') => angle += 1,
                    Kind::Mark(b'>') => angle -= 1,
                    Kind::Mark(b'(' | b'[' | b'{') => to = (self.close[to] as usize).min(close - 1),
                    _ => {}
                }
                to += 1;
            }
            if to > from {
                let span = self.tokens[from].start..self.tokens[to - 1].end;
                let key = super::token::unquoted(self.tokens[from], self.text);
                if is_optional(key, is_generic) {
                    let kind = kind(key, is_item);
                    self.module.words.push(Word {
                        span: span.clone(),
                        kind,
                    });
                }
                entries.push(span);
            }
            from = to + 1;
        }
        let words = first..self.module.words.len() as u32;
        self.facts.dictionaries.push(Dictionary {
            span: start..end.end,
            inner: self.tokens[at].end..end.start,
            words,
            entries,
        });
    }

    /// Adds the place in the source, `loc(…)`, at the end of an operation.
    fn place(&mut self, first: usize, limit: usize) {
        let Some(at) = (first..limit)
            .rev()
            .take(1)
            .find(|&at| self.tokens[at].is(b')'))
        else {
            return;
        };
        let open = (first..at)
            .rev()
            .take(64)
            .find(|&open| self.close[open] as usize == at && self.tokens[open].is(b'('));
        let Some(open) = open.filter(|&open| open > first) else {
            return;
        };
        let word = self.tokens[open - 1];
        if word.of(self.text) == b"loc" && open >= first + 2 {
            let span = self.tokens[open - 2].end..self.tokens[at].end;
            self.module.words.push(Word {
                span,
                kind: WordKind::Debug,
            });
        }
    }
}

/// Returns whether an operation can do without an attribute.
fn is_optional(key: &[u8], is_generic: bool) -> bool {
    let is_discardable = key.contains(&b'.');
    let is_form = [
        &b"segment"[..],
        b"Segment",
        b"predicate",
        b"dimension",
        b"map",
        b"iterator",
        b"type",
        b"callee",
        b"value",
        b"position",
    ];
    let is_form = is_form
        .iter()
        .any(|part| key.windows(part.len()).any(|at| at == *part));
    is_discardable || !is_generic && !is_form
}

fn kind(key: &[u8], is_item: bool) -> WordKind {
    match key {
        b"tbaa" | b"alias_scopes" | b"noalias_scopes" | b"access_groups" | b"loop_annotation" => {
            WordKind::Metadata
        }
        b"alignment" | b"llvm.align" => WordKind::Alignment,
        _ if is_item => WordKind::Attributes,
        _ => WordKind::Flag,
    }
}
