use super::head::declaration;
use super::state::{Completion, Cut};
use crate::Set;
use crate::llvm::token::{Token, Tokens};
use crate::module::{Item, ItemKind, Span, Target};

impl Completion<'_> {
    /// Adds the cuts of removed items, of items that only removed parts needed, and of items
    /// without bodies.
    pub(super) fn items(&mut self) {
        let module = self.module;
        let before = Reached::all(self, None);
        let after = Reached::all(self, Some(&before));
        for (number, item) in module.items.iter().enumerate() {
            let number = number as u32;
            let is_declared = self.change.bodies.contains(number);
            // A new declaration that nothing names is removed, since its types are not kept for it.
            let can_go = is_declared || before.contains(number) && can_go(item);
            if self.change.items.contains(number) || can_go && !after.contains(number) {
                self.cuts.push(Cut {
                    span: item.span.clone(),
                    text: vec![],
                });
            } else if is_declared && let Some(text) = self.without_body(item) {
                self.cuts.push(Cut {
                    span: item.core.clone(),
                    text,
                });
            } else if !self.change.items.is_empty() && !is_declared {
                self.uses_of_head(item);
            }
        }
    }

    /// Makes uses of removed items undefined where no instruction has them: in initial values, in
    /// metadata, and in the heads of functions.
    fn uses_of_head(&mut self, item: &Item) {
        let module = self.module;
        let body = match item.kind {
            ItemKind::Function(function) => module.functions[function as usize].body.start,
            _ => item.span.end,
        };
        for used in item.uses.clone().map(|nth| &module.uses[nth as usize]) {
            let Target::Symbol(symbol) = used.target else {
                continue;
            };
            let is_removed = module
                .symbols
                .item(symbol)
                .is_some_and(|item| self.change.items.contains(item));
            let is_value = module.bytes(&used.span).first() == Some(&b'@');
            if is_removed && is_value && used.span.start < body {
                let text = self.change.undefined.text().to_vec();
                let span = used.span.clone();
                self.cuts.push(Cut { span, text });
            }
        }
    }

    /// Returns the text of an item without its body or initializer.
    fn without_body(&self, item: &Item) -> Option<Vec<u8>> {
        let module = self.module;
        match item.kind {
            ItemKind::Function(function) => {
                let end = module.functions[function as usize].body.start;
                declaration(
                    &module.text,
                    &self.tokens(&(item.core.start..end.saturating_sub(1))),
                )
            }
            ItemKind::Global => {
                let ty = item.ty.clone()?;
                let head: Vec<Token> = self.tokens(&(item.core.start..ty.start));
                let mut text = head.first()?.of(&module.text).to_vec();
                text.extend_from_slice(b" = external");
                for (at, token) in head.iter().enumerate().skip(2) {
                    let is_part = head[at - 1].is(b'(') || token.is(b'(') || token.is(b')');
                    let word = token.of(&module.text);
                    if is_part
                        || matches!(
                            word,
                            b"thread_local" | b"addrspace" | b"global" | b"constant"
                        )
                    {
                        if !is_part {
                            text.push(b' ');
                        }
                        text.extend_from_slice(word);
                    }
                }
                text.push(b' ');
                text.extend_from_slice(module.bytes(&ty));
                Some(text)
            }
            _ => None,
        }
    }

    /// Returns whether a function is not local any more.
    fn is_freed(&self, item: u32) -> bool {
        let words = &self.change.words;
        !words.is_empty()
            && self
                .module
                .locality(item)
                .is_some_and(|word| words.contains(word))
    }

    fn tokens(&self, span: &Span) -> Vec<Token> {
        Tokens::from(&self.module.text[..span.end as usize], span.start as usize).collect()
    }
}

/// Returns whether an item is removed with its last use.
fn can_go(item: &Item) -> bool {
    match item.kind {
        ItemKind::Declaration
        | ItemKind::Type
        | ItemKind::Attributes
        | ItemKind::Comdat
        | ItemKind::Metadata => true,
        ItemKind::Function(_) | ItemKind::Global => item.is_local,
        ItemKind::Alias => item.is_local,
        _ => false,
    }
}

/// Items that are reached from those that stay in any case.
struct Reached<'c, 'a> {
    all: &'c Completion<'a>,
    reached: Set,
    todo: Vec<u32>,
    /// Whether the change is already made.
    is_after: bool,
}

impl<'c, 'a> Reached<'c, 'a> {
    /// Searches before the change, or after it. An item that nothing reached `before` is left, with
    /// what it needs.
    fn all(all: &'c Completion<'a>, before: Option<&Set>) -> Set {
        let module = all.module;
        let is_after = before.is_some();
        let mut search = Reached {
            all,
            reached: Set::new(module.items.len()),
            todo: vec![],
            is_after,
        };
        for (number, item) in module.items.iter().enumerate() {
            let number = number as u32;
            let is_changed = is_after
                && (all.change.items.contains(number) || all.change.bodies.contains(number));
            let is_left = before.is_some_and(|before| !before.contains(number));
            let is_freed = is_after && all.is_freed(number);
            let is_root = !is_changed && (!can_go(item) || is_freed || is_left);
            if is_root && search.reached.insert(number) {
                search.todo.push(number);
            }
        }
        while let Some(number) = search.todo.pop() {
            search.follow(number);
        }
        search.reached
    }

    fn follow(&mut self, number: u32) {
        let all = self.all;
        let item = &all.module.items[number as usize];
        if !self.is_after {
            return self.uses(item.uses.start, item.uses.end);
        }
        let is_without = all.change.bodies.contains(number);
        match item.kind {
            ItemKind::Function(_) if is_without => {
                // A declaration needs its types, the attributes of its parameters, and attribute
                // groups.
                let end = item
                    .parameters
                    .as_ref()
                    .map_or(item.core.end, |span| span.end);
                for nth in item.uses.clone() {
                    let used = &all.module.uses[nth as usize];
                    let is_group = all.module.bytes(&used.span).first() == Some(&b'#');
                    let body = self.body_start(item);
                    if used.span.start < end || is_group && used.span.start < body {
                        self.used(nth);
                    }
                }
            }
            ItemKind::Global if is_without => {
                let end = item.ty.as_ref().map_or(item.core.end, |span| span.end);
                let of_head = |nth: &u32| all.module.uses[*nth as usize].span.start < end;
                item.uses
                    .clone()
                    .filter(of_head)
                    .for_each(|nth| self.used(nth));
            }
            ItemKind::Function(function) => {
                let instructions = self.instructions(function);
                let first = instructions.clone().next();
                let start = first.map_or(item.uses.end, |at| {
                    all.module.instructions[at as usize].uses.start
                });
                self.uses(item.uses.start, start);
                for at in instructions {
                    if !all.removed.contains(at) {
                        let uses = all.module.instructions[at as usize].uses.clone();
                        self.uses(uses.start, uses.end);
                    }
                }
                let kept = all.kept_uses.iter().filter(|nth| item.uses.contains(nth));
                kept.for_each(|&nth| self.used(nth));
            }
            _ => self.uses(item.uses.start, item.uses.end),
        }
    }

    fn body_start(&self, item: &Item) -> u32 {
        match item.kind {
            ItemKind::Function(function) => self.all.module.functions[function as usize].body.start,
            _ => item.core.end,
        }
    }

    fn instructions(&self, function: u32) -> std::ops::Range<u32> {
        let module = self.all.module;
        let blocks = module.functions[function as usize].blocks.clone();
        if blocks.is_empty() {
            return 0..0;
        }
        let first = module.blocks[blocks.start as usize].instructions.start;
        first..module.blocks[blocks.end as usize - 1].instructions.end
    }

    fn uses(&mut self, start: u32, end: u32) {
        let all = self.all;
        if !self.is_after || all.change.words.is_empty() {
            (start..end).for_each(|nth| self.used(nth));
            return;
        }
        // Uses in removed words do not count.
        let words = &all.module.words;
        let span = |nth: u32| &all.module.uses[nth as usize].span;
        for nth in start..end {
            let word = words.partition_point(|word| word.span.end < span(nth).end);
            let is_removed = words
                .get(word)
                .is_some_and(|word| word.span.start <= span(nth).start)
                && all.change.words.contains(word as u32);
            if !is_removed {
                self.used(nth);
            }
        }
    }

    fn used(&mut self, nth: u32) {
        let all = self.all;
        if self.is_after && all.change.operands.contains_key(&nth) {
            return;
        }
        if let Target::Symbol(symbol) = all.module.uses[nth as usize].target
            && let Some(item) = all.module.symbols.item(symbol)
            && !(self.is_after && all.change.items.contains(item))
            && self.reached.insert(item)
        {
            self.todo.push(item);
        }
    }
}
