use crate::Span;

/// A token of a module in MLIR.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether the token is the first token of its line.
    pub(super) is_first: bool,
}

/// The kind of a [`Token`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A value, with the number of the result after it: `%0#1`.
    Value,
    /// A symbol: `@f`.
    Symbol,
    /// A block: `^bb1`.
    Label,
    /// An attribute: `#a`.
    Attribute,
    /// A type: `!t`.
    Type,
    /// A name, including its dots.
    Word,
    /// A text in quotes.
    Text,
    /// A number.
    Number,
    /// An arrow.
    Arrow,
    /// Any other byte.
    Mark(u8),
}

impl Token {
    pub(super) fn is(self, mark: u8) -> bool {
        self.kind == Kind::Mark(mark)
    }

    pub(super) fn of(self, text: &[u8]) -> &[u8] {
        text.get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }

    pub(super) fn span(self) -> Span {
        self.start..self.end
    }
}

/// Returns the tokens of a text without its comments.
pub(super) fn tokens(text: &[u8]) -> Vec<Token> {
    let (mut tokens, mut at, mut is_first) = (vec![], 0, true);
    while let Some(&byte) = text.get(at) {
        let start = at;
        if byte.is_ascii_whitespace() {
            is_first |= byte == b'\n';
            at += 1;
            continue;
        }
        if text[at..].starts_with(b"//") {
            let rest = &text[at..];
            let line = rest.iter().position(|&byte| byte == b'\n');
            at += line.unwrap_or(rest.len());
            continue;
        }
        let kind = match byte {
            b'%' => Kind::Value,
            b'@' => Kind::Symbol,
            b'^' => Kind::Label,
            b'#' => Kind::Attribute,
            b'!' => Kind::Type,
            b'"' => Kind::Text,
            b'-' if text.get(at + 1) == Some(&b'>') => Kind::Arrow,
            byte if byte.is_ascii_digit() => Kind::Number,
            byte if is_name(byte) => Kind::Word,
            byte => Kind::Mark(byte),
        };
        at = match kind {
            Kind::Text => quoted(text, at),
            Kind::Symbol if text.get(at + 1) == Some(&b'"') => quoted(text, at + 1),
            Kind::Arrow => at + 2,
            Kind::Mark(_) => at + 1,
            Kind::Number => number(text, at),
            _ => name(text, at + 1),
        };
        if kind == Kind::Value
            && text.get(at) == Some(&b'#')
            && text.get(at + 1).is_some_and(u8::is_ascii_digit)
        {
            at = number(text, at + 1);
        }
        tokens.push(Token {
            kind,
            start: start as u32,
            end: at as u32,
            is_first,
        });
        is_first = false;
    }
    tokens
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

/// Returns where a name ends.
fn name(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|&byte| is_name(byte)) {
        at += 1;
    }
    at
}

fn number(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

/// Returns where a text ends whose first quote is at `at`. A line break ends it as well.
fn quoted(text: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(&byte) = text.get(end) {
        match byte {
            b'"' => return end + 1,
            b'\\' => end += 2,
            b'\n' => return end,
            _ => end += 1,
        }
    }
    text.len()
}

/// The maximum number of open brackets that one closing bracket ends.
const MAX_OPEN: usize = 64;

/// Returns the index of the closing bracket for each opening bracket, by the indices of the tokens.
/// For a bracket that is never closed, it is the index after the last token.
pub(super) fn brackets(tokens: &[Token]) -> Vec<u32> {
    let mut close = vec![tokens.len() as u32; tokens.len()];
    let mut open: Vec<(u8, usize)> = vec![];
    for (at, token) in tokens.iter().enumerate() {
        let Kind::Mark(mark) = token.kind else {
            continue;
        };
        let opening = match mark {
            b'(' | b'[' | b'{' => {
                open.push((mark, at));
                continue;
            }
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            _ => continue,
        };
        // An unclosed bracket ends with its enclosing bracket. A closing bracket without an opening
        // one is ignored. The bound keeps the work on damaged texts linear.
        let near = open.iter().rev().take(MAX_OPEN);
        let mut near = near.take_while(|&&(mark, _)| opening == b'{' || mark != b'{');
        let Some(above) = near.position(|&(mark, _)| mark == opening) else {
            continue;
        };
        for (_, opened) in open.drain(open.len() - 1 - above..) {
            close[opened] = at as u32;
        }
    }
    close
}

/// Returns the text of a token without its quotes.
pub(super) fn unquoted(token: Token, text: &[u8]) -> &[u8] {
    let of = token.of(text);
    match token.kind {
        Kind::Text => of.get(1..of.len().saturating_sub(1)).unwrap_or_default(),
        _ => of,
    }
}

/// Returns the name of a value without the number of a result.
pub(super) fn base(name: &[u8]) -> &[u8] {
    name.split(|&byte| byte == b'#').next().unwrap_or_default()
}
