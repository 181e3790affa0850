use super::token::{Kind, Token};
use crate::Span;

/// Returns the end of the type that begins with the token at `at`.
pub(super) fn type_end(
    text: &[u8],
    tokens: &[Token],
    close: &[u32],
    at: usize,
    limit: usize,
) -> usize {
    let (mut depth, mut end) = (0_u32, at);
    let is_function = tokens.get(at).is_some_and(|token| token.is(b'('));
    while end < limit {
        let token = tokens[end];
        match token.kind {
            Kind::Mark(b'(' | b'[') => {
                end = (close[end] as usize).min(limit.saturating_sub(1));
            }
            Kind::Mark(b'<') => depth += 1,
            Kind::Mark(b'>') if depth == 0 => break,
            Kind::Mark(b'>') => depth -= 1,
            _ if depth > 0 => {}
            Kind::Mark(b'?' | b'*') => {}
            Kind::Arrow if is_function => {}
            Kind::Mark(_) | Kind::Arrow | Kind::Value | Kind::Text | Kind::Label => break,
            Kind::Word if end > at && is_behind_type(token.of(text)) => break,
            _ => {}
        }
        end += 1;
    }
    end
}

/// Returns whether a word comes after a type, and is not a part of it.
fn is_behind_type(word: &[u8]) -> bool {
    matches!(
        word,
        b"loc" | b"to" | b"into" | b"from" | b"attributes" | b"step" | b"do"
    )
}

/// Returns the types of a list, with or without parentheses, and the end of the list.
pub(super) fn type_list(
    text: &[u8],
    tokens: &[Token],
    close: &[u32],
    at: usize,
    limit: usize,
) -> (Vec<Span>, usize) {
    let Some(first) = tokens.get(at).filter(|_| at < limit) else {
        return (vec![], at);
    };
    let behind = |at: usize| (close[at] as usize + 1).min(limit);
    let (mut next, limit_of_list) = match first.is(b'(') {
        true => (at + 1, (close[at] as usize).min(limit)),
        false => (at, limit),
    };
    let mut types = vec![];
    while next < limit_of_list {
        let end = type_end(text, tokens, close, next, limit_of_list);
        if end == next {
            break;
        }
        types.push(tokens[next].start..tokens[end - 1].end);
        next = end;
        match tokens.get(next).filter(|_| next < limit_of_list) {
            Some(token) if token.is(b',') => next += 1,
            // An argument of a function may have attributes.
            Some(token) if token.is(b'{') => next = behind(next),
            _ => break,
        }
        if tokens.get(next).is_some_and(|token| token.is(b',')) && next < limit_of_list {
            next += 1;
        }
    }
    let end = match first.is(b'(') {
        true => behind(at),
        false => next,
    };
    (types, end)
}

/// The types that an operation prints at its end.
#[derive(Debug, Default)]
pub(super) struct Trailing {
    /// The types after the colon.
    pub(super) before: Vec<Span>,
    /// The types after an arrow, `to`, or `into`.
    pub(super) after: Option<Vec<Span>>,
    /// Whether `before` has the types of all operands, in parentheses.
    pub(super) is_whole: bool,
}

/// Reads the types at the end of the operation whose tokens are in a range.
pub(super) fn trailing(
    text: &[u8],
    tokens: &[Token],
    close: &[u32],
    from: usize,
    limit: usize,
) -> Option<Trailing> {
    let (mut at, mut angle, mut colon, mut arrow) = (from, 0_i32, None, None);
    while at < limit {
        match tokens[at].kind {
            Kind::Mark(b'(' | b'[' | b'{') => at = close[at] as usize,
            Kind::Mark(b'<') => angle += 1,
            Kind::Mark(b'>') => angle = (angle - 1).max(0),
            Kind::Mark(b':') if angle == 0 => (colon, arrow) = (Some(at), None),
            Kind::Arrow if angle == 0 => arrow = arrow.or(Some(at)),
            _ => {}
        }
        at += 1;
    }
    let list = |at: usize| type_list(text, tokens, close, at, limit);
    let Some(colon) = colon else {
        let (after, _) = list(arrow? + 1);
        return Some(Trailing {
            after: Some(after),
            ..Trailing::default()
        });
    };
    let is_whole = tokens.get(colon + 1).is_some_and(|token| token.is(b'('));
    let (before, end) = list(colon + 1);
    let joint = tokens.get(end).filter(|token| {
        end < limit
            && match token.kind {
                Kind::Arrow => true,
                Kind::Word => matches!(token.of(text), b"to" | b"into"),
                _ => false,
            }
    });
    let after = joint
        .or_else(|| arrow.map(|arrow| &tokens[arrow]))
        .map(|joint| {
            let at = tokens.partition_point(|token| token.start <= joint.start);
            list(at).0
        });
    Some(Trailing {
        before,
        after,
        is_whole,
    })
}
