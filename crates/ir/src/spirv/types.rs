use super::code;
use super::facts::Facts;
use super::form::Form;
use super::opcode::is_known;
use crate::Set;
use crate::module::{ItemKind, Module, Target};

impl Facts {
    /// Determines the types whose values can be undefined, and the entry points of the program.
    pub(super) fn complete(&mut self, module: &Module) {
        for (at, item) in (0..).zip(&module.items) {
            let uses = &module.uses[item.uses.start as usize..item.uses.end as usize];
            let named = |nth: usize| match uses.get(nth)?.target {
                Target::Symbol(symbol) => module.symbols.item(symbol),
                Target::Value(_) => None,
            };
            if item.kind == ItemKind::EntryPoint {
                self.entries.extend(named(0));
            }
            let of = |set: &Set, nth: usize| named(nth).is_some_and(|item| set.contains(item));
            let can_be = match self.item_codes[at as usize] {
                code::TYPE_BOOL | code::TYPE_INT | code::TYPE_FLOAT => true,
                code::TYPE_VECTOR | code::TYPE_MATRIX | code::TYPE_ARRAY => {
                    of(&self.undefinable, 0)
                }
                code::TYPE_STRUCT => (0..uses.len()).all(|nth| of(&self.undefinable, nth)),
                _ => false,
            };
            if can_be {
                self.undefinable.insert(at);
            }
        }
    }

    /// Returns whether a binary module was read to its end.
    pub(crate) fn is_whole_binary(&self, module: &Module) -> bool {
        let rest = self.item_codes.get(1..).unwrap_or_default();
        let is_rigid = module.functions.iter().any(|function| function.is_rigid);
        let all_known = rest.iter().chain(&self.codes).all(|&code| is_known(code));
        self.form != Form::Text && !is_rigid && !rest.contains(&0) && all_known
    }

    /// Returns the text of a name, by its symbol.
    pub(super) fn name<'m>(&self, module: &'m Module, symbol: u32) -> &'m [u8] {
        let span = self.names.get(symbol as usize);
        span.map_or(&[], |span| module.bytes(span))
    }

    /// Returns whether a value of a type, by its symbol, can be undefined.
    pub(super) fn can_be_undefined(&self, module: &Module, ty: Option<u32>) -> bool {
        let item = ty.and_then(|ty| module.symbols.item(ty));
        item.is_some_and(|item| self.undefinable.contains(item))
    }
}
