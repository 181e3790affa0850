use super::code;
use super::form::Form;
use super::layout::{Layout, Words};
use super::lines::{Line, Lines};
use super::opcode::layout_of;
use rustc_hash::FxHashMap;

/// The bytes before the first instruction.
const HEAD: usize = 20;

/// Reads the instructions of a binary module, up to the first damaged one.
pub(super) fn lines(text: &[u8], form: Form) -> Lines {
    let mut all = Lines {
        form,
        head: HEAD.min(text.len()) as u32,
        lines: vec![],
        operands: vec![],
    };
    let mut widths = Widths::default();
    let mut words: Vec<u32> = vec![];
    let mut at = HEAD;
    while let Some(first) = text.get(at..at + 4) {
        let first = form.word(first);
        let (len, code) = ((first >> 16) as usize * 4, first as u16);
        let Some(rest) = text.get(at + 4..at + len).filter(|_| len > 0) else {
            break;
        };
        words.clear();
        words.extend(rest.chunks_exact(4).map(|word| form.word(word)));
        let start = all.operands.len() as u32;
        let of = Words {
            start: at as u32 + 4,
            words: &words,
            case_len: words.first().map_or(1, |&selector| widths.of(selector)),
        };
        let found = Layout(layout_of(code)).divide(&of, &mut all.operands);
        widths.note(code, &words, found.ty.is_some() && found.result.is_some());
        let span = at as u32..(at + len) as u32;
        all.lines.push(Line {
            code,
            span: span.clone(),
            core: span,
            result: found.result,
            ty: found.ty,
            operands: start..all.operands.len() as u32,
        });
        at += len;
    }
    all
}

/// The integers of more than 32 bits: types, and the values that have them.
#[derive(Default)]
struct Widths(FxHashMap<u32, usize>);

impl Widths {
    fn of(&self, id: u32) -> usize {
        self.0.get(&id).copied().unwrap_or(1)
    }

    fn note(&mut self, code: u16, words: &[u32], has_type: bool) {
        match (code, words) {
            (code::TYPE_INT, [id, width, ..]) if *width > 32 => {
                self.0.insert(*id, (*width as usize).min(1024).div_ceil(32));
            }
            (_, [ty, id, ..]) if has_type => {
                if let Some(&len) = self.0.get(ty) {
                    self.0.insert(*id, len);
                }
            }
            _ => {}
        }
    }
}
