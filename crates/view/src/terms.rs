//! The beginnings and ends of operands in rough tokens.

use crate::Views;
use crate::brackets::Brackets;
use crate::tokens::{Token, TokenKind, code_in};
use nubbin_edit::Span;

/// The tokens of a text without comments, and the pairs of brackets.
pub struct Terms<'a> {
    text: &'a [u8],
    tokens: Vec<Token>,
    /// For a bracket, the token of the matching bracket; for any other token, its own number.
    partner: Vec<u32>,
}

/// The number of tokens or groups that one search may pass, which keeps opening a pass linear.
const FARTHEST: usize = 64;

const CHAINS: [&[u8]; 5] = [b".", b"::", b"->", b"?.", b"?"];
const PREFIXES: [&[u8]; 8] = [b"-", b"+", b"!", b"~", b"*", b"&", b"&&", b"@"];
const SEPARATORS: [&[u8]; 2] = [b";", b","];

impl<'a> Terms<'a> {
    /// Reads the tokens of a text in linear time.
    pub fn of(views: &Views, text: &'a [u8]) -> Self {
        let tokens: Vec<Token> = code_in(views, text)
            .filter(|token| token.kind != TokenKind::Comment)
            .collect();
        let mut partner: Vec<u32> = (0..tokens.len() as u32).collect();
        let number = |at: u32| {
            tokens
                .binary_search_by_key(&at, |token| token.span.start)
                .ok()
        };
        for group in views.of::<Brackets>(text).groups() {
            if let (Some(open), Some(close)) = (number(group.open), number(group.close)) {
                partner[open] = close as u32;
                partner[close] = open as u32;
            }
        }
        Terms {
            text,
            tokens,
            partner,
        }
    }

    /// Returns the number of tokens.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Returns whether there are no tokens.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Returns the kind of a token.
    pub fn kind(&self, token: usize) -> Option<TokenKind> {
        self.tokens.get(token).map(|token| token.kind)
    }

    /// Returns the bytes of a token, or no bytes if there is no such token.
    pub fn text(&self, token: usize) -> &'a [u8] {
        self.tokens
            .get(token)
            .map(|token| token.text(self.text))
            .unwrap_or_default()
    }

    /// Returns the span from token `first` to token `last`.
    pub fn span(&self, first: usize, last: usize) -> Option<Span> {
        let (first, last) = (self.tokens.get(first)?, self.tokens.get(last)?);
        (first.span.start < last.span.end).then(|| Span::new(first.span.start, last.span.end))
    }

    /// Returns the closing bracket of the group that this token opens.
    pub fn close(&self, token: usize) -> Option<usize> {
        let partner = *self.partner.get(token)? as usize;
        (partner > token).then_some(partner)
    }

    /// Returns the opening bracket of the group that this token closes.
    pub fn open(&self, token: usize) -> Option<usize> {
        let partner = *self.partner.get(token)? as usize;
        (partner < token).then_some(partner)
    }

    /// Returns the last token of the operand that begins at token `first`. An operand consists of
    /// prefixes, then a word, literal, or group, then members, calls, and indices.
    pub fn operand_from(&self, first: usize) -> Option<usize> {
        let mut at = first;
        while PREFIXES.contains(&self.text(at)) && at < first + 4 {
            at += 1;
        }
        at = match self.kind(at)? {
            TokenKind::Punct => self.close(at)?,
            _ => at,
        };
        for _ in 0..FARTHEST {
            let next = at + 1;
            let text = self.text(next);
            if CHAINS.contains(&text) && self.kind(next + 1) == Some(TokenKind::Word) {
                at = next + 1;
            } else if matches!(text, b"(" | b"[")
                && let Some(close) = self.close(next)
            {
                at = close;
            } else {
                break;
            }
        }
        Some(at)
    }

    /// Returns the first token of the operand that ends at token `last`, without prefixes, which
    /// cannot be recognized from this side.
    pub fn operand_to(&self, last: usize) -> Option<usize> {
        let mut at = last;
        for _ in 0..FARTHEST {
            at = match self.kind(at)? {
                TokenKind::Punct => self.open(at)?,
                _ => at,
            };
            let Some(before) = at.checked_sub(1) else {
                break;
            };
            let opens = matches!(self.text(at), b"(" | b"[");
            let called = opens
                && (self.kind(before) == Some(TokenKind::Word) || self.open(before).is_some());
            if called {
                at = before;
            } else if CHAINS.contains(&self.text(before)) && before > 0 && !opens {
                at = before - 1;
            } else {
                break;
            }
        }
        self.kind(at)
            .filter(|&kind| kind != TokenKind::Punct || self.close(at).is_some())
            .map(|_| at)
    }

    /// Returns the last token of the expression that begins at `first`. A separator or a closing
    /// bracket ends the expression, and with `to_colon` also a `:`.
    pub fn expression_from(&self, first: usize, to_colon: bool) -> Option<usize> {
        let mut at = first;
        for _ in 0..FARTHEST {
            let text = self.text(at);
            let ends = text.is_empty()
                || SEPARATORS.contains(&text)
                || self.open(at).is_some()
                || to_colon && text == b":";
            if ends {
                return at.checked_sub(1).filter(|&last| last >= first);
            }
            at = self.close(at).unwrap_or(at) + 1;
        }
        None
    }

    /// Returns the first token of the expression that ends at `last`. The first token follows a
    /// separator, an assignment, a keyword, or an opening bracket.
    pub fn expression_to(&self, last: usize) -> Option<usize> {
        let mut first = None;
        let mut at = last;
        for _ in 0..FARTHEST {
            let text = self.text(at);
            let begins = SEPARATORS.contains(&text)
                || self.close(at).is_some()
                || matches!(text, b"=" | b"return" | b":" | b"=>" | b"?");
            if begins {
                return first;
            }
            at = self.open(at).unwrap_or(at);
            first = Some(at);
            match at.checked_sub(1) {
                Some(before) => at = before,
                None => return first,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, tokens: Option<(usize, usize)>) -> Option<&str> {
        let (first, last) = tokens?;
        Terms::of(&Views::default(), text.as_bytes())
            .span(first, last)
            .map(|span| &text[span.range()])
    }

    #[test]
    fn operands_reach_over_members_calls_and_groups() {
        let from = |text| {
            shown(
                text,
                Terms::of(&Views::default(), text.as_bytes())
                    .operand_from(0)
                    .map(|last| (0, last)),
            )
        };
        assert_eq!(from("a + b"), Some("a"));
        assert_eq!(from("-*p->x.f(1)[2] + b"), Some("-*p->x.f(1)[2]"));
        assert_eq!(from("(a + b) * c"), Some("(a + b)"));
        assert_eq!(from("\"s\" + c"), Some("\"s\""));
        assert_eq!(from(") + c"), None);
        assert_eq!(from(""), None);
        let to = |text: &'static str| {
            let terms = Terms::of(&Views::default(), text.as_bytes());
            shown(
                text,
                terms
                    .operand_to(terms.len() - 1)
                    .map(|first| (first, terms.len() - 1)),
            )
        };
        assert_eq!(to("x + a.b(1)[2]"), Some("a.b(1)[2]"));
        assert_eq!(to("x + (a)"), Some("(a)"));
        assert_eq!(to("x = std::f(y)"), Some("std::f(y)"));
        assert_eq!(to("x +"), None);
        assert_eq!(to("x ("), None);
    }

    #[test]
    fn expressions_reach_to_the_next_separator_of_their_level() {
        let text = "x = f(a, b) + {c; d} ? e : g, h";
        let terms = Terms::of(&Views::default(), text.as_bytes());
        let whole = terms.expression_from(2, false).map(|last| (2, last));
        assert_eq!(shown(text, whole), Some("f(a, b) + {c; d} ? e : g"));
        let question = (0..terms.len())
            .find(|&token| terms.text(token) == b"?")
            .unwrap();
        let condition = terms
            .expression_to(question - 1)
            .map(|first| (first, question - 1));
        assert_eq!(shown(text, condition), Some("f(a, b) + {c; d}"));
        let middle = terms
            .expression_from(question + 1, true)
            .map(|last| (question + 1, last));
        assert_eq!(shown(text, middle), Some("e"));
    }

    #[test]
    fn searches_are_bounded_and_odd_texts_are_accepted() {
        let text = "a.".repeat(50_000);
        let terms = Terms::of(&Views::default(), text.as_bytes());
        assert!(
            terms
                .operand_from(0)
                .is_some_and(|last| last <= 2 * FARTHEST)
        );
        assert!(terms.operand_to(terms.len() - 2).is_some());
        assert_eq!(
            Terms::of(&Views::default(), b"\0\xff)]}({[").operand_from(0),
            None
        );
    }
}
