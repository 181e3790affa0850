use super::lines::Operand;
use super::opcode::layout_of;
use crate::Span;

/// The layout of an instruction, which states the words that are ids.
///
/// Letters: `t` is the type of the result, `r` the result, `i` an id, `l` a literal of one word,
/// `s` a string, `n` a number of any length, `o` the number of an instruction whose operands
/// follow, `m` the access to memory, `p` a literal as wide as the selector and an id, `q` pairs of
/// an id and a literal. `*` repeats the letter before it.
pub(super) struct Layout<'a>(pub(super) &'a str);

/// The words of an instruction.
pub(super) struct Words<'a> {
    /// The offset of the first word after the number of the instruction.
    pub(super) start: u32,
    pub(super) words: &'a [u32],
    /// The number of words of a literal of a switch.
    pub(super) case_len: usize,
}

/// The operands of an instruction while they are being found.
pub(super) struct Found {
    pub(super) ty: Option<Span>,
    pub(super) result: Option<Span>,
}

/// The number of the instruction of a constant that is computed.
const SPEC_CONSTANT_OP: u16 = 52;

/// Bits of an access to memory that have an operand.
const ALIGNED: u32 = 2;
const WITH_SCOPE: [u32; 4] = [0x8, 0x10, 0x1_0000, 0x2_0000];

impl Layout<'_> {
    /// Divides the words of an instruction, and adds its operands except the result.
    pub(super) fn divide(&self, of: &Words<'_>, operands: &mut Vec<Operand>) -> Found {
        let mut cursor = Cursor {
            of,
            at: 0,
            operands,
        };
        let mut found = Found {
            ty: None,
            result: None,
        };
        self.walk(&mut cursor, &mut found);
        // These words are not part of the layout.
        while cursor.has_more() {
            cursor.push(1, false);
        }
        found
    }

    fn walk(&self, cursor: &mut Cursor<'_>, found: &mut Found) {
        let letters = self.0.as_bytes();
        let mut at = 0;
        while let Some(&letter) = letters.get(at) {
            if !cursor.has_more() {
                return;
            }
            let is_repeated = letters.get(at + 1) == Some(&b'*');
            at += if is_repeated { 2 } else { 1 };
            loop {
                match letter {
                    b't' => found.ty = Some(cursor.push(1, true)),
                    b'r' => found.result = Some(cursor.skip()),
                    b'i' => drop(cursor.push(1, true)),
                    b's' => cursor.string(),
                    b'n' => {
                        while cursor.has_more() {
                            cursor.push(1, false);
                        }
                    }
                    b'o' => return cursor.operation(),
                    b'm' => cursor.access(),
                    b'p' => {
                        cursor.push(cursor.of.case_len, false);
                        cursor.push(1, true);
                    }
                    b'q' => {
                        while cursor.has_more() {
                            cursor.push(1, true);
                            cursor.push(1, false);
                        }
                    }
                    _ => drop(cursor.push(1, false)),
                }
                if !is_repeated || !cursor.has_more() {
                    break;
                }
            }
        }
    }
}

/// A place in the words of an instruction.
struct Cursor<'a> {
    of: &'a Words<'a>,
    at: usize,
    operands: &'a mut Vec<Operand>,
}

impl Cursor<'_> {
    fn has_more(&self) -> bool {
        self.at < self.of.words.len()
    }

    /// Passes some words, and returns their span.
    fn span(&mut self, len: usize) -> Span {
        let end = (self.at + len).min(self.of.words.len());
        let span = self.of.start + 4 * self.at as u32..self.of.start + 4 * end as u32;
        self.at = end;
        span
    }

    fn skip(&mut self) -> Span {
        self.span(1)
    }

    fn push(&mut self, len: usize, is_id: bool) -> Span {
        let span = self.span(len);
        if !span.is_empty() {
            self.operands.push(Operand {
                span: span.clone(),
                is_id,
            });
        }
        span
    }

    /// Passes a string, whose last word has a byte of zero.
    fn string(&mut self) {
        let rest = &self.of.words[self.at..];
        let has_zero = |word: &u32| word.to_le_bytes().contains(&0);
        let len = rest
            .iter()
            .position(has_zero)
            .map_or(rest.len(), |at| at + 1);
        self.push(len, false);
    }

    /// Passes the operands of a constant that is computed.
    fn operation(&mut self) {
        let code = self.of.words[self.at] as u16;
        self.push(1, false);
        // A constant operation inside another one is not valid, and could be nested without end.
        let layout = match code {
            SPEC_CONSTANT_OP => "",
            code => layout_of(code),
        };
        let rest = layout.strip_prefix("tr").unwrap_or(layout);
        let mut found = Found {
            ty: None,
            result: None,
        };
        Layout(rest).walk(self, &mut found);
    }

    fn access(&mut self) {
        let mask = self.of.words[self.at];
        self.push(1, false);
        if mask & ALIGNED != 0 {
            self.push(1, false);
        }
        for bit in WITH_SCOPE {
            if mask & bit != 0 {
                self.push(1, true);
            }
        }
    }
}
