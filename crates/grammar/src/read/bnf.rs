//! Backus-Naur form, in its common variants.
//!
//! `<name> ::= …`, alternatives with `|`, a rule ends where the next one begins. Terminals are in
//! single or double quotes, with escapes (`\n`, `\t`, `\"`, `\x41`, `\u{e9}`), or bare words.
//! Classes (`[0-9]`), groups, and the quantifiers `?`, `*`, and `+` are recognized directly after
//! the part to which they apply. After a symbol, a quantifier must be followed by white space, `|`,
//! `)`, or the end: `<a>+<b>` is a sum, `<digit>+` a repetition. Lines that begin with `;`, `#` or
//! `//` are comments.

use super::ReadError;
use super::cursor::{Cursor, class_pattern, quantified};
use crate::grammar::{Builder, ExprId, SymbolId};

pub(super) fn read(builder: &mut Builder, text: &str) -> Result<Option<SymbolId>, ReadError> {
    let mut bnf = Bnf {
        cursor: Cursor::new(text),
        builder,
    };
    let mut first = None;
    loop {
        bnf.skip();
        if bnf.cursor.is_done() {
            return Ok(first);
        }
        let Some(name) = bnf.head() else {
            return Err(bnf.cursor.error("expected a rule: `<name> ::= …`"));
        };
        let rule = bnf.builder.rule(name);
        first.get_or_insert(rule);
        let body = bnf.alternatives()?;
        if bnf.cursor.peek() == Some(')') {
            return Err(bnf.cursor.error("this parenthesis was never opened"));
        }
        bnf.builder.define(rule, body);
    }
}

struct Bnf<'t, 'b> {
    cursor: Cursor<'t>,
    builder: &'b mut Builder,
}

impl<'t> Bnf<'t, '_> {
    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            let before = self.cursor.at;
            self.cursor.skip_white();
            // Only these bytes are searched for a line break, since the start of the line may be
            // far away.
            let white = &self.cursor.text[before..self.cursor.at];
            let first = before == 0 || white.contains('\n');
            let rest = self.cursor.rest();
            if first && (rest.starts_with([';', '#']) || rest.starts_with("//")) {
                self.cursor.take_while(|c| c != '\n');
            } else {
                return;
            }
        }
    }

    fn name(&mut self) -> Option<&'t str> {
        let rest = self.cursor.rest().strip_prefix('<')?;
        let len = rest.find(['>', '<', '\n'])?;
        let name = rest[..len].trim();
        if name.is_empty() || !rest[len..].starts_with('>') {
            return None;
        }
        self.cursor.at += len + 2;
        Some(name)
    }

    /// Takes `<name> ::=` if it is next.
    fn head(&mut self) -> Option<&'t str> {
        let start = self.cursor.at;
        let name = self.name();
        self.cursor.skip_white();
        let arrow = name.is_some() && ["::=", ":=", "="].iter().any(|a| self.cursor.eat(a));
        if arrow {
            return name;
        }
        self.cursor.at = start;
        None
    }

    fn alternatives(&mut self) -> Result<ExprId, ReadError> {
        let mut members = vec![self.sequence()?];
        while self.cursor.eat("|") {
            members.push(self.sequence()?);
        }
        Ok(self.builder.choice(members))
    }

    fn sequence(&mut self) -> Result<ExprId, ReadError> {
        let mut members = vec![];
        loop {
            self.skip();
            let start = self.cursor.at;
            match self.cursor.peek() {
                None | Some('|' | ')') => break,
                Some('<') => {
                    if self.head().is_some() {
                        self.cursor.at = start;
                        break;
                    }
                    let Some(name) = self.name() else {
                        let what = "expected a name in angle brackets; quote `<` to mean text";
                        return Err(self.cursor.error(what));
                    };
                    let symbol = self.builder.rule(name);
                    let symbol = self.builder.symbol(symbol);
                    members.push(self.postfix(symbol, true));
                }
                Some('(') => {
                    self.cursor.next();
                    let body = self.cursor_deeper()?;
                    if !self.cursor.eat(")") {
                        return Err(self.cursor.error_at(start, "this is never closed"));
                    }
                    members.push(self.postfix(body, false));
                }
                Some('[') => {
                    let class = self.class()?;
                    members.push(self.postfix(class, false));
                }
                Some('"' | '\'') => {
                    let literal = self.literal()?;
                    members.push(self.postfix(literal, false));
                }
                Some('ε') => {
                    self.cursor.next();
                }
                Some(_) => {
                    let delimiter = |c: char| c.is_whitespace() || "<|()[\"'".contains(c);
                    let word = self.cursor.take_while(|c| !delimiter(c));
                    members.push(self.builder.literal(word.as_bytes()));
                }
            }
        }
        Ok(self.builder.sequence(members))
    }

    fn cursor_deeper(&mut self) -> Result<ExprId, ReadError> {
        let Bnf { cursor, builder } = self;
        cursor.deeper(|cursor| {
            let mut inner = Bnf {
                cursor: std::mem::replace(cursor, Cursor::new("")),
                builder,
            };
            let result = inner.alternatives();
            *cursor = inner.cursor;
            result
        })
    }

    fn postfix(&mut self, body: ExprId, alone: bool) -> ExprId {
        let mut chars = self.cursor.rest().chars();
        let Some(quantifier) = chars.next().filter(|c| "?*+".contains(*c)) else {
            return body;
        };
        let ends = |c: char| c.is_whitespace() || "|)".contains(c);
        if alone && !chars.next().is_none_or(ends) {
            return body;
        }
        self.cursor.next();
        quantified(self.builder, body, quantifier)
    }

    fn class(&mut self) -> Result<ExprId, ReadError> {
        let start = self.cursor.at;
        self.cursor.next();
        let negated = self.cursor.eat("^");
        let mut ranges = vec![];
        loop {
            if self.cursor.is_done() {
                return Err(self.cursor.error_at(start, "this class is never closed"));
            }
            if self.cursor.eat("]") {
                break;
            }
            let first = self.character()?;
            let dash = self.cursor.rest().starts_with('-') && !self.cursor.rest().starts_with("-]");
            let last = match dash {
                true => {
                    self.cursor.next();
                    self.character()?
                }
                false => first,
            };
            if last < first {
                return Err(self.cursor.error("this range ends before it begins"));
            }
            ranges.push((first, last));
        }
        if ranges.is_empty() {
            return Err(self.cursor.error_at(start, "a class of nothing"));
        }
        Ok(self.builder.pattern(&class_pattern(negated, &ranges))?)
    }

    fn literal(&mut self) -> Result<ExprId, ReadError> {
        let start = self.cursor.at;
        let quote = self.cursor.next();
        let mut bytes = vec![];
        loop {
            if self.cursor.is_done() {
                return Err(self.cursor.error_at(start, "this quote is never closed"));
            }
            if self.cursor.peek() == quote {
                self.cursor.next();
                return Ok(self.builder.literal(&bytes));
            }
            if self.cursor.eat("\\x") {
                bytes.push(self.hex(2)? as u8);
                continue;
            }
            let c = self.character()?;
            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }

    /// Takes one character, which may be escaped.
    fn character(&mut self) -> Result<char, ReadError> {
        let start = self.cursor.at;
        let c = self.cursor.next().unwrap_or('\0');
        if c != '\\' {
            return Ok(c);
        }
        Ok(match self.cursor.next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('0') => '\0',
            Some('x') => char::from(self.hex(2)? as u8),
            Some('u') if self.cursor.eat("{") => {
                let digits = self.cursor.take_while(|c| c.is_ascii_hexdigit());
                let value = u32::from_str_radix(digits, 16)
                    .ok()
                    .and_then(char::from_u32);
                match value.filter(|_| self.cursor.eat("}")) {
                    Some(c) => c,
                    None => return Err(self.cursor.error_at(start, "not a character")),
                }
            }
            Some(c) if !c.is_alphanumeric() => c,
            _ => {
                return Err(self
                    .cursor
                    .error_at(start, "unknown escape; `\\\\` is a backslash"));
            }
        })
    }

    fn hex(&mut self, digits: usize) -> Result<u32, ReadError> {
        let text = self.cursor.rest().get(..digits).unwrap_or_default();
        let value = u32::from_str_radix(text, 16);
        self.cursor.at += text.len();
        value.map_err(|_| self.cursor.error("expected two hexadecimal digits"))
    }
}
