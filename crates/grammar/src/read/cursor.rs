use super::ReadError;
use crate::grammar::{Builder, ExprId};

/// The maximum nesting of parentheses. Deeper nesting is refused, so that no recursion over a
/// rule's body can overflow the stack.
const MAX_NESTING: u32 = 200;

/// Reads a text from left to right.
pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    depth: u32,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Cursor {
            text,
            at: 0,
            depth: 0,
        }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn is_done(&self) -> bool {
        self.at == self.text.len()
    }

    pub(super) fn skip_white(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Takes `word` if it is next.
    pub(super) fn eat(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    /// Takes characters while they satisfy a condition.
    pub(super) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let len = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(super) fn error(&self, what: impl Into<String>) -> ReadError {
        ReadError::at(self.text, self.at, what)
    }

    pub(super) fn error_at(&self, at: usize, what: impl Into<String>) -> ReadError {
        ReadError::at(self.text, at, what)
    }

    /// Enters one level of nesting.
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        self.enter()?;
        let result = read(self);
        self.leave();
        result
    }

    /// Begins a level of nesting that [`Cursor::leave`] ends.
    pub(super) fn enter(&mut self) -> Result<(), ReadError> {
        if self.depth == MAX_NESTING {
            return Err(self.error(format!("nested more than {MAX_NESTING} deep")));
        }
        self.depth += 1;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Takes the text up to a closing quote, without escapes. The opening quote is next.
    pub(super) fn quoted(&mut self) -> Result<&'t str, ReadError> {
        let start = self.at;
        let quote = self.next().unwrap_or('"');
        let rest = self.rest();
        match rest.find(quote) {
            Some(len) => {
                self.at += len + quote.len_utf8();
                Ok(&rest[..len])
            }
            None => Err(self.error_at(start, "this quote is never closed")),
        }
    }
}

/// Returns the text with the content of quotes and comments replaced with spaces, which is enough
/// to guess a notation.
pub(super) fn without_quotes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quote: Option<char> = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if open == c || c == '\n' => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, c) => out.push(c),
        }
    }
    out
}

/// Applies a postfix quantifier to an expression.
pub(super) fn quantified(builder: &mut Builder, body: ExprId, quantifier: char) -> ExprId {
    match quantifier {
        '?' => builder.optional(body),
        '*' => builder.repeat(body, 0, None, None),
        _ => builder.repeat(body, 1, None, None),
    }
}

/// Returns a class of characters as a regular expression.
pub(super) fn class_pattern(negated: bool, ranges: &[(char, char)]) -> String {
    let mut pattern = String::from(if negated { "[^" } else { "[" });
    for &(first, last) in ranges {
        pattern.push_str(&format!("\\u{{{:x}}}", u32::from(first)));
        if last != first {
            pattern.push_str(&format!("-\\u{{{:x}}}", u32::from(last)));
        }
    }
    pattern.push(']');
    pattern
}
