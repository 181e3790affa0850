//! Items that a slice lacks although nothing names them, since templates have another meaning
//! without them.

use crate::closure::{Closure, origin};
use crate::facts::ItemKind;
use crate::lex::{TokenKind, is, tokens};
use crate::message::{quoted, words};
use crate::repair::Finder;
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

/// The part of messages about a constant function without a body.
const NOT_CONSTANT: &str = "not a constant expression";

/// The number of members of the largest small class.
const SMALL_CLASS: usize = 6;

/// The maximum number of steps from a template to the items that it needs.
const LAYERS: usize = 5;

impl Finder<'_> {
    /// Returns the items that templates lack if they have another meaning in a slice, by the
    /// reasons in an error: specializations of the templates or of the items that they need, and
    /// declarations of names that they mention.
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
        let layer = named.flatten().copied().filter(is_kept).collect();
        self.around(closure, layer, whole)
    }

    /// Returns the items that decide whether unreached items of a program are called in a slice,
    /// such as bodies of constant functions.
    pub(crate) fn unreached(&self, closure: &Closure<'_>, lost: &[u32], whole: &[u8]) -> Vec<u32> {
        let is_head = |at: &u32| self.graph.nodes[*at as usize].kind == ItemKind::Function;
        let heads: Vec<u32> = lost.iter().copied().filter(is_head).collect();
        let named = heads
            .iter()
            .flat_map(|at| &self.graph.nodes[*at as usize].needs);
        let bodies = named.filter_map(|at| self.graph.body(*at));
        let mut found: Vec<u32> = bodies.filter(|at| !closure.kept[*at as usize]).collect();
        if found.is_empty() {
            found = self.around(closure, heads, whole);
        }
        found
    }

    /// Returns the items that some items, or the items that they need, lack: specializations, and
    /// declarations of names that they mention.
    fn around(&self, closure: &Closure<'_>, mut layer: Vec<u32>, whole: &[u8]) -> Vec<u32> {
        let is_kept = |at: &u32| closure.kept[*at as usize];
        let mut seen: FxHashSet<u32> = layer.iter().copied().collect();
        let mut words: FxHashSet<&[u8]> = FxHashSet::default();
        for _ in 0..LAYERS {
            let waiting = layer.iter().filter_map(|at| self.waiting.get(at)).flatten();
            let mut found: Vec<u32> = waiting.copied().filter(|at| !is_kept(at)).collect();
            for &at in &layer {
                found.extend(self.mentioned(closure, at, whole));
                found.extend(self.hidden(closure, at));
            }
            if found.is_empty() {
                words.extend(layer.iter().flat_map(|at| self.head(*at, whole)));
                found = self.asked_for(closure, &seen, &words);
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

    /// Returns the names in a template before the item that it defines.
    fn head<'t>(&self, at: u32, whole: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
        let range = self.graph.nodes[at as usize].range.clone();
        let all = tokens(whole, range.start as usize..range.end as usize);
        let head = all.take_while(move |token| !is(whole, token, b'{'));
        head.filter(|token| token.kind == TokenKind::Word)
            .map(|token| &whole[token.range])
    }

    /// Returns the members of some classes that are not kept and have one of these names. A
    /// template tests whether an expression with them has a meaning.
    fn asked_for(
        &self,
        closure: &Closure<'_>,
        classes: &FxHashSet<u32>,
        names: &FxHashSet<&[u8]>,
    ) -> Vec<u32> {
        let members = classes
            .iter()
            .filter_map(|at| self.children.get(at))
            .flatten()
            .copied();
        let is_asked = |at: &u32| {
            let node = &self.graph.nodes[*at as usize];
            !closure.kept[*at as usize] && names.contains(node.name.as_bytes())
        };
        let mut found: Vec<u32> = members.filter(is_asked).collect();
        found.sort_unstable();
        found
    }

    /// Returns the bodies of constant functions that an expression needs, if a message reports that
    /// it is not constant: the functions that the item at the error mentions, or that its needs
    /// mention.
    pub(crate) fn constants(
        &self,
        closure: &Closure<'_>,
        error: &Complaint,
        origins: &[(u32, u32)],
        whole: &[u8],
    ) -> Vec<u32> {
        let messages = std::iter::once(error).chain(&error.notes);
        let of = messages.filter(|it| it.message.contains(NOT_CONSTANT));
        let items = of.filter_map(|it| self.graph.innermost(origin(origins, it.at?)));
        let mut layer: Vec<u32> = items.collect();
        let mut seen: FxHashSet<u32> = layer.iter().copied().collect();
        for _ in 0..LAYERS {
            let named: Vec<u32> = layer
                .iter()
                .flat_map(|at| self.named_in(*at, whole))
                .filter(|at| closure.kept[*at as usize])
                .collect();
            let bodies = named.iter().filter_map(|at| self.graph.body(*at));
            let found: Vec<u32> = bodies.filter(|at| !closure.kept[*at as usize]).collect();
            if !found.is_empty() {
                return found;
            }
            let is_type = |at: &u32| self.graph.nodes[*at as usize].kind == ItemKind::Type;
            let types = named.into_iter().filter(is_type);
            layer = types.filter(|at| seen.insert(*at)).collect();
        }
        vec![]
    }

    /// Returns the items of the names in an item.
    fn named_in(&self, at: u32, whole: &[u8]) -> Vec<u32> {
        let node = &self.graph.nodes[at as usize];
        let range = node.range.start as usize..node.range.end as usize;
        let words = tokens(whole, range).filter(|token| token.kind == TokenKind::Word);
        let names = words.filter_map(|token| std::str::from_utf8(&whole[token.range]).ok());
        let all = names.filter_map(|name| self.by_name.get(name));
        all.flatten().copied().collect()
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

    /// Returns the items that are not kept, for the names that an item mentions outside of classes.
    fn mentioned(&self, closure: &Closure<'_>, at: u32, whole: &[u8]) -> Vec<u32> {
        let node = &self.graph.nodes[at as usize];
        if !matches!(
            node.kind,
            ItemKind::Concept | ItemKind::Type | ItemKind::Variable | ItemKind::Other
        ) {
            return vec![];
        }
        let all = self.named_in(at, whole).into_iter();
        all.filter(|of| !closure.kept[*of as usize] && !self.graph.is_in(*of, ItemKind::Record))
            .collect()
    }
}
