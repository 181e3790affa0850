use crate::module::{Module, Span};
use crate::{Change, ItemKind, Set};
use rustc_hash::FxHashMap;

/// A change of the text: a span whose bytes are replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The replaced bytes.
    pub span: Span,
    /// The new bytes.
    pub text: Vec<u8>,
}

/// A change that is being completed.
pub(crate) struct Completion<'a> {
    pub(super) module: &'a Module,
    pub(super) change: &'a Change,
    pub(super) cuts: Vec<Cut>,
    /// The instructions that are removed for any reason.
    pub(super) removed: Set,
    /// The functions, by their item, whose calls change.
    pub(super) called: Set,
    /// The values of functions, by their item, that become new parameters, in order.
    pub(super) added: FxHashMap<u32, Vec<u32>>,
    /// Uses in removed instructions whose text is partly kept.
    pub(super) kept_uses: Vec<u32>,
}

impl Completion<'_> {
    /// Returns whether the body of a function is removed.
    pub(super) fn is_without_body(&self, item: u32) -> bool {
        self.change.bodies.contains(item) || self.change.items.contains(item)
    }

    /// Returns whether a function loses a parameter.
    pub(super) fn loses(&self, item: u32, parameter: u32) -> bool {
        self.called.contains(item) && self.change.parameters.contains(parameter)
    }

    /// Returns whether an item is a function that keeps its body.
    pub(super) fn keeps_body(&self, item: u32) -> Option<u32> {
        match self.module.items[item as usize].kind {
            ItemKind::Function(function) if !self.is_without_body(item) => Some(function),
            _ => None,
        }
    }
}
