//! The needs of items that follow from the text around them.

use super::{Condition, Graph};
use crate::cursor::Cursor;
use crate::draft::Draft;
use crate::facts::ItemKind;
use crate::lex::{TokenKind, tokens};
use crate::names::plain;
use crate::unit::Unit;
use clang_sys::*;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The number of line markers before an item that are looked at.
const MARKERS: usize = 64;

impl Graph {
    /// Adds needs of programs: they need the declarations that a template is instantiated
    /// elsewhere. Without these declarations, the template is instantiated in the text, with all
    /// that it needs.
    pub(super) fn add_instantiations(&mut self, text: &[u8]) {
        let mut named: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        for (at, node) in (0..).zip(&self.nodes) {
            if matches!(node.kind, ItemKind::Function | ItemKind::Record) {
                named.entry(&node.name).or_default().push(at);
            }
        }
        let mut found = vec![];
        for (at, node) in self.nodes.iter().enumerate() {
            let range = node.range.start as usize..node.range.end as usize;
            if matches!(node.kind, ItemKind::Instantiation | ItemKind::Other)
                && let Some(name) = instantiated(text, range)
                && let Some(of) = named.get(plain(&name))
            {
                found.push((at, of.clone()));
            }
        }
        for (at, of) in found {
            self.nodes[at].condition = Condition::Run(of);
        }
    }

    /// Adds needs of functions whose body decides their type: `auto f() { … }`. If the body is
    /// missing, a constraint that calls the function is not satisfied, and no error says why.
    pub(super) fn add_deduced(&mut self, unit: &Unit<'_>, text: &[u8], drafts: &[Draft<'_>]) {
        let mut found = vec![];
        for (at, node) in (0..).zip(&self.nodes) {
            let (ItemKind::Body, Some(function)) = (node.kind, node.parent) else {
                continue;
            };
            let head = self.nodes[function as usize].range.start..node.range.start;
            let cursors = &drafts[function as usize].cursors;
            if let Some(name) = cursors.first().and_then(|cursor| cursor.at(unit))
                && is_deduced(text, head, name)
            {
                found.push((function, at));
            }
        }
        for (function, body) in found {
            self.nodes[function as usize].needs.push(body);
        }
    }

    /// Adds needs of bodies: a body needs its return statements, since they decide the type of the
    /// function.
    pub(super) fn add_returns(&mut self, drafts: &[Draft<'_>]) {
        for (at, draft) in (0..).zip(drafts) {
            let Some(parent) = draft.parent.filter(|_| draft.kind == ItemKind::Statement) else {
                continue;
            };
            let returns = |cursor: &Cursor<'_>| cursor.kind() == CXCursor_ReturnStmt;
            if self.nodes[parent as usize].kind == ItemKind::Body
                && draft.cursors.iter().any(returns)
            {
                self.nodes[parent as usize].needs.push(at);
            }
        }
    }

    /// Adds needs of items: each item needs the line marker that applies to it.
    pub(super) fn add_markers(&mut self) {
        let mut markers: Vec<u32> = vec![];
        for at in 0..self.nodes.len() as u32 {
            match self.nodes[at as usize].kind {
                ItemKind::Marker => markers.push(at),
                ItemKind::Namespace | ItemKind::Linkage | ItemKind::Body => {}
                _ => {
                    let before = markers.iter().rev().take(MARKERS).find(|marker| {
                        let parent = self.nodes[**marker as usize].parent;
                        parent.is_none_or(|parent| self.is_within(at, parent))
                    });
                    self.nodes[at as usize].needs.extend(before.copied());
                }
            }
        }
    }
}

/// Returns the name of the template that a declaration says is instantiated elsewhere.
fn instantiated(text: &[u8], range: Range<usize>) -> Option<String> {
    let mut all = tokens(text, range);
    for word in [&b"extern"[..], b"template"] {
        all.next()
            .filter(|token| &text[token.range.clone()] == word)?;
    }
    // The names come before the arguments of the template and those of the function.
    let mut last = None;
    let mut depth = 0;
    for token in all {
        let word = std::str::from_utf8(&text[token.range]).ok()?;
        match (token.kind, word) {
            (TokenKind::Word, _) if depth == 0 => last = Some(word.to_owned()),
            (TokenKind::Punctuation, "<") => depth += 1,
            (TokenKind::Punctuation, ">") => depth -= 1,
            (TokenKind::Punctuation, "(") => break,
            _ => {}
        }
    }
    last
}

/// Returns whether the head of a function has `auto` before its `name`, and no `->` behind it.
fn is_deduced(text: &[u8], head: Range<u32>, name: u32) -> bool {
    let before = head.start as usize..name.clamp(head.start, head.end) as usize;
    let behind = before.end..head.end as usize;
    tokens(text, before).any(|token| &text[token.range] == b"auto")
        && !text[behind].windows(2).any(|part| part == b"->")
}
