use super::form::Form;
use super::lines::{Line, Lines, Operand};
use super::opcode::{codes, layout_of};
use crate::Span;

/// Reads the instructions of a module in assembly.
pub(super) fn lines(text: &[u8]) -> Lines {
    let codes = codes();
    let mut all = Lines {
        form: Form::Text,
        head: 0,
        lines: vec![],
        operands: vec![],
    };
    let tokens: Vec<Span> = Tokens { text, at: 0 }.collect();
    let of = |span: &Span| &text[span.start as usize..span.end as usize];
    let begins = |at: usize| {
        let is_definition = tokens.get(at + 1).is_some_and(|next| of(next) == b"=");
        let follows = at > 0 && of(&tokens[at - 1]) == b"=";
        is_definition || !follows && is_opcode(of(&tokens[at]))
    };
    let first = (0..tokens.len()).find(|&at| begins(at));
    all.head = first.map_or(text.len() as u32, |at| line_start(text, tokens[at].start));
    let (mut at, mut end) = (first.unwrap_or(tokens.len()), all.head);
    while at < tokens.len() {
        let next = (at + 1..tokens.len())
            .find(|&at| begins(at))
            .unwrap_or(tokens.len());
        let line = &tokens[at..next];
        let core = line[0].start..line[line.len() - 1].end;
        // Instructions may share a line, so the search for its end stops at the next one.
        let limit = tokens
            .get(next)
            .map_or(text.len(), |next| next.start as usize);
        let gap = text.get(core.end as usize..limit).unwrap_or_default();
        let line_end = gap.iter().position(|&byte| byte == b'\n');
        let span_end = core.end + line_end.map_or(gap.len(), |at| at + 1) as u32;
        let has_result = line.len() > 1 && of(&line[1]) == b"=";
        let rest = &line[if has_result { 2 } else { 0 }..];
        let name = rest.first().map_or(&b""[..], |first| of(first));
        let code = codes.get(name.strip_prefix(b"Op").unwrap_or(name));
        let code = code.copied().unwrap_or(0);
        let start = all.operands.len() as u32;
        let parts = rest.iter().skip(1);
        all.operands.extend(parts.map(|part| Operand {
            span: part.clone(),
            is_id: of(part).first() == Some(&b'%'),
        }));
        let has_type = has_result && layout_of(code).starts_with('t');
        let ty = rest
            .get(1)
            .filter(|part| has_type && of(part).first() == Some(&b'%'));
        all.lines.push(Line {
            code,
            span: end..span_end,
            core,
            result: has_result.then(|| line[0].clone()),
            ty: ty.cloned(),
            operands: start..all.operands.len() as u32,
        });
        end = span_end;
        at = next;
    }
    if let Some(last) = all.lines.last_mut() {
        last.span.end = text.len() as u32;
    }
    all
}

/// Returns whether a token is the name of an instruction.
pub(super) fn is_opcode(token: &[u8]) -> bool {
    token.starts_with(b"Op") && token.get(2).is_some_and(u8::is_ascii_uppercase)
}

fn line_start(text: &[u8], at: u32) -> u32 {
    let before = &text[..at as usize];
    let line = before.iter().rposition(|&byte| byte == b'\n');
    line.map_or(0, |line| line as u32 + 1)
}

fn line_end(text: &[u8], at: u32) -> u32 {
    let rest = &text[at as usize..];
    let len = rest.iter().position(|&byte| byte == b'\n');
    at + len.map_or(rest.len(), |len| len + 1) as u32
}

/// The tokens of assembly: words, and strings in quotes. Comments are none.
struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        loop {
            match self.text.get(self.at)? {
                b';' => self.at = line_end(self.text, self.at as u32) as usize,
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => break,
            }
        }
        let start = self.at;
        let mut is_quoted = false;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'"' => is_quoted = !is_quoted,
                b'\\' if is_quoted => self.at += 1,
                byte if !is_quoted && (byte.is_ascii_whitespace() || byte == b';') => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(self.text.len());
        Some(start as u32..self.at as u32)
    }
}
