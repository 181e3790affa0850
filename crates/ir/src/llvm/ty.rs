use super::token::{Token, TokenKind};

/// Returns the index of the first token after the type that begins at a token.
///
/// A function type such as `i32 (ptr)` counts as one type. Its result ends at [`Type::base`].
pub(crate) fn ty(text: &[u8], tokens: &[Token], at: usize) -> Option<Type> {
    let mut end = base(text, tokens, at)?;
    let mut first = None;
    while let Some(token) = tokens.get(end) {
        match token.kind {
            TokenKind::Mark(b'*') => end += 1,
            TokenKind::Mark(b'(') => {
                first.get_or_insert(end);
                end = closed(tokens, end)?;
            }
            TokenKind::Word if token.of(text) == b"addrspace" => {
                end = closed(tokens, end + 1)?;
            }
            _ => break,
        }
    }
    Some(Type {
        base: first.unwrap_or(end),
        end,
    })
}

/// The end of a type.
pub(crate) struct Type {
    /// The first token after the result of a function type, or after any other type.
    pub(crate) base: usize,
    /// The first token after the type.
    pub(crate) end: usize,
}

fn base(text: &[u8], tokens: &[Token], at: usize) -> Option<usize> {
    let token = tokens.get(at)?;
    match token.kind {
        TokenKind::Local => Some(at + 1),
        TokenKind::Mark(b'{' | b'[' | b'<') => closed(tokens, at),
        TokenKind::Word if token.of(text) == b"target" => closed(tokens, at + 1),
        TokenKind::Word if is_word(token.of(text)) => Some(at + 1),
        _ => None,
    }
}

/// Returns whether a word is a type by itself.
pub(crate) fn is_word(word: &[u8]) -> bool {
    match word {
        b"void" | b"half" | b"bfloat" | b"float" | b"double" | b"fp128" | b"x86_fp80"
        | b"ppc_fp128" | b"ptr" | b"label" | b"metadata" | b"token" | b"x86_amx" | b"x86_mmx"
        | b"opaque" => true,
        [b'i', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Returns the index of the first token after the bracket that closes the bracket at `at`.
pub(crate) fn closed(tokens: &[Token], at: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for (index, token) in tokens.iter().enumerate().skip(at) {
        match token.kind {
            TokenKind::Mark(b'(' | b'[' | b'{' | b'<') => depth += 1,
            TokenKind::Mark(b')' | b']' | b'}' | b'>') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index + 1);
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}
