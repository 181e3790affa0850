//! ISO/IEC 14977, "Extended BNF".
//!
//! `name = … ;`, sequence by `,`, `|`, `[optional]`, `{repeated}`, `{repeated}-` (at least once),
//! `3 * x`, groups, `'…'` and `"…"` without escapes, `(* comments *)`, names of several words.
//! If a text has no comma outside of quotes, sequence is by juxtaposition and names are single
//! words. A special sequence may be a regular expression: `? /[0-9]+/ ?`. Exceptions (`a - b`) are
//! not context-free in general and are an error.

use super::ReadError;
use super::cursor::Cursor;
use crate::grammar::{Builder, ExprId, MAX_COUNT, SymbolId};

pub(super) fn read(builder: &mut Builder, text: &str) -> Result<Option<SymbolId>, ReadError> {
    let commas = super::cursor::without_quotes(text).contains(',');
    let mut iso = Iso {
        cursor: Cursor::new(text),
        builder,
        commas,
    };
    let mut first = None;
    loop {
        iso.skip()?;
        if iso.cursor.is_done() {
            return Ok(first);
        }
        let name = iso.words(true)?;
        iso.skip()?;
        if name.is_empty() || !["::=", ":=", "="].iter().any(|a| iso.cursor.eat(a)) {
            return Err(iso.cursor.error("expected a rule: `name = … ;`"));
        }
        let rule = iso.builder.rule(&name);
        first.get_or_insert(rule);
        let body = iso.alternatives()?;
        if !iso.cursor.eat(";") && !iso.cursor.eat(".") {
            return Err(iso.cursor.error("expected `;` at the end of the rule"));
        }
        iso.builder.define(rule, body);
    }
}

struct Iso<'t, 'b> {
    cursor: Cursor<'t>,
    builder: &'b mut Builder,
    commas: bool,
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl Iso<'_, '_> {
    fn skip(&mut self) -> Result<(), ReadError> {
        loop {
            self.cursor.skip_white();
            let start = self.cursor.at;
            if !self.cursor.eat("(*") {
                return Ok(());
            }
            let mut depth = 1;
            while depth > 0 {
                if self.cursor.eat("*)") {
                    depth -= 1;
                } else if self.cursor.eat("(*") {
                    depth += 1;
                } else if self.cursor.next().is_none() {
                    return Err(self.cursor.error_at(start, "this comment is never closed"));
                }
            }
        }
    }

    /// Takes a name: one word, or several words in a text where commas separate.
    fn words(&mut self, head: bool) -> Result<String, ReadError> {
        let mut name = String::new();
        loop {
            // Dashes within a name are common, although the standard defines them as exceptions.
            let dashed = |c: char| is_name(c) || c == '-';
            let word = self.cursor.take_while(dashed);
            if word.is_empty() {
                return Ok(name);
            }
            if !name.is_empty() {
                name.push(' ');
            }
            name.push_str(word);
            if !head && !self.commas {
                return Ok(name);
            }
            self.skip()?;
        }
    }

    fn alternatives(&mut self) -> Result<ExprId, ReadError> {
        let mut members = vec![self.sequence()?];
        while ["|", "/", "!"]
            .iter()
            .any(|bar| !self.cursor.rest().starts_with("/)") && self.cursor.eat(bar))
        {
            members.push(self.sequence()?);
        }
        Ok(self.builder.choice(members))
    }

    fn sequence(&mut self) -> Result<ExprId, ReadError> {
        let mut members = vec![];
        loop {
            self.skip()?;
            if self.cursor.eat(",") {
                continue;
            }
            match self.cursor.peek() {
                None | Some('|' | '/' | '!' | ';' | '.' | ')' | ']' | '}') => break,
                Some('-') => {
                    let what = "exceptions are not supported; write the wanted symbols instead";
                    return Err(self.cursor.error(what));
                }
                Some(_) => {
                    let part = self.factor()?;
                    members.push(part);
                }
            }
        }
        Ok(self.builder.sequence(members))
    }

    fn factor(&mut self) -> Result<ExprId, ReadError> {
        let start = self.cursor.at;
        let digits = self.cursor.take_while(|c| c.is_ascii_digit());
        if !digits.is_empty() {
            self.skip()?;
            if self.cursor.eat("*") {
                self.skip()?;
                let count = digits.parse().ok().filter(|&count| count <= MAX_COUNT);
                let Some(count) = count else {
                    let what = format!("at most {MAX_COUNT} times can be counted");
                    return Err(self.cursor.error_at(start, what));
                };
                let body = self.primary()?;
                return Ok(match count {
                    0 => self.builder.empty(),
                    count => self.builder.repeat(body, count, Some(count), None),
                });
            }
            self.cursor.at = start;
        }
        self.primary()
    }

    fn bracketed(&mut self, close: &str) -> Result<ExprId, ReadError> {
        let start = self.cursor.at;
        self.cursor.next();
        let commas = self.commas;
        let Iso {
            cursor, builder, ..
        } = self;
        let body = cursor.deeper(|cursor| {
            let mut inner = Iso {
                cursor: std::mem::replace(cursor, Cursor::new("")),
                builder,
                commas,
            };
            let result = inner.alternatives();
            *cursor = inner.cursor;
            result
        })?;
        if !self.cursor.eat(close) {
            return Err(self.cursor.error_at(start, "this is never closed"));
        }
        Ok(body)
    }

    fn primary(&mut self) -> Result<ExprId, ReadError> {
        let start = self.cursor.at;
        match self.cursor.peek() {
            Some('(') => self.bracketed(")"),
            Some('[') => {
                let body = self.bracketed("]")?;
                Ok(self.builder.optional(body))
            }
            Some('{') => {
                let body = self.bracketed("}")?;
                self.skip()?;
                let min = u32::from(self.cursor.eat("-"));
                Ok(self.builder.repeat(body, min, None, None))
            }
            Some('"' | '\'' | '’') => {
                let text = self.cursor.quoted()?;
                Ok(self.builder.literal(text.as_bytes()))
            }
            Some('?') => {
                self.cursor.next();
                let rest = self.cursor.rest();
                // A regular expression may contain question marks.
                let trimmed = rest.trim_start();
                let found = match trimmed.strip_prefix('/') {
                    Some(regex) => {
                        let closed = regex
                            .match_indices('/')
                            .find(|(i, _)| regex[i + 1..].trim_start().starts_with('?'));
                        closed.map(|(i, _)| (&regex[..i], &regex[i + 1..]))
                    }
                    None => None,
                };
                let Some((regex, after)) = found else {
                    let what = "a special sequence must be a regular expression: `? /[a-z]+/ ?`";
                    return Err(self.cursor.error_at(start, what));
                };
                self.cursor.at = self.cursor.text.len() - after.trim_start().len() + 1;
                let pattern = self.builder.pattern(regex);
                pattern.map_err(|error| self.cursor.error_at(start, error.to_string()))
            }
            Some(c) if is_name(c) => {
                let name = self.words(false)?;
                let symbol = self.builder.rule(&name);
                Ok(self.builder.symbol(symbol))
            }
            Some(c) => Err(self.cursor.error(format!("`{c}` has no meaning here"))),
            None => Err(self
                .cursor
                .error("the grammar ends in the middle of a rule")),
        }
    }
}
