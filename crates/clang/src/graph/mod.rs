//! The items of a text and the items that each of them needs.

mod condition;
mod members;
mod mentions;
mod same;
mod surroundings;

use crate::cursor::Cursor;
use crate::draft::Draft;
use crate::facts::ItemKind;
use crate::names::{Names, plain};
use crate::nested::innermost;
use crate::references::references;
use crate::statements::is_using;
use crate::unit::Unit;
use clang_sys::*;
use std::ops::Range;

/// The items of a text and their needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) names: Names,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) range: Range<u32>,
    pub(crate) parent: Option<u32>,
    pub(crate) kind: ItemKind,
    pub(crate) name: String,
    /// The names of enumerators, or of the declaration of a friend.
    pub(crate) also: Vec<String>,
    /// The items that the item needs.
    pub(crate) needs: Vec<u32>,
    /// The items that the item needs in a program that runs.
    pub(crate) to_run: Vec<u32>,
    /// The members of a class that another class calls implicitly, if it has a base or a member of
    /// this class.
    pub(crate) implicit: Vec<u32>,
    /// The names in the item whose meaning is not known.
    pub(crate) mentions: Vec<u32>,
    /// The members of a class that decide the layout of its objects.
    pub(crate) layout: Vec<u32>,
    /// The condition under which the item is needed although nothing refers to it.
    pub(crate) condition: Condition,
}

/// The condition under which an item is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Condition {
    /// The item is needed if another item needs it.
    #[default]
    Reached,
    /// The item is needed if all these items are needed.
    All(Vec<u32>),
    /// The item is needed if one of these items is needed.
    Any(Vec<u32>),
    /// The item is needed if a program that has to run needs one of these items.
    Run(Vec<u32>),
    /// The item is needed if one of these names is mentioned, and all these items are needed.
    Mentioned(Vec<u32>, Vec<u32>),
}

impl Graph {
    pub(crate) fn of(unit: &Unit<'_>, text: &[u8], drafts: &[Draft<'_>]) -> Self {
        let mut graph = Graph::default();
        for draft in drafts {
            graph.nodes.push(Node {
                range: draft.range.clone(),
                parent: draft.parent,
                kind: draft.kind,
                name: plain(&draft.name).to_owned(),
                also: also(draft),
                needs: vec![],
                to_run: vec![],
                mentions: vec![],
                layout: vec![],
                implicit: vec![],
                condition: Condition::Reached,
            });
        }
        let references = references(unit, drafts);
        graph.add_references(&references);
        graph.add_same(drafts);
        for (at, draft) in drafts.iter().enumerate() {
            let is_using = draft.kind == ItemKind::Statement && is_using(text, &draft.range);
            let mut condition = match is_using {
                true => Condition::Any(graph.after(at as u32)),
                false => graph.condition(unit, text, at as u32, draft, &references),
            };
            if let Condition::All(when) | Condition::Any(when) | Condition::Mentioned(_, when) =
                &mut condition
            {
                when.sort_unstable();
                when.dedup();
            }
            graph.nodes[at].condition = condition;
            graph.add_members(at as u32, draft, unit);
        }
        graph.add_instantiations(text);
        graph.add_returns(drafts);
        graph.add_deduced(unit, text, drafts);
        graph.add_overloads();
        graph.add_traits(drafts);
        graph.add_inherited(text);
        graph.add_orderings();
        graph.add_constructors();
        graph.add_markers();
        graph.add_siblings(text, &references);
        graph.add_mentions(text, &references);
        graph
    }

    /// Returns the smallest item around an offset.
    pub(crate) fn innermost(&self, offset: u32) -> Option<u32> {
        innermost(&self.nodes, |node| &node.range, |node| node.parent, offset)
    }

    /// Returns the body of a function. The list has it directly after the function.
    pub(crate) fn body(&self, at: u32) -> Option<u32> {
        let next = self.nodes.get(at as usize + 1)?;
        (next.kind == ItemKind::Body && next.parent == Some(at)).then_some(at + 1)
    }

    pub(crate) fn is_in(&self, at: u32, kind: ItemKind) -> bool {
        let parent = self.nodes[at as usize].parent;
        parent.is_some_and(|parent| self.nodes[parent as usize].kind == kind)
    }

    /// Returns the definitions of the functions to which a body refers. A program that contains the
    /// body needs them, and no compiler reports a missing one: the linker does.
    pub(crate) fn called_code(&self, at: u32) -> impl Iterator<Item = u32> + '_ {
        let node = &self.nodes[at as usize];
        let is_code = matches!(node.kind, ItemKind::Body | ItemKind::Statement);
        let of = node.needs.iter().filter(move |_| is_code);
        let of = of.map(|of| &self.nodes[*of as usize]);
        let functions = of.filter(|of| of.kind == ItemKind::Function);
        functions.flat_map(|of| of.to_run.iter().copied())
    }

    /// Returns whether an item equals another item or is within it.
    fn is_within(&self, at: u32, outer: u32) -> bool {
        let range = &self.nodes[at as usize].range;
        let outer = &self.nodes[outer as usize].range;
        outer.start <= range.start && range.end <= outer.end
    }
}

/// Returns the names in a declaration that are not its own.
fn also(draft: &Draft<'_>) -> Vec<String> {
    let mut all = enumerators(draft);
    if draft.kind == ItemKind::Friend {
        let declared = draft.cursors.iter().flat_map(|cursor| cursor.children());
        let names = declared.map(|one| plain(&one.spelling()).to_owned());
        all.extend(names.filter(|name| !name.is_empty()));
    }
    all
}

/// Returns the names of the enumerators of an enumeration.
fn enumerators(draft: &Draft<'_>) -> Vec<String> {
    let enums = draft
        .cursors
        .iter()
        .filter(|one| one.kind() == CXCursor_EnumDecl);
    let all = enums.flat_map(|cursor| cursor.children());
    let all = all.filter(|one| one.kind() == CXCursor_EnumConstantDecl);
    all.map(Cursor::spelling).collect()
}
