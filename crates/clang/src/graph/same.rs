//! The references of items to others, and the declarations of one thing.

use super::Graph;
use crate::cursor::Cursor;
use crate::draft::Draft;
use crate::facts::ItemKind;
use crate::references::References;
use rustc_hash::FxHashMap;

impl Graph {
    pub(super) fn add_references(&mut self, references: &References) {
        for &(from, to) in &references.edges {
            if self.is_within(from, to) {
                continue;
            }
            let node = &mut self.nodes[from as usize];
            match node.kind {
                // These items are needed together with the items that they refer to.
                ItemKind::Using | ItemKind::Friend | ItemKind::Directive => {}
                _ => node.needs.push(to),
            }
        }
        // Clang does not say which namespace is unknown, and other errors follow from it.
        for &(from, first) in &references.namespaces {
            if !self.is_within(from, first) {
                self.nodes[from as usize].needs.push(first);
            }
        }
    }

    /// Joins the declarations of one thing.
    pub(super) fn add_same(&mut self, drafts: &[Draft<'_>]) {
        let mut same: FxHashMap<Cursor<'_>, Vec<(u32, bool)>> = FxHashMap::default();
        for (at, draft) in (0..).zip(drafts) {
            if matches!(
                draft.kind,
                ItemKind::Body | ItemKind::Linkage | ItemKind::Statement
            ) {
                continue;
            }
            for cursor in &draft.cursors {
                let all = same.entry(cursor.canonical()).or_default();
                all.push((at, cursor.is_definition()));
            }
        }
        let mut groups: Vec<_> = same.into_values().filter(|all| all.len() > 1).collect();
        groups.sort_unstable();
        for all in groups {
            let kind = self.nodes[all[0].0 as usize].kind;
            if kind == ItemKind::Namespace {
                self.add_inline(drafts, &all);
                continue;
            }
            // Outside its class, a member can only be declared by a definition.
            let is_member = |at: u32| self.is_in(at, ItemKind::Record);
            if kind == ItemKind::Function && all.iter().any(|&(at, _)| is_member(at)) {
                let outside: Vec<u32> = all
                    .iter()
                    .map(|&(at, _)| at)
                    .filter(|at| !is_member(*at))
                    .collect();
                for at in outside {
                    let body = self.body(at);
                    self.nodes[at as usize].needs.extend(body);
                }
            }
            for &(from, _) in &all {
                for &(to, is_definition) in all.iter().filter(|(to, _)| *to != from) {
                    let is_code = matches!(kind, ItemKind::Function | ItemKind::Variable);
                    match is_code && is_definition {
                        true => self.nodes[from as usize].to_run.push(to),
                        false => self.nodes[from as usize].needs.push(to),
                    }
                }
            }
        }
    }

    /// Adds needs of the parts of an inline namespace: each part needs the first part, which has
    /// the attributes.
    pub(super) fn add_inline(&mut self, drafts: &[Draft<'_>], all: &[(u32, bool)]) {
        let is_inline = |at: u32| {
            let mut cursors = drafts[at as usize].cursors.iter();
            cursors.any(|cursor| cursor.is_inline_namespace())
        };
        if is_inline(all[0].0) {
            for &(at, _) in &all[1..] {
                self.nodes[at as usize].needs.push(all[0].0);
            }
        }
    }
}
