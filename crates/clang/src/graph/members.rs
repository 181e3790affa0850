//! The members that classes need.

use super::{Condition, Graph, Node};
use crate::draft::Draft;
use crate::facts::ItemKind;
use crate::lex::{TokenKind, tokens};
use crate::names::plain;
use crate::unit::Unit;
use clang_sys::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The class whose fields are checked by compilers, since they fill them.
const LAID_OUT: &str = "initializer_list";

/// The classes whose constants compilers evaluate where a text has `<=>`.
const ORDERINGS: [&str; 3] = ["partial_ordering", "strong_ordering", "weak_ordering"];

/// The largest number of types and constants that a class keeps all of.
const CONSTANTS: usize = 4;

impl Graph {
    /// Adds the needs of a class in a program that runs, and the needs of bodies.
    pub(super) fn add_members(&mut self, at: u32, draft: &Draft<'_>, unit: &Unit<'_>) {
        let is_member = self.is_in(at, ItemKind::Record);
        if draft.kind == ItemKind::Variable && !is_member {
            // A class may be used for its constructor alone.
            let types = draft.cursors.iter().flat_map(|cursor| cursor.children());
            let types = types.filter(|child| child.kind() == CXCursor_TypeRef);
            let types = types.filter_map(|child| self.innermost(child.referenced()?.at(unit)?));
            let types: Vec<u32> = types.collect();
            for of in types {
                self.nodes[of as usize].to_run.push(at);
            }
        }
        let Some(parent) = draft.parent else {
            return;
        };
        if draft.kind == ItemKind::Body {
            self.nodes[parent as usize].to_run.push(at);
            return;
        }
        let Some(&cursor) = draft.cursors.first().filter(|_| is_member) else {
            return;
        };
        let record = &self.nodes[parent as usize];
        let name = plain(&draft.name);
        let is_special = draft.kind == ItemKind::Function
            && (name == record.name || name.starts_with('~') || name == "operator=");
        if cursor.is_implicit_call() || name == "operator=" {
            self.nodes[parent as usize].implicit.push(at);
        }
        let is_conversion = cursor.kind() == CXCursor_ConversionFunction;
        let is_virtual = draft.kind == ItemKind::Function && cursor.is_virtual();
        if is_virtual || draft.kind == ItemKind::Field {
            self.nodes[parent as usize].layout.push(at);
        }
        if is_special || is_virtual {
            self.nodes[parent as usize].to_run.push(at);
        }
        if is_conversion {
            self.nodes[at as usize].condition = Condition::All(vec![parent]);
        } else if is_virtual {
            let overridden = cursor.overridden();
            let overridden = overridden
                .iter()
                .filter_map(|one| self.innermost(one.at(unit)?));
            let overridden: Vec<u32> = overridden.filter(|to| *to != at).collect();
            for of in overridden {
                self.nodes[at as usize].needs.push(of);
            }
        }
    }

    /// Adds needs of members with one name and without a body: they need each other. A template may
    /// test which of them fits, and no error reports a missing one.
    pub(super) fn add_overloads(&mut self) {
        let has_body: FxHashSet<u32> = self
            .nodes
            .iter()
            .filter(|node| node.kind == ItemKind::Body)
            .filter_map(|node| node.parent)
            .collect();
        let mut same: FxHashMap<(u32, &str), Vec<u32>> = FxHashMap::default();
        for (at, node) in (0..).zip(&self.nodes) {
            let is_one = node.kind == ItemKind::Function && !has_body.contains(&at);
            if let Some(parent) = node
                .parent
                .filter(|_| is_one && self.is_in(at, ItemKind::Record))
            {
                let is_special = node.name == self.nodes[parent as usize].name;
                if !is_special && !node.name.starts_with("operator") {
                    same.entry((parent, &node.name)).or_default().push(at);
                }
            }
        }
        let groups: Vec<Vec<u32>> = same.into_values().filter(|all| all.len() > 1).collect();
        for all in groups {
            for &at in &all {
                let others = all.iter().filter(|other| **other != at);
                self.nodes[at as usize].needs.extend(others);
            }
        }
    }

    /// Makes classes need the members whose absence no compiler reports: those that libclang does
    /// not show, the types and constants of small classes, which templates ask for, and the fields
    /// of a class whose objects compilers make.
    pub(super) fn add_traits(&mut self, drafts: &[Draft<'_>]) {
        let mut constants: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (at, draft) in (0..).zip(drafts) {
            let Some(parent) = draft.parent.filter(|_| self.is_in(at, ItemKind::Record)) else {
                continue;
            };
            match draft.kind {
                ItemKind::Other if draft.cursors.is_empty() => {
                    self.nodes[parent as usize].needs.push(at);
                }
                ItemKind::Type | ItemKind::Variable => {
                    constants.entry(parent).or_default().push(at);
                }
                ItemKind::Field if self.nodes[parent as usize].name == LAID_OUT => {
                    self.nodes[parent as usize].needs.push(at);
                }
                _ => {}
            }
        }
        for (record, all) in constants {
            if all.len() <= CONSTANTS {
                self.nodes[record as usize].needs.extend(all);
            }
        }
    }

    /// Makes a declaration that inherits constructors need the constructors of the bases of its
    /// class: `using base::base;`. They have another name than the class whose objects they make.
    pub(super) fn add_inherited(&mut self, text: &[u8]) {
        let mut constructors: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (at, node) in (0..).zip(&self.nodes) {
            if let Some(parent) = node.parent
                && node.kind == ItemKind::Function
                && node.name == self.nodes[parent as usize].name
            {
                constructors.entry(parent).or_default().push(at);
            }
        }
        let mut found = vec![];
        for (at, node) in (0..).zip(&self.nodes) {
            let range = node.range.start as usize..node.range.end as usize;
            if let Some(parent) = node.parent.filter(|_| node.kind == ItemKind::Using)
                && inherits(text, range)
            {
                let needs = self.nodes[parent as usize].needs.iter();
                let bases = needs.filter(|of| self.nodes[**of as usize].kind == ItemKind::Record);
                let all = bases.filter_map(|base| constructors.get(base)).flatten();
                found.push((at, all.copied().collect::<Vec<u32>>()));
            }
        }
        for (at, all) in found {
            self.nodes[at as usize].needs.extend(all);
        }
    }

    /// Makes classes with fields need the constructor that needs the least, if they have any.
    /// Without a constructor, a class is an aggregate: `X(a, b)` then fills its base and its
    /// fields, and no error says that a constructor is missing.
    pub(super) fn add_constructors(&mut self) {
        let mut least: FxHashMap<u32, (usize, u32, u32)> = FxHashMap::default();
        let mut has_fields: FxHashSet<u32> = FxHashSet::default();
        for (at, node) in (0..).zip(&self.nodes) {
            let Some(class) = node.parent.filter(|_| self.is_in(at, ItemKind::Record)) else {
                continue;
            };
            let is_constructor =
                node.kind == ItemKind::Function && node.name == self.nodes[class as usize].name;
            if is_constructor {
                let weight = (node.needs.len(), node.range.end - node.range.start, at);
                let best = least.entry(class).or_insert(weight);
                *best = weight.min(*best);
            } else if node.kind == ItemKind::Field {
                has_fields.insert(class);
            }
        }
        for (class, (.., at)) in least {
            if has_fields.contains(&class) {
                self.nodes[class as usize].needs.push(at);
            }
        }
    }

    /// Makes the classes of `<=>` need their fields, constructors, and constants with definitions.
    /// If one is missing, clang says that it does not support the library.
    pub(super) fn add_orderings(&mut self) {
        let mut needs: Vec<(u32, u32)> = vec![];
        for (at, node) in (0..).zip(&self.nodes) {
            let Some(parent) = node.parent else {
                continue;
            };
            let class = &self.nodes[parent as usize];
            let is_part = match node.kind {
                ItemKind::Variable | ItemKind::Field => true,
                ItemKind::Function => node.name == class.name,
                _ => false,
            };
            if is_part && is_ordering(class) {
                needs.push((parent, at));
                needs.extend(node.to_run.iter().map(|of| (at, *of)));
            }
        }
        for (at, of) in needs {
            self.nodes[at as usize].needs.push(of);
        }
    }
}

/// Returns whether an item is a class of `<=>`.
pub(super) fn is_ordering(node: &Node) -> bool {
    node.kind == ItemKind::Record && ORDERINGS.contains(&&*node.name)
}

/// Returns whether a using declaration names the constructors of a class: `using a::b<c>::b;`.
fn inherits(text: &[u8], range: Range<usize>) -> bool {
    let all = tokens(text, range).filter(|token| token.kind == TokenKind::Word);
    let words: Vec<&[u8]> = all.map(|token| &text[token.range]).collect();
    words
        .split_last()
        .is_some_and(|(last, before)| before.contains(last))
}
