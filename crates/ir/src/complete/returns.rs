use super::body::Body;

impl Body<'_, '_> {
    /// Returns the new type of the function's result, if it changes.
    pub(super) fn new_type(&self) -> Option<Vec<u8>> {
        match &self.returned {
            _ if self.is_void => Some(b"void".to_vec()),
            Some(returned) => Some(self.all.module.parameter_type(returned.value)?.to_vec()),
            None => None,
        }
    }

    /// Returns the text of a return at the end of a block.
    pub(super) fn ret(&self, block: usize) -> Vec<u8> {
        let module = self.all.module;
        let ty = module.items[self.function.item as usize].ty.clone();
        let ty = ty.map_or(&b"void"[..], |ty| module.bytes(&ty)).to_vec();
        let ty = self.new_type().unwrap_or(ty);
        if ty == b"void" {
            return b"ret void".to_vec();
        }
        let returned = self.returned.as_ref().filter(|of| of.is_defined[block]);
        let value = match returned {
            Some(returned) => self.value_text(returned.value),
            None => self.all.change.undefined.text().to_vec(),
        };
        [b"ret ", &ty[..], b" ", &value].concat()
    }
}
