use super::form::Form;
use crate::Span;

/// The instructions of a module, in order, before it is known what they are.
pub(super) struct Lines {
    pub(super) form: Form,
    /// The end of what is before the first instruction.
    pub(super) head: u32,
    pub(super) lines: Vec<Line>,
    pub(super) operands: Vec<Operand>,
}

/// An instruction. The spans of all of them tile the module behind its head.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) code: u16,
    pub(super) span: Span,
    pub(super) core: Span,
    pub(super) result: Option<Span>,
    pub(super) ty: Option<Span>,
    /// The operands but for the result. The type of the result is the first one.
    pub(super) operands: std::ops::Range<u32>,
}

/// A part of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Operand {
    pub(super) span: Span,
    pub(super) is_id: bool,
}

impl Lines {
    /// Returns the operands of an instruction.
    pub(super) fn of(&self, line: &Line) -> &[Operand] {
        &self.operands[line.operands.start as usize..line.operands.end as usize]
    }
}
