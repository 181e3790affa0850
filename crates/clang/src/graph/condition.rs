//! The conditions under which items are needed.

use super::{Condition, Graph, Node, enumerators};
use crate::draft::Draft;
use crate::facts::ItemKind;
use crate::lex::{TokenKind, tokens};
use crate::names::plain;
use crate::references::References;
use crate::unit::Unit;
use clang_sys::*;
use std::ops::Range;

impl Graph {
    pub(super) fn condition(
        &mut self,
        unit: &Unit<'_>,
        text: &[u8],
        at: u32,
        draft: &Draft<'_>,
        references: &References,
    ) -> Condition {
        let record = draft.parent.filter(|_| self.is_in(at, ItemKind::Record));
        let targets = |kinds: &[ItemKind]| {
            let from = references.edges.partition_point(|edge| edge.0 < at);
            let edges = references.edges[from..].iter();
            let of = edges.take_while(|edge| edge.0 == at).map(|edge| edge.1);
            let mut all: Vec<u32> = of
                .filter(|to| *to != at && kinds.contains(&self.nodes[*to as usize].kind))
                .filter(|to| !self.is_within(at, *to))
                .collect();
            all.dedup();
            all
        };
        let types = [ItemKind::Record, ItemKind::Type];
        let is_special = draft.cursors.first().is_some_and(|cursor| {
            let kind = cursor.kind();
            kind == CXCursor_ClassTemplatePartialSpecialization || cursor.template().is_some()
        });
        match (draft.kind, record) {
            (ItemKind::Record | ItemKind::Function | ItemKind::Variable, _) if is_special => {
                let cursor = draft.cursors[0];
                let template = cursor.template().and_then(|template| template.at(unit));
                let template = template.and_then(|offset| self.innermost(offset));
                let mut when: Vec<u32> = template.into_iter().collect();
                if draft.kind == ItemKind::Record {
                    let arguments = references.arguments(at);
                    let is_record = |to: &u32| self.nodes[*to as usize].kind == ItemKind::Record;
                    when.extend(arguments.filter(is_record));
                }
                when.retain(|to| !self.is_within(at, *to));
                if let Some(template) = template.filter(|template| *template != at) {
                    self.nodes[at as usize].needs.push(template);
                }
                Condition::All(when)
            }
            (ItemKind::Function, Some(record)) => self.mentioned(draft, vec![record]),
            (ItemKind::Function, None) => {
                let parameters = references.parameters(at);
                let when = parameters.filter(|to| types.contains(&self.nodes[*to as usize].kind));
                let mut when: Vec<u32> = when.filter(|to| !self.is_within(at, *to)).collect();
                when.dedup();
                self.mentioned(draft, when)
            }
            (ItemKind::Guide, _) => Condition::All(targets(&types)),
            (ItemKind::Using, Some(record)) => Condition::All(vec![record]),
            (ItemKind::Using | ItemKind::Directive, None) => {
                let mut all = references.targets(at);
                all.sort_unstable();
                all.dedup();
                Condition::Any(all)
            }
            (ItemKind::Friend, Some(record)) => {
                let has_body =
                    text[draft.range.start as usize..draft.range.end as usize].ends_with(b"}");
                match has_body {
                    true => self.mentioned(draft, vec![record]),
                    // A declaration without a body only gives access.
                    false => Condition::Reached,
                }
            }
            (ItemKind::Type | ItemKind::Record | ItemKind::Variable, Some(record)) => {
                match draft.name.is_empty() {
                    true => Condition::All(vec![record]),
                    false => self.mentioned(draft, vec![record]),
                }
            }
            (ItemKind::Field, Some(record)) => Condition::All(vec![record]),
            (ItemKind::Variable | ItemKind::Concept, None) => self.mentioned(draft, vec![]),
            (ItemKind::Other, _)
                if let Some((template, when)) = self.specialized(unit, text, at, draft) =>
            {
                self.nodes[at as usize].needs.extend(&template);
                Condition::All(when)
            }
            (ItemKind::Other, _) => {
                let names = self.other_names(text, draft);
                Condition::Mentioned(names, record.into_iter().collect())
            }
            _ => Condition::Reached,
        }
    }

    /// Returns the name of an item that libclang does not show, or all words of one without a name.
    fn other_names(&mut self, text: &[u8], draft: &Draft<'_>) -> Vec<u32> {
        if !draft.name.is_empty() {
            return vec![self.names.add(plain(&draft.name).as_bytes())];
        }
        let range = draft.range.start as usize..draft.range.end as usize;
        let words = tokens(text, range).filter(|token| token.kind == TokenKind::Word);
        words
            .map(|token| self.names.add(&text[token.range]))
            .collect()
    }

    /// Returns the templates of which a variable template is a specialization, and the items
    /// without which nothing asks for the specialization. libclang shows only the name of such a
    /// variable.
    fn specialized(
        &self,
        unit: &Unit<'_>,
        text: &[u8],
        at: u32,
        draft: &Draft<'_>,
    ) -> Option<(Vec<u32>, Vec<u32>)> {
        let [cursor] = draft.cursors[..] else {
            return None;
        };
        let name = plain(&draft.name);
        let start = cursor.at(unit)? as usize + name.len();
        let arguments = arguments(text, start..draft.range.end as usize)?;
        let is_same = |node: &Node| node.kind == ItemKind::Other && node.name == name;
        let parent_name = |node: &Node| node.parent.map(|it| &*self.nodes[it as usize].name);
        let around = parent_name(&self.nodes[at as usize]);
        let before = (0..at).zip(&self.nodes);
        let templates: Vec<u32> = before
            .filter(|(_, node)| is_same(node) && parent_name(node) == around)
            .map(|(at, _)| at)
            .take(1)
            .collect();
        let mut when = templates.clone();
        for word in arguments {
            let named = |node: &Node| node.kind == ItemKind::Record && node.name.as_bytes() == word;
            let mut found = (0..).zip(&self.nodes).filter(|(_, node)| named(node));
            if let (Some((of, _)), None) = (found.next(), found.next()) {
                when.push(of);
            }
        }
        (!templates.is_empty()).then_some((templates, when))
    }

    /// Returns the condition of an item that is needed where its name is mentioned.
    pub(super) fn mentioned(&mut self, draft: &Draft<'_>, when: Vec<u32>) -> Condition {
        let mut names = vec![];
        for cursor in &draft.cursors {
            names.push(self.names.add(plain(&cursor.spelling()).as_bytes()));
            // The name of a friend is the name of the declaration in it.
            if draft.kind == ItemKind::Friend {
                for one in cursor.children() {
                    names.push(self.names.add(plain(&one.spelling()).as_bytes()));
                }
            }
        }
        let also = enumerators(draft);
        names.extend(also.iter().map(|name| self.names.add(name.as_bytes())));
        names.sort_unstable();
        names.dedup();
        Condition::Mentioned(names, when)
    }

    /// Returns the statements after a statement in the same block.
    pub(super) fn after(&self, at: u32) -> Vec<u32> {
        let parent = self.nodes[at as usize].parent;
        let end = parent.map_or(u32::MAX, |parent| self.nodes[parent as usize].range.end);
        let all = (at + 1..).zip(&self.nodes[at as usize + 1..]);
        let in_block = all.take_while(|(_, node)| node.range.start < end);
        in_block
            .filter(|(_, node)| node.parent == parent)
            .map(|(at, _)| at)
            .collect()
    }
}

/// Returns the words in the template arguments that a text begins with. Returns `None` if it begins
/// with something else.
fn arguments(text: &[u8], range: Range<usize>) -> Option<Vec<&[u8]>> {
    let mut depth = 0_u32;
    let mut words = vec![];
    for token in tokens(text, range) {
        match &text[token.range] {
            b"<" => depth += 1,
            b">" => depth = depth.saturating_sub(1),
            word if token.kind == TokenKind::Word && depth > 0 => words.push(word),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    (!words.is_empty()).then_some(words)
}
