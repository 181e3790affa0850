use super::{Code, Token, code};
use crate::{View, Views};
use std::sync::Arc;

/// The tokens of a text that is read as code.
#[derive(Debug)]
struct Tokens(Box<[Token]>);

impl View for Tokens {
    fn of(text: &[u8]) -> Self {
        Tokens(code(text).collect())
    }
}

/// Returns the tokens of a text that is read as code, as [`code`] does. The lexer runs once for all
/// passes that request the tokens.
///
/// ```
/// use nubbin_view::tokens::{code, code_in};
/// use nubbin_reduce::work::Views;
///
/// let (views, text) = (Views::default(), b"f(x) // a call");
/// assert!(code_in(&views, text).eq(code(text)));
/// ```
pub fn code_in<'a>(views: &Views, text: &'a [u8]) -> CodeIn<'a> {
    CodeIn(match Views::remembers(text) {
        true => Source::Remembered(views.of(text), 0),
        false => Source::Lexer(code(text)),
    })
}

/// The tokens of a text, from the cache or from a lexer. See [`code_in`].
#[derive(Debug)]
pub struct CodeIn<'a>(Source<'a>);

#[derive(Debug)]
enum Source<'a> {
    /// The cached tokens, and the number of the next token.
    Remembered(Arc<Tokens>, usize),
    Lexer(Code<'a>),
}

impl Iterator for CodeIn<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        match &mut self.0 {
            Source::Remembered(tokens, next) => {
                let token = tokens.0.get(*next).copied();
                *next += 1;
                token
            }
            Source::Lexer(code) => code.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            Source::Remembered(tokens, next) => {
                let left = tokens.0.len().saturating_sub(*next);
                (left, Some(left))
            }
            Source::Lexer(code) => code.size_hint(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembered_tokens_are_those_of_the_lexer() {
        let views = Views::default();
        for text in [b"".as_slice(), b"a \"b\" // c", b"'\0\xff\" {"] {
            for _ in 0..2 {
                let mut tokens = code_in(&views, text);
                assert_eq!(tokens.size_hint().0, code(text).count());
                assert!(tokens.by_ref().eq(code(text)));
                assert_eq!((tokens.next(), tokens.size_hint().0), (None, 0));
            }
        }
    }

    #[test]
    fn a_huge_text_is_read_token_by_token() {
        let text = b"one 2 ".repeat(2 << 20);
        let tokens = code_in(&Views::default(), &text);
        assert!(matches!(tokens.0, Source::Lexer(_)));
        assert_eq!(tokens.take(3).count(), 3);
    }
}
