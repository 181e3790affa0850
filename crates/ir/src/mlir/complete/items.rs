use super::completion::Completion;
use crate::Set;
use crate::module::{Item, ItemKind, Span, Target};

impl Completion<'_> {
    /// Adds the cuts of removed items, of items that only removed parts needed, and of items
    /// without bodies.
    pub(super) fn items(&mut self) {
        let change = self.change;
        if self.cuts.is_empty() && change.items.is_empty() && change.bodies.is_empty() {
            return;
        }
        let mut dead: Vec<Span> = self
            .cuts
            .iter()
            .filter(|cut| cut.text.is_empty())
            .map(|cut| cut.span.clone())
            .collect();
        for (number, item) in (0..).zip(&self.module.items) {
            if change.items.contains(number) {
                dead.push(item.span.clone());
            } else if change.bodies.contains(number) {
                dead.extend(self.body(item));
            }
        }
        dead.sort_unstable_by_key(|span| (span.start, span.end));
        let before = self.reached(&[]);
        let after = self.reached(&dead);
        for (number, item) in (0..).zip(&self.module.items) {
            let is_unneeded = before.contains(number) && !after.contains(number);
            let is_declared = change.bodies.contains(number);
            let is_removed = change.items.contains(number)
                || is_unneeded && can_go(item)
                || is_declared && !after.contains(number);
            if is_removed {
                self.cut(item.span.clone(), vec![]);
            } else if is_declared && let Some(text) = self.declared(item) {
                self.cut(item.core.clone(), text);
            }
        }
    }

    /// Returns the text of the body or initial value of an item.
    fn body(&self, item: &Item) -> Vec<Span> {
        let region = |function: u32| self.module.functions[function as usize].body.clone();
        match item.kind {
            ItemKind::Function(function) => vec![region(function)],
            ItemKind::Global => {
                let of =
                    self.module.functions.iter().filter(|function| {
                        self.module.items[function.item as usize].span == item.span
                    });
                of.map(|function| function.body.clone())
                    .chain(item.initializer.clone())
                    .collect()
            }
            _ => vec![],
        }
    }

    /// Returns the items that are reached from those that stay in any case, by uses outside of
    /// some sorted spans.
    fn reached(&self, dead: &[Span]) -> Set {
        let module = self.module;
        let mut reached = Set::new(module.items.len());
        let is_after = !dead.is_empty();
        let is_kept = |number: u32, item: &Item| {
            let is_lost = is_after
                && (self.change.items.contains(number) || self.change.bodies.contains(number));
            !can_go(item) && (!is_lost || item.is_frozen)
        };
        let roots = (0..)
            .zip(&module.items)
            .filter(|(number, item)| is_kept(*number, item));
        let mut todo: Vec<u32> = roots.map(|(number, _)| number).collect();
        // The greatest end of all spans so far, since a span may contain others.
        let mut ends = vec![0; dead.len()];
        let mut end = 0;
        for (at, span) in dead.iter().enumerate() {
            end = end.max(span.end);
            ends[at] = end;
        }
        let is_dead = |at: u32| {
            let next = dead.partition_point(|span| span.start <= at);
            next > 0 && ends[next - 1] > at
        };
        while let Some(number) = todo.pop() {
            if !reached.insert(number) {
                continue;
            }
            let item = &module.items[number as usize];
            for nth in item.uses.clone() {
                let used = &module.uses[nth as usize];
                let Target::Symbol(symbol) = used.target else {
                    continue;
                };
                if let Some(other) = module.symbols.item(symbol)
                    && !reached.contains(other)
                    && !is_dead(used.span.start)
                {
                    todo.push(other);
                }
            }
        }
        reached
    }

    /// Returns the text of an item without its body or initial value.
    fn declared(&self, item: &Item) -> Option<Vec<u8>> {
        let text = match item.kind {
            ItemKind::Function(function) => {
                let of = &self.module.functions[function as usize];
                let mut text = vec![];
                let mut from = item.core.start;
                let is_generic = self.module.text.get(from as usize) == Some(&b'"');
                if is_generic {
                    return self.generic_declaration(item, &of.body);
                }
                for (value, span) in of.parameters.clone().zip(&of.parameter_spans) {
                    text.extend_from_slice(self.module.bytes(&(from..span.start)));
                    from = self.facts.types[value as usize]
                        .first()
                        .map_or(span.start, |ty| ty.start);
                }
                let brace = of.body.start.saturating_sub(1).max(from);
                text.extend_from_slice(self.module.bytes(&(from..brace)).trim_ascii_end());
                text.extend_from_slice(self.module.bytes(&(of.body.end + 1..item.core.end)));
                text
            }
            ItemKind::Global => {
                let mut removed = self.body(item);
                removed.sort_unstable_by_key(|span| span.start);
                let (mut text, mut from) = (vec![], item.core.start);
                let initializer = item.initializer.clone()?;
                for span in removed {
                    let is_initializer = span == initializer;
                    let (start, end) = if is_initializer {
                        (span.start, span.end)
                    } else {
                        (span.start - 1, span.end + 1)
                    };
                    text.extend_from_slice(self.module.bytes(&(from..start.max(from))));
                    from = end.max(from);
                }
                text.extend_from_slice(self.module.bytes(&(from..item.core.end)));
                text
            }
            _ => return None,
        };
        let at = text.iter().position(|&byte| byte == b'@')?;
        let (head, rest) = text.split_at(at);
        let words = head
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty() && !LINKAGES.contains(word));
        let mut words: Vec<&[u8]> = words.collect();
        if words.first() == Some(&&b"func.func"[..]) {
            words.push(b"private");
        }
        words.push(rest);
        Some(words.join(&b' '))
    }

    /// Returns the text of a function in the generic form without its body.
    fn generic_declaration(&self, item: &Item, body: &Span) -> Option<Vec<u8>> {
        let head = self.module.bytes(&(item.core.start..body.start));
        let rest = self.module.bytes(&(body.end..item.core.end));
        let mut head = head.to_vec();
        if head.starts_with(b"\"func.func\"") && !head.windows(14).any(|at| at == b"sym_visibility")
        {
            let properties = head.iter().position(|&byte| byte == b'{')?;
            let text = b"sym_visibility = \"private\", ";
            head.splice(properties + 1..properties + 1, text.iter().copied());
        }
        let linkage = b"#llvm.linkage<";
        if let Some(at) = head.windows(linkage.len()).position(|at| at == linkage) {
            let at = at + linkage.len();
            let len = head[at..].iter().position(|&byte| byte == b'>')?;
            head.splice(at..at + len, b"external".iter().copied());
        }
        Some([&head[..], rest].concat())
    }
}

/// The words before a name that a declaration does not have.
const LINKAGES: &[&[u8]] = &[
    b"public",
    b"nested",
    b"private",
    b"internal",
    b"linkonce",
    b"linkonce_odr",
    b"weak",
    b"weak_odr",
    b"common",
    b"appending",
    b"available_externally",
];

/// Returns whether an item is removed with its last use.
fn can_go(item: &Item) -> bool {
    match item.kind {
        ItemKind::Declaration | ItemKind::Type | ItemKind::Attributes | ItemKind::Metadata => true,
        ItemKind::Function(_) | ItemKind::Global => item.is_local && !item.is_frozen,
        _ => false,
    }
}
