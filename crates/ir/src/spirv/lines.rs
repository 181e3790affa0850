use super::form::Form;
use crate::Span;

/// The instructions of a module, in order, before their kinds are known.
pub(super) struct Lines {
    pub(super) form: Form,
    /// The end of the text before the first instruction.
    pub(super) head: u32,
    pub(super) lines: Vec<Line>,
    pub(super) operands: Vec<Operand>,
}

/// An instruction. The spans of all instructions cover the module after its header without gaps.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) code: u16,
    pub(super) span: Span,
    pub(super) core: Span,
    pub(super) result: Option<Span>,
    pub(super) ty: Option<Span>,
    /// The operands except the result. The type of the result is the first operand.
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
