use super::super::code;
use super::super::form::Form;
use super::completion::Completion;
use super::resolve::Resolved;
use crate::Cut;
use crate::module::{ItemKind, Span, Target};

impl Completion<'_> {
    /// Adds the cuts of all items.
    pub(super) fn write(&mut self) {
        let module = self.module;
        for number in 0..module.functions.len() as u32 {
            self.write_function(number);
        }
        let behind = self.last_definition();
        for (at, item) in (0..).zip(&module.items) {
            let is_gone = self.gone.contains(at) || self.is_about_nothing(at);
            if is_gone {
                self.cuts.push(Cut {
                    span: item.span.clone(),
                    text: vec![],
                });
                continue;
            }
            let mut text = match item.kind {
                ItemKind::EntryPoint => self.entry_point(at),
                _ => None,
            };
            if behind == Some(at) && !self.undefined.is_empty() {
                let mut all = text.unwrap_or_else(|| module.bytes(&item.core).to_vec());
                all.extend_from_slice(&self.new_undefined());
                text = Some(all);
            }
            self.cuts.extend(text.map(|text| Cut {
                span: item.core.clone(),
                text,
            }));
        }
        self.write_bound();
    }

    /// Returns the last item before all functions that is left.
    fn last_definition(&self) -> Option<u32> {
        let items = &self.module.items;
        let is_function = |code: &u16| *code == code::FUNCTION;
        let first = self.facts.item_codes.iter().position(is_function);
        let mut before = (0..first.unwrap_or(items.len()) as u32).rev();
        before.find(|&at| !self.gone.contains(at) && !self.is_about_nothing(at))
    }

    /// Writes the undefined values that are new.
    fn new_undefined(&self) -> Vec<u8> {
        let form = self.facts.form;
        let mut text = vec![];
        for (ty, name) in &self.undefined {
            let ty = self.facts.name(self.module, *ty);
            text.extend_from_slice(form.separator());
            text.extend(form.instruction(code::UNDEF, name, &[ty]));
        }
        text
    }

    /// Adapts the bound of the ids in the head of a binary module.
    fn write_bound(&mut self) {
        let form = self.facts.form;
        if form == Form::Text || self.undefined.is_empty() {
            return;
        }
        let ids = self.undefined.values().map(|name| form.word(name));
        let bound = ids
            .max()
            .map_or(0, |id| id.saturating_add(1))
            .max(self.facts.bound);
        self.cuts.push(Cut {
            span: 12..16,
            text: form.bytes(bound).to_vec(),
        });
    }

    /// Returns the text of an entry point without the variables that are removed.
    fn entry_point(&self, at: u32) -> Option<Vec<u8>> {
        let item = &self.module.items[at as usize];
        let is_gone = |nth: &u32| match self.module.uses[*nth as usize].target {
            Target::Symbol(symbol) => {
                let item = self.module.symbols.item(symbol);
                item.is_some_and(|item| self.gone.contains(item))
            }
            Target::Value(_) => false,
        };
        let gone: Vec<Cut> = item
            .uses
            .clone()
            .skip(1)
            .filter(is_gone)
            .map(|nth| Cut {
                span: self.module.uses[nth as usize].span.clone(),
                text: vec![],
            })
            .collect();
        (!gone.is_empty()).then(|| self.apply(&item.core, gone))
    }

    /// Applies sorted cuts to an instruction. A cut of a whole operand includes the space before
    /// it.
    pub(super) fn apply(&self, core: &Span, mut cuts: Vec<Cut>) -> Vec<u8> {
        let module = self.module;
        cuts.sort_by_key(|cut| cut.span.start);
        let mut text = Vec::with_capacity((core.end - core.start) as usize);
        let mut at = core.start;
        for cut in cuts.iter().filter(|cut| cut.span.end <= core.end) {
            if cut.span.start < at {
                continue;
            }
            text.extend_from_slice(module.bytes(&(at..cut.span.start)));
            if cut.text.is_empty() && self.facts.form == Form::Text {
                let len = text.trim_ascii_end().len();
                text.truncate(len);
            }
            text.extend_from_slice(&cut.text);
            at = cut.span.end;
        }
        text.extend_from_slice(module.bytes(&(at..core.end)));
        self.facts.form.count(&mut text);
        text
    }

    /// Returns the text of the name to which a use refers.
    pub(super) fn text_of(&mut self, resolved: Resolved) -> Vec<u8> {
        match resolved {
            Resolved::Value(value) => {
                let name = &self.module.values[value as usize].name;
                self.module.bytes(name).to_vec()
            }
            Resolved::Symbol(symbol) => self.facts.name(self.module, symbol).to_vec(),
            Resolved::Undefined(ty) => self.undefined(ty.unwrap_or(0)),
        }
    }

    /// Returns the name of an undefined value. A new value is created if the module has no
    /// undefined value of the type.
    pub(super) fn undefined(&mut self, ty: u32) -> Vec<u8> {
        if let Some(&found) = self.found_undefined.get(&ty) {
            return self.facts.name(self.module, found).to_vec();
        }
        let (facts, module) = (self.facts, self.module);
        let name = || match facts.form {
            Form::Text => {
                let mut names = (ty..).map(|number| format!("%undef{number}").into_bytes());
                let name = names.find(|name| module.symbols.find(name).is_none());
                name.unwrap_or_default()
            }
            form => {
                // The number does not depend on the other undefined values.
                let item = module.symbols.item(ty).unwrap_or(0);
                let nth = facts.undefinable.iter().take_while(|&of| of < item).count() as u32;
                form.bytes(facts.bound.saturating_add(nth)).to_vec()
            }
        };
        self.undefined.entry(ty).or_insert_with(name).clone()
    }

    /// Returns the symbol that a use names.
    pub(super) fn symbol_of(&self, nth: u32) -> Option<u32> {
        match self.module.uses.get(nth as usize)?.target {
            Target::Symbol(symbol) => Some(symbol),
            Target::Value(_) => None,
        }
    }
}
