use super::bytes::Bytes;
use super::changes::WasmCode;
use super::operator::{F32, F64, I32, I64, prefixed, types, zero};
use super::types::Types;
use std::ops::Range;

/// A function body that is being read, with a stack of the types of its values.
pub(super) struct Body<'a> {
    bytes: Bytes<'a>,
    types: &'a Types,
    locals: Vec<u8>,
    values: Vec<Value>,
    blocks: Vec<Block>,
    /// The place of the last instruction and the start of its number, if the instruction sets a
    /// local.
    set: Option<Range<usize>>,
    found: WasmCode,
}

/// A value on the stack, with the code that computes it.
#[derive(Clone, Copy)]
struct Value {
    start: usize,
    end: usize,
    ty: u8,
}

/// An open block.
struct Block {
    /// The start of the code that is removed with the block.
    start: usize,
    /// The start of the code in the block, unless a branch leaves the block or it has two arms.
    inner: Option<usize>,
    result: Option<u8>,
    /// The number of values on the stack before the block.
    height: usize,
    /// Whether the rest of the block is never reached, so that it may have any type.
    is_dead: bool,
}

/// The instruction that ends a block.
const END: u8 = 0x0b;

/// The maximum number of locals of a function that is read.
const MAX_LOCALS: usize = 50_000;

impl<'a> Body<'a> {
    /// Reads a body. Returns `None` if it has unknown instructions.
    pub(super) fn read(
        bytes: Bytes<'a>,
        types: &'a Types,
        ty: &(Vec<u8>, Vec<u8>),
    ) -> Option<WasmCode> {
        let mut body = Body {
            bytes,
            types,
            locals: ty.0.clone(),
            values: vec![],
            blocks: vec![],
            set: None,
            found: WasmCode::default(),
        };
        for _ in 0..body.bytes.number()? {
            let count = body.bytes.number()? as usize;
            let ty = body.bytes.byte()?;
            if body.locals.len().saturating_add(count) > MAX_LOCALS {
                return None;
            }
            body.locals.extend(std::iter::repeat_n(ty, count));
        }
        let result = match ty.1[..] {
            [] => None,
            [only] => Some(only),
            _ => return None,
        };
        body.open(body.bytes.at, None, result);
        let mut instructions = 0;
        while !body.blocks.is_empty() {
            instructions += u64::from(!body.bytes.is_before(END));
            body.instruction()?;
        }
        body.found.instructions = Some(instructions);
        body.bytes.is_at_end().then_some(body.found)
    }

    fn open(&mut self, start: usize, inner: Option<usize>, result: Option<u8>) {
        let is_dead = self.is_dead();
        self.blocks.push(Block {
            start,
            inner,
            result,
            height: self.values.len(),
            is_dead,
        });
    }

    fn is_dead(&self) -> bool {
        self.blocks.last().is_some_and(|block| block.is_dead)
    }

    /// Takes a value from the stack.
    fn pop(&mut self) -> Option<Value> {
        let height = self.blocks.last()?.height;
        if self.values.len() <= height {
            return None;
        }
        self.values.pop()
    }

    /// Records an operator that takes some values and may give one.
    fn apply(&mut self, start: usize, count: usize, result: Option<u8>) -> Option<()> {
        if self.is_dead() {
            return Some(());
        }
        let mut operands = vec![];
        for _ in 0..count {
            operands.push(self.pop()?);
        }
        let whole = operands.last().map_or(start, |first| first.start);
        let Some(ty) = result else {
            let span = whole as u32..self.bytes.at as u32;
            self.found.statements.push(span);
            return Some(());
        };
        let value = Value {
            start: whole,
            end: self.bytes.at,
            ty,
        };
        for operand in operands.iter().rev().filter(|operand| operand.ty == ty) {
            let before = value.start as u32..operand.start as u32;
            let behind = operand.end as u32..value.end as u32;
            self.found.children.push([before, behind]);
        }
        self.push(value);
        Some(())
    }

    fn push(&mut self, value: Value) {
        if let Some(zero) = zero(value.ty)
            && value.end - value.start > zero.len()
        {
            let span = value.start as u32..value.end as u32;
            self.found.constants.push((span, zero));
        }
        self.values.push(value);
    }

    /// Reads the number of a block that a branch leads to, and notes that it leaves all up to that.
    fn leave(&mut self) -> Option<()> {
        let count = self.bytes.number()? as usize;
        let blocks = self.blocks.iter_mut().rev();
        blocks
            .take(count.saturating_add(1))
            .for_each(|block| block.inner = None);
        Some(())
    }

    /// Reads the number of a local of an instruction, and finds the place where it is set and its
    /// value taken at once.
    fn local(&mut self, start: usize, code: u8) -> Option<u8> {
        const TEE: u8 = 0x22;
        let local = self.bytes.number()? as usize;
        let number = start + 1..self.bytes.at;
        let before = self.set.take();
        match (code, before) {
            (0x20, Some(before)) if before.end == start && !self.is_dead() => {
                let is_same = self.bytes.of(&before) == self.bytes.of(&number);
                let both = (before.start - 1) as u32..self.bytes.at as u32;
                let tee = [&[TEE], self.bytes.of(&number)].concat();
                self.found.locals.extend(is_same.then_some((both, tee)));
            }
            (0x21, _) => self.set = Some(number),
            _ => {}
        }
        self.locals.get(local).copied()
    }

    /// Records that the rest of the block is never reached.
    fn end_here(&mut self) {
        if let Some(block) = self.blocks.last_mut() {
            block.is_dead = true;
            self.values.truncate(block.height);
        }
    }

    fn instruction(&mut self) -> Option<()> {
        let start = self.bytes.at;
        let code = self.bytes.byte()?;
        match code {
            0x00 | 0x0f => self.end_here(),
            0x01 => self.apply(start, 0, None)?,
            0x02..=0x04 => {
                let result = match self.bytes.byte()? {
                    0x40 => None,
                    ty @ (I32 | I64 | F32 | F64) => Some(ty),
                    _ => return None,
                };
                let mut outer = start;
                let inner = (code != 0x04).then_some(self.bytes.at);
                if code == 0x04 && !self.is_dead() {
                    outer = self.pop()?.start;
                }
                self.open(outer, inner, result);
            }
            0x05 => {
                let outer = self.blocks.len().checked_sub(2);
                let is_dead = outer.is_some_and(|outer| self.blocks[outer].is_dead);
                let block = self.blocks.last_mut()?;
                block.is_dead = is_dead;
                self.values.truncate(block.height);
            }
            END => self.close()?,
            0x0c => {
                self.leave()?;
                self.end_here();
            }
            0x0d => {
                self.leave()?;
                self.apply(start, 1, None)?;
            }
            0x0e => {
                for _ in 0..=self.bytes.number()? {
                    self.leave()?;
                }
                self.end_here();
            }
            0x10 | 0x11 => self.call(start, code)?,
            0x1a => self.apply(start, 1, None)?,
            0x1b => {
                let ty = self.values.iter().rev().nth(1).map(|value| value.ty);
                self.apply(start, 3, ty)?;
            }
            0x20..=0x22 => {
                let ty = self.local(start, code)?;
                let operands = usize::from(code != 0x20);
                self.apply(start, operands, (code != 0x21).then_some(ty))?;
            }
            0x23 | 0x24 => {
                let global = self.bytes.number()? as usize;
                let ty = *self.types.globals.get(global)?;
                let operands = usize::from(code == 0x24);
                self.apply(start, operands, (code == 0x23).then_some(ty))?;
            }
            0x3f | 0x40 => {
                self.bytes.skip(1)?;
                self.apply(start, usize::from(code == 0x40), Some(I32))?;
            }
            0x41..=0x44 => self.constant(start, code)?,
            0xfc => {
                let (operands, result, numbers) = prefixed(self.bytes.number()?)?;
                for _ in 0..numbers {
                    self.bytes.number()?;
                }
                self.apply(start, operands.len(), result)?;
            }
            _ => {
                let (operands, result) = types(code)?;
                if (0x28..=0x3e).contains(&code) {
                    self.bytes.number()?;
                    self.bytes.skip_number()?;
                }
                self.apply(start, operands.len(), result)?;
            }
        }
        Some(())
    }

    fn constant(&mut self, start: usize, code: u8) -> Option<()> {
        let ty = match code {
            0x41 => I32,
            0x42 => I64,
            0x43 => F32,
            _ => F64,
        };
        match ty {
            I32 | I64 => self.bytes.skip_number()?,
            F32 => self.bytes.skip(4)?,
            _ => self.bytes.skip(8)?,
        }
        self.apply(start, 0, Some(ty))
    }

    fn call(&mut self, start: usize, code: u8) -> Option<()> {
        let number = self.bytes.number()? as usize;
        let is_direct = code == 0x10;
        let ty = match is_direct {
            true => *self.types.functions.get(number)?,
            false => {
                self.bytes.number()?;
                number
            }
        };
        let (parameters, results) = self.types.types.get(ty)?;
        let result = match results[..] {
            [] => None,
            [only] => Some(only),
            _ => return None,
        };
        self.apply(start, parameters.len() + usize::from(!is_direct), result)
    }

    /// Ends a block, which is a statement or a value of those around it.
    fn close(&mut self) -> Option<()> {
        let block = self.blocks.pop()?;
        self.values.truncate(block.height);
        if self.blocks.is_empty() || self.is_dead() {
            return Some(());
        }
        let (start, end) = (block.start, self.bytes.at);
        if let Some(inner) = block.inner {
            let head = start as u32..inner as u32;
            self.found
                .children
                .push([head, (end - 1) as u32..end as u32]);
        }
        match block.result {
            Some(ty) => self.push(Value { start, end, ty }),
            None => self.found.statements.push(start as u32..end as u32),
        }
        Some(())
    }
}
