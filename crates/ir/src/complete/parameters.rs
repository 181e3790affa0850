use super::body::Body;
use super::state::Completion;
use crate::Substitute;
use crate::module::{Definition, ItemKind, Module};

impl Completion<'_> {
    /// Determines the values that become new parameters of their functions.
    pub(super) fn add_parameters(&mut self) {
        let module = self.module;
        let values = self.change.values.iter();
        let mut values: Vec<u32> = values
            .filter(|(_, to)| **to == Substitute::Parameter)
            .map(|(value, _)| *value)
            .collect();
        values.sort_unstable();
        for value in values {
            let item = module.function_of_result(value).filter(|&function| {
                module.has_free_signature(function) && module.parameter_type(value).is_some()
            });
            let item = item.map(|function| module.functions[function as usize].item);
            if let Some(item) = item.filter(|&item| !self.is_without_body(item)) {
                self.called.insert(item);
                self.added.entry(item).or_default().push(value);
            }
        }
    }

    /// Returns the text of new parameters or arguments, with a comma before each of them except the
    /// first of a list.
    pub(super) fn added_text(
        &self,
        item: u32,
        mut has_others: bool,
        name: impl Fn(u32) -> Vec<u8>,
    ) -> Vec<u8> {
        let mut text = vec![];
        for &value in self.added.get(&item).into_iter().flatten() {
            if has_others {
                text.extend_from_slice(b", ");
            }
            has_others = true;
            text.extend_from_slice(self.module.parameter_type(value).unwrap_or_default());
            text.push(b' ');
            text.extend_from_slice(&name(value));
        }
        text
    }

    /// Returns whether a function keeps one of its former parameters.
    pub(super) fn keeps_parameters(&self, item: u32) -> bool {
        let ItemKind::Function(function) = self.module.items[item as usize].kind else {
            return false;
        };
        let mut parameters = self.module.functions[function as usize].parameters.clone();
        parameters.any(|value| !self.loses(item, value))
    }
}

impl Body<'_, '_> {
    /// Returns the name of the new parameter for a value.
    pub(super) fn added_name(&self, value: u32) -> Option<Vec<u8>> {
        let number = self.added.get(&value)?;
        Some(format!("%{number}").into_bytes())
    }
}

impl Module {
    /// Returns the function of the instruction whose result a value is.
    fn function_of_result(&self, value: u32) -> Option<u32> {
        let Definition::Instruction(at) = self.values.get(value as usize)?.definition else {
            return None;
        };
        let block = self.instructions[at as usize].block;
        let number = self.functions.partition_point(|of| of.blocks.end <= block);
        Some(number as u32)
    }

    /// Returns the type of a value in a form that a parameter can have: a type that names no item,
    /// since the item may be removed with the value.
    pub fn parameter_type(&self, value: u32) -> Option<&[u8]> {
        let ty = self.values.get(value as usize)?.ty.as_ref()?;
        let ty = self.bytes(ty);
        let is_fit = !ty.is_empty() && !ty.contains(&b'%') && ty != b"void";
        (is_fit && !matches!(ty, b"token" | b"metadata" | b"label")).then_some(ty)
    }
}
