//! The items that other items need.

use crate::facts::ItemKind;
use crate::graph::{Condition, Graph};

/// The needs of items in addition to their references.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy {
    /// Whether functions need their bodies, and classes need the functions that create and destroy
    /// their objects.
    pub(crate) has_bodies: bool,
    /// Whether a name without a known meaning refers to all items that it may mean.
    pub(crate) is_wide: bool,
    /// Whether classes need the members that decide the layout of their objects, since parts of the
    /// program that are not in the text use that layout.
    pub(crate) has_layout: bool,
}

/// A set of items that contains all items that they need. It can grow.
#[derive(Clone)]
pub(crate) struct Closure<'g> {
    pub(crate) graph: &'g Graph,
    policy: Policy,
    pub(crate) kept: Vec<bool>,
    mentioned: Vec<bool>,
    /// For each condition, the number of items that it lacks.
    lacks: Vec<u32>,
    /// For each item, the items whose conditions require it.
    by_item: Vec<Vec<u32>>,
    /// For each name, the items whose conditions require it.
    by_name: Vec<Vec<u32>>,
    todo: Vec<u32>,
    mentions: Vec<u32>,
}

impl<'g> Closure<'g> {
    pub(crate) fn new(graph: &'g Graph, policy: Policy) -> Self {
        let count = graph.nodes.len();
        let mut closure = Closure {
            graph,
            policy,
            kept: vec![false; count],
            mentioned: vec![false; graph.names.len()],
            lacks: vec![u32::MAX; count],
            by_item: vec![vec![]; count],
            by_name: vec![vec![]; graph.names.len()],
            todo: vec![],
            mentions: vec![],
        };
        for (at, node) in (0..).zip(&graph.nodes) {
            let (when, lacks) = match &node.condition {
                Condition::Reached => continue,
                Condition::All(when) => (when, when.len()),
                Condition::Any(when) => (when, 1),
                Condition::Run(when) if policy.has_layout => (when, 1),
                Condition::Run(_) => continue,
                Condition::Mentioned(names, when) => {
                    for &name in names {
                        closure.by_name[name as usize].push(at);
                    }
                    (when, when.len() + 1)
                }
            };
            closure.lacks[at as usize] = match lacks {
                0 => u32::MAX,
                lacks => lacks as u32,
            };
            for &of in when {
                closure.by_item[of as usize].push(at);
            }
        }
        for all in closure.by_item.iter_mut().chain(&mut closure.by_name) {
            all.dedup();
        }
        closure
    }

    /// Returns the functions that create, copy, and destroy the objects of the kept classes, and
    /// their virtual functions.
    pub(crate) fn special_members(&self) -> Vec<u32> {
        let kept = self
            .graph
            .nodes
            .iter()
            .zip(&self.kept)
            .filter(|(_, kept)| **kept);
        let records = kept.filter(|(node, _)| node.kind == ItemKind::Record);
        records
            .flat_map(|(node, _)| node.to_run.iter().copied())
            .collect()
    }

    /// Returns the same set, to which conditions add nothing more.
    pub(crate) fn only_references(&self) -> Self {
        let mut closure = self.empty();
        closure.kept.clone_from(&self.kept);
        closure
    }

    /// Returns an empty set, to which conditions add nothing.
    pub(crate) fn empty(&self) -> Self {
        let graph = self.graph;
        Closure {
            graph,
            policy: Policy {
                is_wide: false,
                ..self.policy
            },
            kept: vec![false; graph.nodes.len()],
            mentioned: vec![true; graph.names.len()],
            lacks: vec![],
            by_item: vec![vec![]; graph.nodes.len()],
            by_name: vec![],
            todo: vec![],
            mentions: vec![],
        }
    }

    /// Returns the set without some items and without all items that need them. Returns `None` if
    /// that would remove an item of `must`, or all items.
    pub(crate) fn without(&self, items: &[u32], must: &Self) -> Option<Self> {
        let mut gone = vec![false; self.kept.len()];
        for &at in items {
            gone[at as usize] = true;
        }
        let mut any = !items.is_empty();
        while std::mem::take(&mut any) {
            for (at, node) in self.graph.nodes.iter().enumerate() {
                if !self.kept[at] || gone[at] {
                    continue;
                }
                let run: &[u32] = if self.policy.has_bodies {
                    &node.to_run
                } else {
                    &[]
                };
                let layout: &[u32] = if self.policy.has_layout {
                    &node.layout
                } else {
                    &[]
                };
                let needs = node
                    .needs
                    .iter()
                    .chain(&node.parent)
                    .chain(run)
                    .chain(layout);
                let mut lost = needs.filter(|of| gone[**of as usize]);
                let mut calls = self.graph.called_code(at as u32);
                let mut is_code_lost =
                    || calls.any(|of| gone[of as usize] && self.kept[of as usize]);
                if lost.next().is_some() || self.policy.has_layout && is_code_lost() {
                    gone[at] = true;
                    any = true;
                }
            }
        }
        // An item that must be kept needs a part of the removed items.
        for (at, gone) in gone.iter_mut().enumerate() {
            *gone &= !must.kept[at];
        }
        let mut smaller = self.clone();
        let mut is_less = false;
        for (at, gone) in gone.iter().enumerate() {
            is_less |= *gone && smaller.kept[at];
            smaller.kept[at] &= !gone;
        }
        is_less.then_some(smaller)
    }

    /// Returns the number of bytes of the kept items, without the items within them.
    pub(crate) fn weight(&self) -> u64 {
        let mut weight = 0;
        for (node, kept) in self.graph.nodes.iter().zip(&self.kept) {
            let len = u64::from(node.range.end - node.range.start);
            let is_counted = node.parent.is_none_or(|parent| self.kept[parent as usize]);
            match (node.parent, kept) {
                (None, true) => weight += len,
                (Some(_), false) if is_counted => weight -= len.min(weight),
                _ => {}
            }
        }
        weight
    }

    /// Adds items and all items that they need.
    pub(crate) fn add(&mut self, items: impl IntoIterator<Item = u32>) {
        self.todo.extend(items);
        loop {
            if let Some(at) = self.todo.pop() {
                self.keep(at);
            } else if let Some(name) = self.mentions.pop() {
                if !std::mem::replace(&mut self.mentioned[name as usize], true) {
                    for number in 0..self.by_name[name as usize].len() {
                        let at = self.by_name[name as usize][number];
                        let is_silent = self.policy.has_bodies && self.is_found_by_argument(at)
                            || self.is_asked_for(at);
                        if self.policy.is_wide || is_silent {
                            self.fulfil(at, true);
                        }
                    }
                }
            } else {
                return;
            }
        }
    }

    fn keep(&mut self, at: u32) {
        if std::mem::replace(&mut self.kept[at as usize], true) {
            return;
        }
        let node = &self.graph.nodes[at as usize];
        self.todo.extend(node.parent);
        self.todo.extend(&node.needs);
        if self.policy.has_bodies {
            self.todo.extend(&node.to_run);
        }
        if self.policy.has_layout {
            self.todo.extend(&node.layout);
            self.todo.extend(self.graph.called_code(at));
        }
        self.mentions.extend(&node.mentions);
        for number in 0..self.by_item[at as usize].len() {
            let of = self.by_item[at as usize][number];
            self.fulfil(of, false);
        }
    }

    /// Returns whether another function may be called without an error if this function is missing.
    fn is_found_by_argument(&self, at: u32) -> bool {
        match self.graph.nodes[at as usize].kind {
            ItemKind::Function => !self.graph.is_in(at, ItemKind::Record),
            kind => kind == ItemKind::Friend,
        }
    }

    /// Returns whether a template may ask for the item by its name: a type in a class. Without it,
    /// the template has another meaning, and no error.
    fn is_asked_for(&self, at: u32) -> bool {
        let kind = self.graph.nodes[at as usize].kind;
        kind == ItemKind::Type && self.graph.is_in(at, ItemKind::Record)
    }

    /// Notes that one thing is there that the condition of an item asks for.
    fn fulfil(&mut self, at: u32, is_name: bool) {
        // A second name of the same item adds no information.
        if is_name
            && let Condition::Mentioned(names, _) = &self.graph.nodes[at as usize].condition
            && names
                .iter()
                .filter(|name| self.mentioned[**name as usize])
                .count()
                > 1
        {
            return;
        }
        let lacks = &mut self.lacks[at as usize];
        *lacks = match *lacks {
            u32::MAX => u32::MAX,
            lacks => lacks.saturating_sub(1),
        };
        if *lacks == 0 {
            self.todo.push(at);
        }
    }

    /// Returns the kept items.
    pub(crate) fn items(&self) -> Vec<u32> {
        let all = (0..).zip(&self.kept).filter(|(_, kept)| **kept);
        all.map(|(at, _)| at).collect()
    }

    /// Returns the text of the kept items and of the text outside of all items, with the origin of
    /// its parts: offsets in it and in the whole text.
    pub(crate) fn render(&self, text: &[u8]) -> (Vec<u8>, Vec<(u32, u32)>) {
        let mut out = Vec::new();
        let mut origins = vec![];
        let mut from = 0;
        for (node, _) in self
            .graph
            .nodes
            .iter()
            .zip(&self.kept)
            .filter(|(_, kept)| !**kept)
        {
            let (start, end) = (node.range.start as usize, node.range.end as usize);
            if end <= from {
                continue;
            }
            let start = start.max(from);
            origins.push((out.len() as u32, from as u32));
            out.extend_from_slice(&text[from..start]);
            out.extend_from_slice(node.kind.stand_in().as_bytes());
            from = end;
        }
        origins.push((out.len() as u32, from as u32));
        out.extend_from_slice(&text[from..]);
        (out, origins)
    }
}

/// Returns the offset in the whole text for an offset in a rendered text.
pub(crate) fn origin(origins: &[(u32, u32)], offset: u32) -> u32 {
    let behind = origins.partition_point(|part| part.0 <= offset);
    match origins.get(behind.wrapping_sub(1)) {
        Some(&(at, from)) => from + (offset - at),
        None => offset,
    }
}
