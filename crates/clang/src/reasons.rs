//! Items that a slice lacks although nothing names them: templates have another meaning without
//! them.

use crate::closure::Closure;
use crate::facts::ItemKind;
use crate::lex::{TokenKind, tokens};
use crate::repair::{Finder, quoted, words};
use crate::unit::Complaint;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Parts of messages that name templates which mean something else where their specializations are
/// missing.
const REASONS: [&str; 7] = [
    "evaluated to false",
    "was not satisfied",
    "failed requirement",
    "constraints not satisfied for",
    "undefined template",
    "no matching function for call to '",
    "does not satisfy",
];

/// The number of members of the largest small class.
const SMALL_CLASS: usize = 6;

/// The number of steps from a template to what it needs that are looked at.
const LAYERS: usize = 5;

impl Finder<'_> {
    /// Returns what templates lack that have another meaning in a slice, by the reasons of an
    /// error: specializations of them or of what they need, and declarations of what they mention.
    pub(crate) fn unsatisfied(
        &self,
        closure: &Closure<'_>,
        error: &Complaint,
        whole: &[u8],
    ) -> Vec<u32> {
        let messages = std::iter::once(error).chain(&error.notes);
        let reasons = messages
            .filter(|it| REASONS.iter().any(|reason| it.message.contains(reason)))
            .flat_map(|it| quoted(&it.message));
        let names: BTreeSet<&str> = reasons.flat_map(words).collect();
        let named = names.into_iter().filter_map(|name| self.by_name.get(name));
        let is_kept = |at: &u32| closure.kept[*at as usize];
        let mut layer: Vec<u32> = named.flatten().copied().filter(is_kept).collect();
        let mut seen: FxHashSet<u32> = layer.iter().copied().collect();
        for _ in 0..LAYERS {
            let waiting = layer.iter().filter_map(|at| self.waiting.get(at)).flatten();
            let mut found: Vec<u32> = waiting.copied().filter(|at| !is_kept(at)).collect();
            for &at in &layer {
                found.extend(self.mentioned(closure, at, whole));
                found.extend(self.hidden(closure, at));
            }
            if !found.is_empty() {
                return found;
            }
            let needs = layer
                .iter()
                .flat_map(|at| &self.graph.nodes[*at as usize].needs);
            layer = needs.copied().filter(|at| seen.insert(*at)).collect();
        }
        vec![]
    }

    /// Returns the members that are not kept of a small class: an expression that has no meaning
    /// without them may be no error, but a choice between functions.
    fn hidden(&self, closure: &Closure<'_>, at: u32) -> Vec<u32> {
        let kind = |at: &u32| self.graph.nodes[*at as usize].kind;
        let children = self
            .children
            .get(&at)
            .filter(|_| kind(&at) == ItemKind::Record);
        let is_member = |of: &u32| {
            matches!(
                kind(of),
                ItemKind::Function
                    | ItemKind::Record
                    | ItemKind::Type
                    | ItemKind::Variable
                    | ItemKind::Other
            )
        };
        let members: Vec<u32> = children
            .into_iter()
            .flatten()
            .copied()
            .filter(is_member)
            .collect();
        let is_small = members.len() <= SMALL_CLASS;
        let missing = members
            .into_iter()
            .filter(|of| is_small && !closure.kept[*of as usize]);
        missing.collect()
    }

    /// Returns what is not kept of the names that an item mentions outside of classes.
    fn mentioned(&self, closure: &Closure<'_>, at: u32, whole: &[u8]) -> Vec<u32> {
        let node = &self.graph.nodes[at as usize];
        if !matches!(
            node.kind,
            ItemKind::Concept | ItemKind::Type | ItemKind::Variable | ItemKind::Other
        ) {
            return vec![];
        }
        let range = node.range.start as usize..node.range.end as usize;
        let words = tokens(whole, range).filter(|token| token.kind == TokenKind::Word);
        let names = words.filter_map(|token| std::str::from_utf8(&whole[token.range]).ok());
        let all = names
            .filter_map(|name| self.by_name.get(name))
            .flatten()
            .copied();
        all.filter(|of| !closure.kept[*of as usize] && !self.graph.is_in(*of, ItemKind::Record))
            .collect()
    }
}
