//! The names in items that have no known meaning.

use super::members::is_ordering;
use super::{Condition, Graph, Node};
use crate::facts::ItemKind;
use crate::lex::{TokenKind, tokens};
use crate::names::Names;
use crate::references::References;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The names that a loop over a range mentions without their being written.
const OF_LOOPS: [&str; 6] = [
    "begin",
    "end",
    "operator++",
    "operator!=",
    "operator==",
    "operator*",
];

/// The names that a structured binding mentions.
const OF_BINDINGS: [&str; 3] = ["get", "tuple_size", "tuple_element"];

/// The longest operator.
const LONGEST: usize = 3;

impl Graph {
    /// Adds the names in the items that have no meaning yet.
    pub(super) fn add_mentions(&mut self, text: &[u8], references: &References) {
        let by_text = self.by_text();
        let orderings = (0..).zip(&self.nodes).filter(|(_, node)| is_ordering(node));
        let orderings: Vec<u32> = orderings.map(|(at, _)| at).collect();
        let mut inner: Vec<Vec<Range<u32>>> = vec![vec![]; self.nodes.len()];
        for node in &self.nodes {
            if let Some(parent) = node.parent {
                inner[parent as usize].push(node.range.clone());
            }
        }
        for (at, inner) in inner.iter().enumerate() {
            let node = &self.nodes[at];
            if matches!(node.kind, ItemKind::Marker | ItemKind::Pragma) {
                continue;
            }
            // libclang does not visit the children of these items.
            let is_dark = matches!(node.kind, ItemKind::Other | ItemKind::Concept);
            let mut found = vec![];
            let mut needs: Vec<u32> = vec![];
            let mut from = node.range.start;
            for to in inner.iter().chain([&(node.range.end..node.range.end)]) {
                let range = from as usize..to.start.max(from) as usize;
                mentions(text, range.clone(), &self.names, references, &mut found);
                if text[range.clone()].windows(3).any(|part| part == b"<=>") {
                    needs.extend(&orderings);
                }
                for token in tokens(text, range).filter(|token| token.kind == TokenKind::Word) {
                    let of = by_text
                        .get(&text[token.range])
                        .into_iter()
                        .flatten()
                        .copied();
                    needs.extend(of.filter(|to| {
                        is_dark || self.nodes[*to as usize].kind == ItemKind::Concept
                    }));
                }
                from = to.end;
            }
            found.sort_unstable();
            found.dedup();
            needs.retain(|to| *to as usize != at && !self.is_within(at as u32, *to));
            needs.sort_unstable();
            needs.dedup();
            self.nodes[at].needs.extend(needs);
            self.nodes[at].mentions = found;
        }
        let is_special: Vec<bool> = self.nodes.iter().map(is_special).collect();
        for node in &mut self.nodes {
            node.needs.sort_unstable();
            node.needs.dedup();
            // A specialization is needed by its own condition.
            node.needs.retain(|of| !is_special[*of as usize]);
        }
    }

    /// Adds needs of the parts of classes: a name without a meaning, such as one in a template with
    /// a base that depends on its arguments, needs the members that have it in the classes around.
    /// GCC looks for such a name before it makes an instance.
    pub(super) fn add_siblings(&mut self, text: &[u8], references: &References) {
        let mut members: FxHashMap<(u32, &str), Vec<u32>> = FxHashMap::default();
        for (at, node) in (0..).zip(&self.nodes) {
            if let Some(class) = node.parent.filter(|_| self.is_in(at, ItemKind::Record)) {
                members.entry((class, &node.name)).or_default().push(at);
            }
        }
        let mut found: Vec<(u32, u32)> = vec![];
        for (at, node) in (0..).zip(&self.nodes) {
            let is_part = matches!(
                node.kind,
                ItemKind::Function | ItemKind::Body | ItemKind::Statement
            );
            let parent = |at: &u32| self.nodes[*at as usize].parent;
            let classes: Vec<u32> = std::iter::successors(node.parent, parent)
                .filter(|of| self.nodes[*of as usize].kind == ItemKind::Record)
                .collect();
            if !is_part || classes.is_empty() {
                continue;
            }
            let end = match self.nodes.get(at as usize + 1) {
                Some(body) if body.parent == Some(at) => body.range.start,
                _ => node.range.end,
            };
            let mut is_member = false;
            for token in tokens(text, node.range.start as usize..end as usize) {
                let word = &text[token.range.clone()];
                let is_open = !references.resolved.contains(&(token.range.start as u32));
                if token.kind == TokenKind::Word
                    && is_open
                    && !is_member
                    && let Ok(word) = std::str::from_utf8(word)
                {
                    let of = classes
                        .iter()
                        .filter_map(|class| members.get(&(*class, word)));
                    found.extend(of.flatten().map(|of| (at, *of)));
                }
                // `a.b`, `a->b`, and `a::b` name members of something else.
                is_member = matches!(word, b"." | b":")
                    || word == b">" && is_member_arrow(text, &token.range);
            }
        }
        for (at, of) in found {
            if !self.is_within(at, of) {
                self.nodes[at as usize].needs.push(of);
            }
        }
    }

    /// Returns the items outside of classes by the names that a text may use for them, but not
    /// operators: most `<`, `>`, and `=` in items that libclang does not visit are not operators.
    fn by_text(&self) -> FxHashMap<Vec<u8>, Vec<u32>> {
        let mut by_text: FxHashMap<Vec<u8>, Vec<u32>> = FxHashMap::default();
        for (at, node) in (0..).zip(&self.nodes) {
            // A name stands for the template, and not for a specialization of it.
            let is_hidden = node.kind == ItemKind::Namespace || is_special(node);
            if is_hidden || self.is_in(at, ItemKind::Record) {
                continue;
            }
            let names = [&node.name].into_iter().chain(&node.also);
            for name in names.filter(|name| !name.is_empty() && !is_operator(name)) {
                by_text
                    .entry(name.clone().into_bytes())
                    .or_default()
                    .push(at);
            }
        }
        by_text
    }
}

/// Returns whether an item is a specialization of a variable template.
fn is_special(node: &Node) -> bool {
    node.kind == ItemKind::Other && matches!(node.condition, Condition::All(_))
}

/// Returns whether `>` is the end of `->`.
fn is_member_arrow(text: &[u8], range: &Range<usize>) -> bool {
    text[..range.start].ends_with(b"-")
}

/// Adds the names in a part of a text that some item has, and that libclang does not resolve there.
fn mentions(
    text: &[u8],
    range: Range<usize>,
    names: &Names,
    references: &References,
    found: &mut Vec<u32>,
) {
    let mut add = |name: &[u8]| found.extend(names.get(name));
    let mut last: (&[u8], usize) = (b"", 0);
    for token in tokens(text, range.clone()) {
        let at = token.range.start;
        let is_resolved = references.resolved.contains(&(at as u32));
        match token.kind {
            TokenKind::Word if !is_resolved => {
                let word = &text[token.range.clone()];
                add(word);
                match word {
                    b"for" => OF_LOOPS.iter().for_each(|name| add(name.as_bytes())),
                    b"auto" => OF_BINDINGS.iter().for_each(|name| add(name.as_bytes())),
                    b"new" | b"delete" | b"co_await" => {
                        add(&[b"operator ", word].concat());
                    }
                    _ => {}
                }
                last = (word, token.range.end);
            }
            TokenKind::Punctuation if !is_resolved => {
                for len in 1..=LONGEST {
                    let end = at + len;
                    let part = text.get(at..end.min(range.end)).unwrap_or_default();
                    let is_operator =
                        part.len() == len && part.iter().all(u8::is_ascii_punctuation);
                    if is_operator {
                        add(&[b"operator", part].concat());
                    }
                }
                match text[at] {
                    b'(' => add(b"operator()"),
                    b'[' => add(b"operator[]"),
                    _ => {}
                }
            }
            // A literal with a user-defined suffix.
            TokenKind::Literal if last.1 == at => add(&[b"operator\"\"", last.0].concat()),
            _ => {}
        }
    }
}

/// Returns whether a name is the name of an operator, and not a word that begins in the same way.
fn is_operator(name: &str) -> bool {
    let rest = name.strip_prefix("operator");
    rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
}
