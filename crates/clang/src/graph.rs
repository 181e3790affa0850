//! The items of a text and the items that each of them needs.

use crate::cursor::Cursor;
use crate::draft::Draft;
use crate::facts::ItemKind;
use crate::lex::{TokenKind, tokens};
use crate::names::{Names, plain};
use crate::nested::innermost;
use crate::references::{References, references};
use crate::statements::is_using;
use crate::unit::Unit;
use clang_sys::*;
use rustc_hash::{FxHashMap, FxHashSet};
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
        graph.add_overloads();
        graph.add_traits(drafts);
        graph.add_inherited(text);
        graph.add_markers();
        graph.add_mentions(text, &references);
        graph
    }

    /// Returns the smallest item around an offset.
    pub(crate) fn innermost(&self, offset: u32) -> Option<u32> {
        innermost(&self.nodes, |node| &node.range, |node| node.parent, offset)
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

    fn add_references(&mut self, references: &References) {
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
    fn add_same(&mut self, drafts: &[Draft<'_>]) {
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
                    let next = self.nodes.get(at as usize + 1);
                    if next.is_some_and(|it| it.kind == ItemKind::Body && it.parent == Some(at)) {
                        self.nodes[at as usize].needs.push(at + 1);
                    }
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
    fn add_inline(&mut self, drafts: &[Draft<'_>], all: &[(u32, bool)]) {
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

    /// Returns the statements after a statement in the same block.
    fn after(&self, at: u32) -> Vec<u32> {
        let parent = self.nodes[at as usize].parent;
        let end = parent.map_or(u32::MAX, |parent| self.nodes[parent as usize].range.end);
        let all = (at + 1..).zip(&self.nodes[at as usize + 1..]);
        let in_block = all.take_while(|(_, node)| node.range.start < end);
        in_block
            .filter(|(_, node)| node.parent == parent)
            .map(|(at, _)| at)
            .collect()
    }

    fn condition(
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
            (ItemKind::Other, _) => {
                let mut names = vec![];
                if draft.name.is_empty() {
                    let range = draft.range.start as usize..draft.range.end as usize;
                    for token in tokens(text, range).filter(|token| token.kind == TokenKind::Word) {
                        names.push(self.names.add(&text[token.range]));
                    }
                } else {
                    names.push(self.names.add(plain(&draft.name).as_bytes()));
                }
                Condition::Mentioned(names, record.into_iter().collect())
            }
            _ => Condition::Reached,
        }
    }

    /// Returns the condition of an item that is needed where its name is mentioned.
    fn mentioned(&mut self, draft: &Draft<'_>, when: Vec<u32>) -> Condition {
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

    /// Adds the needs of a class in a program that runs, and the needs of bodies.
    fn add_members(&mut self, at: u32, draft: &Draft<'_>, unit: &Unit<'_>) {
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

    /// Adds needs of programs: they need the declarations that a template is instantiated
    /// elsewhere. Without these declarations, the template is instantiated in the text, with all
    /// that it needs.
    fn add_instantiations(&mut self, text: &[u8]) {
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

    /// Adds needs of bodies: a body needs its return statements, since they decide the type of the
    /// function.
    fn add_returns(&mut self, drafts: &[Draft<'_>]) {
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

    /// Adds needs of members with one name and without a body: they need each other. A template may
    /// test which of them fits, and no error reports a missing one.
    fn add_overloads(&mut self) {
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

    /// Makes a declaration that inherits constructors need the constructors of the bases of its
    /// class: `using base::base;`. They have another name than the class whose objects they make.
    fn add_inherited(&mut self, text: &[u8]) {
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

    /// Makes classes need the members whose absence no compiler reports: those that libclang does
    /// not show, the types and constants of small classes, which templates ask for, and the fields
    /// of a class whose objects compilers make.
    fn add_traits(&mut self, drafts: &[Draft<'_>]) {
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

    /// Adds needs of items: each item needs the line marker that applies to it.
    fn add_markers(&mut self) {
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

    /// Adds the names in the items that have no meaning yet.
    fn add_mentions(&mut self, text: &[u8], references: &References) {
        let mut named: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (at, node) in (0..).zip(&self.nodes) {
            if !node.name.is_empty() && !matches!(node.kind, ItemKind::Namespace) {
                let number = self.names.get(node.name.as_bytes());
                if let Some(number) = number {
                    named.entry(number).or_default().push(at);
                }
            }
        }
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
            let mut found = vec![];
            let mut from = node.range.start;
            for to in inner.iter().chain([&(node.range.end..node.range.end)]) {
                let range = from as usize..to.start.max(from) as usize;
                mentions(text, range, &self.names, references, &mut found);
                from = to.end;
            }
            found.sort_unstable();
            found.dedup();
            // libclang does not visit the children of these items.
            let is_dark = matches!(node.kind, ItemKind::Other | ItemKind::Concept);
            if is_dark {
                let of = found.iter().filter_map(|name| named.get(name)).flatten();
                // Most `<`, `>`, and `=` in these items are not operators.
                let is_named = |to: u32| !is_operator(&self.nodes[to as usize].name);
                let of = of.filter(|to| **to as usize != at && !self.is_in(**to, ItemKind::Record));
                let of = of.filter(|to| is_named(**to));
                let of: Vec<u32> = of.copied().collect();
                self.nodes[at].needs.extend(of);
            }
            self.nodes[at].mentions = found;
        }
        for node in &mut self.nodes {
            node.needs.sort_unstable();
            node.needs.dedup();
        }
    }
}

/// Returns whether a using declaration names the constructors of a class: `using a::b<c>::b;`.
fn inherits(text: &[u8], range: Range<usize>) -> bool {
    let all = tokens(text, range).filter(|token| token.kind == TokenKind::Word);
    let words: Vec<&[u8]> = all.map(|token| &text[token.range]).collect();
    words
        .split_last()
        .is_some_and(|(last, before)| before.contains(last))
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

/// The class whose fields are checked by compilers, since they fill them.
const LAID_OUT: &str = "initializer_list";

/// The largest number of types and constants that a class keeps all of.
const CONSTANTS: usize = 4;

/// The number of line markers before an item that are looked at.
const MARKERS: usize = 64;

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
