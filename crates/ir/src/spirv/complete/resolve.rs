use super::completion::Completion;
use crate::Substitute;
use crate::module::{Definition, ItemKind, Target};

/// The value or item to which a use refers after a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resolved {
    /// A value of the function.
    Value(u32),
    /// An item, by its symbol.
    Symbol(u32),
    /// An undefined value of a type, by its symbol.
    Undefined(Option<u32>),
}

impl Completion<'_> {
    /// Returns the value or item to which a use refers after the change.
    pub(super) fn resolve(&self, nth: u32) -> Resolved {
        match self.change.operands.get(&nth) {
            Some(Substitute::Value(value)) => return self.resolve_value(*value),
            Some(Substitute::Item(item)) => return self.resolve_item(*item),
            _ => {}
        }
        match self.module.uses[nth as usize].target {
            Target::Value(value) if self.broken.contains(&nth) => {
                Resolved::Undefined(self.type_of(value))
            }
            Target::Value(value) => self.resolve_value(value),
            Target::Symbol(symbol) => match self.module.symbols.item(symbol) {
                Some(item) if self.gone.contains(item) => self.resolve_item(item),
                _ => Resolved::Symbol(symbol),
            },
        }
    }

    fn type_of(&self, value: u32) -> Option<u32> {
        self.facts.types.get(value as usize).copied().flatten()
    }

    fn resolve_item(&self, item: u32) -> Resolved {
        let Some(of) = self.module.items.get(item as usize) else {
            return Resolved::Undefined(None);
        };
        match of.name.filter(|_| !self.gone.contains(item)) {
            Some(name) => Resolved::Symbol(name),
            None => {
                // The type of a function item is the type of its result, so only the type of a
                // constant is used.
                let ty = of.ty.as_ref().filter(|_| of.kind == ItemKind::Constant);
                let ty = ty.map(|ty| self.module.bytes(ty));
                Resolved::Undefined(ty.and_then(|ty| self.module.symbols.find(ty)))
            }
        }
    }

    fn resolve_value(&self, value: u32) -> Resolved {
        let mut value = value;
        // Values that replace each other in a cycle have no definition, so the number of steps is
        // limited.
        for _ in 0..64 {
            match self.change.values.get(&value) {
                Some(Substitute::Value(next)) => {
                    value = *next;
                    continue;
                }
                Some(Substitute::Item(item)) => return self.resolve_item(*item),
                _ => {}
            }
            match self.phis.get(&value) {
                Some(Some(nth)) => match self.module.uses[*nth as usize].target {
                    Target::Value(next) if !self.broken.contains(nth) => value = next,
                    Target::Symbol(symbol) => return Resolved::Symbol(symbol),
                    Target::Value(_) => return Resolved::Undefined(self.type_of(value)),
                },
                Some(None) => return Resolved::Undefined(self.type_of(value)),
                None if self.is_gone(value) => return Resolved::Undefined(self.type_of(value)),
                None => return Resolved::Value(value),
            }
        }
        Resolved::Undefined(self.type_of(value))
    }

    /// Returns whether the definition of a value is removed.
    pub(super) fn is_gone(&self, value: u32) -> bool {
        match self
            .module
            .values
            .get(value as usize)
            .map(|of| of.definition)
        {
            Some(Definition::Instruction(at)) => self.removed.contains(at),
            Some(Definition::Block(_)) | None => false,
            Some(Definition::Parameter(function)) => self
                .gone
                .contains(self.module.functions[function as usize].item),
        }
    }
}
