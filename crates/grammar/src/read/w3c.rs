//! The EBNF of the W3C's XML specification (section 6, "Notation").
//!
//! `Name ::= …`, sequence by juxtaposition, `|`, `?`, `*`, `+`, groups, `'…'` and `"…"` without
//! escapes, `#x41`, `[a-z#xE9]`, `[^…]`, `/* comments */`, and `A - B` where both are one
//! character. Constraints (`[wfc: …]`, `[vc: …]`) are skipped.

use super::ReadError;
use super::cursor::{Cursor, class_pattern, quantified};
use crate::grammar::{Builder, ExprId, SymbolId};

pub(super) fn read(builder: &mut Builder, text: &str) -> Result<Option<SymbolId>, ReadError> {
    let mut w3c = W3c {
        cursor: Cursor::new(text),
        builder,
    };
    let mut first = None;
    loop {
        w3c.skip()?;
        if w3c.cursor.is_done() {
            return Ok(first);
        }
        let Some(name) = w3c.head() else {
            return Err(w3c.cursor.error("expected a rule: `Name ::= …`"));
        };
        let rule = w3c.builder.rule(name);
        first.get_or_insert(rule);
        let body = w3c.alternatives()?;
        if w3c.cursor.peek() == Some(')') {
            return Err(w3c.cursor.error("this parenthesis was never opened"));
        }
        w3c.builder.define(rule, body);
    }
}

struct W3c<'t, 'b> {
    cursor: Cursor<'t>,
    builder: &'b mut Builder,
}

/// An expression, and its characters if it is exactly one character.
type Part = (ExprId, Option<Characters>);

#[derive(Clone)]
struct Characters {
    negated: bool,
    ranges: Vec<(char, char)>,
}

impl Characters {
    /// Returns the characters as the inside of a set operation in a regular expression.
    fn pattern(&self) -> String {
        class_pattern(self.negated, &self.ranges)
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

impl<'t> W3c<'t, '_> {
    fn skip(&mut self) -> Result<(), ReadError> {
        loop {
            self.cursor.skip_white();
            let start = self.cursor.at;
            let rest = self.cursor.rest();
            if self.cursor.eat("/*") {
                let Some(len) = self.cursor.rest().find("*/") else {
                    return Err(self.cursor.error_at(start, "this comment is never closed"));
                };
                self.cursor.at += len + 2;
                continue;
            }
            let inside = rest.strip_prefix('[').unwrap_or_default().trim_start();
            let constraint = ["wfc:", "vc:", "WFC:", "VC:"];
            if constraint.iter().any(|word| inside.starts_with(word)) {
                self.cursor.take_while(|c| c != ']');
                self.cursor.eat("]");
                continue;
            }
            return Ok(());
        }
    }

    /// Takes `Name ::=` if it is next, with an optional number in brackets before it.
    fn head(&mut self) -> Option<&'t str> {
        let start = self.cursor.at;
        if self.cursor.eat("[") {
            let number = self.cursor.take_while(|c| c.is_ascii_digit());
            if number.is_empty() || !self.cursor.eat("]") {
                self.cursor.at = start;
                return None;
            }
            self.cursor.skip_white();
        }
        let name = self.cursor.take_while(is_name);
        self.cursor.skip_white();
        if !name.is_empty() && self.cursor.eat("::=") {
            return Some(name);
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
        let mut members: Vec<Part> = vec![];
        loop {
            self.skip()?;
            let start = self.cursor.at;
            if self.head().is_some() {
                self.cursor.at = start;
                break;
            }
            match self.cursor.peek() {
                None | Some('|' | ')') => break,
                Some('-') => {
                    self.cursor.next();
                    self.skip()?;
                    let minus = self.part()?;
                    let all = members.pop();
                    members.push(self.without(start, all, minus)?);
                }
                Some(_) => {
                    let part = self.part()?;
                    members.push(part);
                }
            }
        }
        let members = members.into_iter().map(|part| part.0).collect();
        Ok(self.builder.sequence(members))
    }

    fn without(&mut self, at: usize, all: Option<Part>, minus: Part) -> Result<Part, ReadError> {
        let (Some((_, Some(all))), (_, Some(minus))) = (all, minus) else {
            let what = "`A - B` is understood where both are classes of characters";
            return Err(self.cursor.error_at(at, what));
        };
        let pattern = format!("[{}--{}]", all.pattern(), minus.pattern());
        Ok((self.builder.pattern(&pattern)?, None))
    }

    fn part(&mut self) -> Result<Part, ReadError> {
        let (mut body, mut characters) = self.primary()?;
        // Equal quantifiers in a row mean the same as one of them. Different ones mean any number.
        let quantifiers = self.cursor.take_while(|c| "?*+".contains(c));
        if let Some(first) = quantifiers.chars().next() {
            let same = quantifiers.chars().all(|c| c == first);
            body = quantified(self.builder, body, if same { first } else { '*' });
            characters = None;
        }
        Ok((body, characters))
    }

    fn primary(&mut self) -> Result<Part, ReadError> {
        let start = self.cursor.at;
        match self.cursor.peek() {
            Some('(') => {
                self.cursor.next();
                let W3c { cursor, builder } = self;
                let body = cursor.deeper(|cursor| {
                    let mut inner = W3c {
                        cursor: std::mem::replace(cursor, Cursor::new("")),
                        builder,
                    };
                    let result = inner.alternatives();
                    *cursor = inner.cursor;
                    result
                })?;
                if !self.cursor.eat(")") {
                    return Err(self.cursor.error_at(start, "this is never closed"));
                }
                Ok((body, None))
            }
            Some('"' | '\'') => {
                let text = self.cursor.quoted()?;
                let mut chars = text.chars();
                let single = chars.next().filter(|_| chars.next().is_none());
                let characters = single.map(|c| Characters {
                    negated: false,
                    ranges: vec![(c, c)],
                });
                Ok((self.builder.literal(text.as_bytes()), characters))
            }
            Some('#') => {
                let c = self.character()?;
                let literal = self.builder.literal(c.encode_utf8(&mut [0; 4]).as_bytes());
                let ranges = vec![(c, c)];
                Ok((
                    literal,
                    Some(Characters {
                        negated: false,
                        ranges,
                    }),
                ))
            }
            Some('[') => self.class(),
            Some(c) if is_name(c) => {
                let name = self.cursor.take_while(is_name);
                let symbol = self.builder.rule(name);
                Ok((self.builder.symbol(symbol), None))
            }
            Some(c) => Err(self.cursor.error(format!("`{c}` has no meaning here"))),
            None => Err(self
                .cursor
                .error("the grammar ends in the middle of a rule")),
        }
    }

    fn class(&mut self) -> Result<Part, ReadError> {
        let start = self.cursor.at;
        self.cursor.next();
        let negated = self.cursor.eat("^");
        let mut ranges = vec![];
        while !self.cursor.eat("]") {
            if self.cursor.is_done() {
                return Err(self.cursor.error_at(start, "this class is never closed"));
            }
            let first = self.character()?;
            let rest = self.cursor.rest();
            let mut last = first;
            if rest.starts_with('-') && !rest.starts_with("-]") {
                self.cursor.next();
                last = self.character()?;
            }
            if last < first {
                return Err(self.cursor.error("this range ends before it begins"));
            }
            ranges.push((first, last));
        }
        if ranges.is_empty() {
            return Err(self.cursor.error_at(start, "a class of nothing"));
        }
        let class = Characters { negated, ranges };
        Ok((self.builder.pattern(&class.pattern())?, Some(class)))
    }

    /// Takes one character, which may be written as `#xN`.
    fn character(&mut self) -> Result<char, ReadError> {
        let start = self.cursor.at;
        if self.cursor.eat("#x") {
            let digits = self.cursor.take_while(|c| c.is_ascii_hexdigit());
            let value = u32::from_str_radix(digits, 16)
                .ok()
                .and_then(char::from_u32);
            return value.ok_or_else(|| self.cursor.error_at(start, "not a character"));
        }
        let c = self.cursor.next();
        c.ok_or_else(|| self.cursor.error_at(start, "the grammar ends here"))
    }
}
