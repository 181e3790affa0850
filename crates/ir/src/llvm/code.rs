use super::item::{parts, starts_type};
use super::read::Reader;
use super::token::{Token, TokenKind};
use super::ty::ty;
use crate::Span;
use crate::module::Op;

impl Reader<'_> {
    /// Returns whether an instruction that is written without a result has one.
    pub(super) fn has_value(&self, code: &[Token], op: Op) -> bool {
        match op {
            Op::Phi | Op::Pure | Op::Pad => true,
            Op::Call | Op::Invoke => {
                let at = (1..code.len()).find(|&at| starts_type(self.text, code, at));
                at.is_some_and(|at| code[at].of(self.text) != b"void")
            }
            Op::Effect => code.first().is_some_and(|first| {
                let word = first.of(self.text);
                matches!(word, b"load" | b"cmpxchg" | b"atomicrmw" | b"va_arg")
            }),
            _ => false,
        }
    }

    /// Returns the kind of an instruction, from its tokens without a result.
    pub(super) fn op(&self, code: &[Token]) -> Op {
        let is = |word: &[u8]| code.iter().any(|token| token.of(self.text) == word);
        let Some(first) = code.first() else {
            return Op::Effect;
        };
        if first.kind == TokenKind::Record {
            return Op::Debug;
        }
        match first.of(self.text) {
            b"phi" => Op::Phi,
            b"br" if is(b"i1") => Op::Branch,
            b"br" => Op::Jump,
            b"switch" => Op::Switch,
            b"invoke" => Op::Invoke,
            b"ret" => Op::Return,
            b"unreachable" | b"resume" => Op::End,
            b"indirectbr" | b"callbr" | b"catchswitch" | b"catchret" | b"cleanupret" => Op::Rigid,
            b"store" => Op::Store,
            b"landingpad" => Op::Pad,
            b"uselistorder" => Op::Debug,
            b"call" | b"tail" | b"musttail" | b"notail" => {
                let callee = code.iter().find(|token| token.kind == TokenKind::Global);
                match callee.is_some_and(|name| name.of(self.text).starts_with(b"@llvm.dbg.")) {
                    true => Op::Debug,
                    false => Op::Call,
                }
            }
            b"load" if is(b"volatile") || is(b"atomic") => Op::Effect,
            word if PURE.contains(&word) => Op::Pure,
            _ => Op::Effect,
        }
    }

    /// Returns the text of the type of a result, or another text with the same type.
    pub(super) fn result_type(&mut self, code: &[Token]) -> Option<Span> {
        let from = |at: usize| {
            let of = ty(self.text, code, at)?;
            Some((at, of))
        };
        let span = |(at, end): (usize, usize)| Some(code[at].start..code[end - 1].end);
        let first_type = || (1..code.len()).find(|&at| starts_type(self.text, code, at));
        // A constant expression has commas inside brackets.
        let comma = || parts(code).first().map(|operand| operand.end);
        let word = code.first()?.of(self.text);
        for token in code {
            let known = match token.of(self.text) {
                b"ptr" => &mut self.pointer,
                b"i1" => &mut self.truth,
                _ => continue,
            };
            known.get_or_insert(token.span());
        }
        let is_vector = |at: usize| code.get(at).is_some_and(|token| token.is(b'<'));
        match word {
            b"cmpxchg" | b"atomicrmw" | b"va_arg" | b"catchswitch" | b"catchpad"
            | b"cleanuppad" => None,
            b"extractelement" => {
                let (at, of) = from(first_type()?)?;
                span(element(self.text, code, at, of.end)?)
            }
            b"extractvalue" => {
                let (at, of) = from(first_type()?)?;
                span(member(self.text, code, at, of.end)?)
            }
            b"shufflevector" => {
                let (at, of) = from(first_type()?)?;
                span(shuffled(self.text, code, at, of.end)?)
            }
            b"icmp" | b"fcmp" => match is_vector(first_type()?) {
                true => None,
                false => self.truth.clone(),
            },
            b"alloca" | b"getelementptr" => {
                let has_pointers = self.pointer.is_some();
                let scalar = word == b"alloca"
                    || code.get(comma()? + 1)?.of(self.text) == b"ptr"
                        && !code.iter().any(|token| token.is(b'<'));
                (has_pointers && scalar).then(|| self.pointer.clone())?
            }
            b"select" => {
                let (at, of) = from(comma()? + 1)?;
                span((at, of.end))
            }
            _ if is_cast(word) => {
                let to = code
                    .iter()
                    .rposition(|token| token.of(self.text) == b"to")?;
                let (at, of) = from(to + 1)?;
                span((at, of.end))
            }
            b"call" | b"tail" | b"musttail" | b"notail" | b"invoke" => {
                let (at, of) = from(first_type()?)?;
                span((at, of.base))
            }
            _ => {
                let (at, of) = from(first_type()?)?;
                span((at, of.end))
            }
        }
    }
}

/// Returns the range of the type of the elements of a vector or an array.
fn element(text: &[u8], code: &[Token], at: usize, end: usize) -> Option<(usize, usize)> {
    if !matches!(code.get(at)?.kind, TokenKind::Mark(b'<' | b'[')) {
        return None;
    }
    let inner = code.get(at + 1..end.checked_sub(1)?)?;
    let is_times = |token: &Token| token.of(text) == b"x";
    // `<vscale x 4 x i32>`
    let skipped = match inner.first()?.of(text) {
        b"vscale" => 2,
        count => super::body::number(count).map(|_| 0)?,
    };
    let times = inner.iter().skip(skipped).position(is_times)? + skipped;
    Some((at + 1 + times + 1, end - 1))
}

/// Returns the range of the type of a member of an aggregate: `{ i32, i1 } %4, 1`. The type of the
/// aggregate begins at `at`. Returns `None` for a type with a name.
fn member(text: &[u8], code: &[Token], at: usize, end: usize) -> Option<(usize, usize)> {
    let (mut at, mut end, mut index) = (at, end, end + 1);
    let mut is_member = false;
    while let (Some(comma), Some(number)) = (code.get(index), code.get(index + 1)) {
        let Some(number) = super::body::number(number.of(text)).filter(|_| comma.is(b',')) else {
            break;
        };
        (at, end) = match code.get(at)?.kind {
            // `<{ i32, i8 }>` is packed.
            TokenKind::Mark(b'<') if code.get(at + 1)?.is(b'{') => {
                (at, end) = (at + 1, end - 1);
                continue;
            }
            TokenKind::Mark(b'{') => {
                let parts = parts(code.get(at + 1..end.checked_sub(1)?)?);
                let part = parts.get(number as usize)?;
                (at + 1 + part.start, at + 1 + part.end)
            }
            _ => element(text, code, at, end)?,
        };
        is_member = true;
        index += 2;
    }
    is_member.then_some((at, end))
}

/// Returns the range of the type of a shuffled vector, if it is that of the operands or of the
/// mask.
fn shuffled(text: &[u8], code: &[Token], at: usize, end: usize) -> Option<(usize, usize)> {
    let operands = parts(code.get(at..)?);
    let mask = at + operands.get(2)?.start;
    let mask_end = ty(text, code, mask)?.end;
    let count = |at: usize| Some(code.get(at + 1)?.of(text));
    let is_fixed = count(at)? != b"vscale" && count(mask)? != b"vscale";
    let of = |(start, end): (usize, usize)| code[start].of(text) == b"i32" && end == start + 1;
    if is_fixed && count(at) == count(mask) {
        Some((at, end))
    } else if is_fixed && element(text, code, at, end).is_some_and(of) {
        Some((mask, mask_end))
    } else {
        None
    }
}

fn is_cast(word: &[u8]) -> bool {
    matches!(
        word,
        b"trunc"
            | b"zext"
            | b"sext"
            | b"fptrunc"
            | b"fpext"
            | b"fptoui"
            | b"fptosi"
            | b"uitofp"
            | b"sitofp"
            | b"ptrtoint"
            | b"inttoptr"
            | b"bitcast"
            | b"addrspacecast"
            | b"ptrtoaddr"
    )
}

/// Instructions without effects.
const PURE: &[&[u8]] = &[
    b"add",
    b"sub",
    b"mul",
    b"udiv",
    b"sdiv",
    b"urem",
    b"srem",
    b"shl",
    b"lshr",
    b"ashr",
    b"and",
    b"or",
    b"xor",
    b"icmp",
    b"fcmp",
    b"select",
    b"getelementptr",
    b"load",
    b"alloca",
    b"trunc",
    b"zext",
    b"sext",
    b"fptrunc",
    b"fpext",
    b"fptoui",
    b"fptosi",
    b"uitofp",
    b"sitofp",
    b"ptrtoint",
    b"inttoptr",
    b"bitcast",
    b"addrspacecast",
    b"ptrtoaddr",
    b"fadd",
    b"fsub",
    b"fmul",
    b"fdiv",
    b"frem",
    b"fneg",
    b"insertvalue",
    b"extractvalue",
    b"freeze",
    b"insertelement",
    b"extractelement",
    b"shufflevector",
];
