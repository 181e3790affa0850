//! The conversion of a tree of a tree-sitter parser to a tree of its grammar.

use crate::align::{Aligner, ChildKind, Event, PathId, Shown};
use crate::hints::unread::Part;
use crate::names::Names;
use nubbin_grammar::grammar::{Expr, ExprId, Grammar, SymbolId, SymbolKind};
use nubbin_grammar::tree::{NodeKind, Tree, TreeBuilder, TreeError};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The part of a tree that the grammar explains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    /// The number of nodes that are instances of a rule.
    pub nodes: usize,
    /// The number of instances of a rule whose children do not fit the rule. These children are a
    /// plain list.
    pub unexplained: usize,
}

/// A node as the parser made it. Its children follow it.
#[derive(Clone, Copy, Debug)]
struct Raw {
    start: u32,
    end: u32,
    /// The index of the first node after the subtree.
    next: u32,
    kind: u16,
    /// The kind of the node without an alias.
    grammar: u16,
    /// The field of the node, or 0.
    field: u16,
    is: Is,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    Regular,
    Extra,
    Error,
    /// The parser knows the node, but its rule cannot occur where it is.
    Unfit,
    Missing,
}

/// A builder of trees of one grammar, which caches facts about the grammar.
#[derive(Debug)]
pub(crate) struct TreeMaker {
    aligner: Aligner,
    /// The kinds of children with all facts and without, by the numbers of the parser.
    kinds: FxHashMap<(u16, u16), (ChildKind, ChildKind)>,
    raws: Vec<Raw>,
    children: Vec<(ChildKind, ChildKind)>,
    strict: Vec<ChildKind>,
    ways: Vec<PathId>,
    todo: Vec<Todo>,
}

/// An entry of the stack of nodes that are still to be built.
#[derive(Clone, Copy, Debug)]
enum Todo {
    Node(u32, Option<ExprId>),
    /// A comment.
    Extra(u32),
    /// The rest of the children of a node.
    Children(Frame),
    /// A part of the events of a path.
    Events(PathId, u32, u32, SymbolId),
    /// Text up to this position that is in no child of a node of this symbol.
    Gap(u32, SymbolId),
    Close,
}

/// A node whose children are being added.
#[derive(Clone, Copy, Debug)]
struct Frame {
    symbol: SymbolId,
    /// The next child, and the first node that is not a child.
    at: u32,
    end: u32,
    /// The start of the paths and the next of them, or `None` if the rule does not explain the
    /// children.
    way: Option<(u32, u32)>,
    /// The end of the text of the node.
    stop: u32,
}

/// The depth to which errors in errors are opened.
const MOST_OPENED: usize = 8;

impl TreeMaker {
    pub(crate) fn new(grammar: Arc<Grammar>) -> Self {
        TreeMaker {
            aligner: Aligner::new(grammar),
            kinds: FxHashMap::default(),
            raws: vec![],
            children: vec![],
            strict: vec![],
            ways: vec![],
            todo: vec![],
        }
    }

    /// Returns the tree of a text that has been parsed.
    pub(crate) fn tree(
        &mut self,
        parsed: &tree_sitter::Tree,
        text: Arc<[u8]>,
        grammar: &Arc<Grammar>,
        names: &Names,
        unread: &[Part],
    ) -> Result<(Tree, Alignment), TreeError> {
        self.read(parsed);
        self.begin_with(&text, unread);
        self.ways.clear();
        self.todo.clear();
        let mut writing = Writing {
            grammar,
            names,
            at: 0,
            out: TreeBuilder::new(Arc::clone(grammar), Arc::clone(&text)),
            text: &text,
            alignment: Alignment::default(),
        };
        self.root(&mut writing);
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Node(raw, mention) => self.node(&mut writing, raw, mention),
                Todo::Extra(raw) => {
                    let Raw { kind, end, .. } = self.raws[raw as usize];
                    writing.leaf(NodeKind::Gap, writing.shown(kind), None, end);
                }
                Todo::Children(frame) => self.children(frame),
                Todo::Events(path, from, to, symbol) => {
                    for event in &self.aligner.events(path)[from as usize..to as usize] {
                        match *event {
                            Event::Open(kind, expr) => writing.out.open(kind, symbol, Some(expr)),
                            Event::Close => writing.out.close(),
                        }
                    }
                }
                Todo::Gap(to, symbol) => writing.gap(to, symbol),
                Todo::Close => writing.out.close(),
            }
        }
        let tree = writing.out.finish()?;
        Ok((tree, writing.alignment))
    }

    /// Reads the nodes of the parser in order, without recursion.
    fn read(&mut self, parsed: &tree_sitter::Tree) {
        self.raws.clear();
        let mut cursor = parsed.walk();
        let mut open: Vec<u32> = vec![];
        loop {
            let node = cursor.node();
            let is = if node.is_error() {
                Is::Error
            } else if node.is_missing() {
                Is::Missing
            } else if node.is_extra() {
                Is::Extra
            } else {
                Is::Regular
            };
            let index = self.raws.len() as u32;
            self.raws.push(Raw {
                start: node.start_byte() as u32,
                end: node.end_byte() as u32,
                next: index + 1,
                kind: node.kind_id(),
                grammar: node.grammar_id(),
                field: cursor.field_id().map_or(0, u16::from),
                is,
            });
            if cursor.goto_first_child() {
                open.push(index);
                continue;
            }
            while !cursor.goto_next_sibling() {
                let Some(parent) = open.pop() else {
                    return;
                };
                cursor.goto_parent();
                self.raws[parent as usize].next = self.raws.len() as u32;
            }
        }
    }

    /// Extends nodes to the text before them that the parser has not seen and that belongs to them.
    fn begin_with(&mut self, text: &[u8], unread: &[Part]) {
        for part in unread.iter().filter(|part| part.joins_next) {
            let behind = text.get(part.span.end..).unwrap_or_default();
            let blanks = behind.iter().take_while(|byte| byte.is_ascii_whitespace());
            let next = (part.span.end + blanks.count()) as u32;
            // The outermost node that starts at this position and does not cover the whole text.
            let index = self.raws.partition_point(|raw| raw.start < next).max(1);
            if let Some(raw) = self.raws.get_mut(index)
                && raw.start == next
                && raw.next > index as u32 + 1
            {
                raw.start = part.span.start as u32;
            }
        }
    }

    fn root(&mut self, writing: &mut Writing<'_>) {
        // The parser's root does not cover the text before and after it.
        self.raws[0].end = writing.text.len() as u32;
        let symbol = writing.grammar.start();
        let is_error = self.raws[0].is == Is::Error;
        let explained = match self.align_opened(writing.names, symbol) {
            None if is_error => {
                self.node(writing, 0, None);
                return;
            }
            None => self.align(writing.names, 0, symbol),
            explained => explained,
        };
        writing.out.open(NodeKind::Rule, symbol, None);
        writing.alignment.nodes += 1;
        self.frame(0, symbol, explained);
    }

    /// Returns the path of the children of the root through its rule, where children of errors are
    /// in the place of these errors if some of them fit into the rule. Those that do not fit become
    /// unfit. If there is no path, nothing changes.
    ///
    /// Where the parser found no end of something, such as a bracket that a preprocessor would
    /// have removed, the whole text may be an error for it. It still finds most declarations.
    fn align_opened(&mut self, names: &Names, rule: SymbolId) -> Option<u32> {
        let mut before = (self.raws[0].is == Is::Error).then(|| self.raws.clone());
        for _ in 0..MOST_OPENED {
            let errors = self.children_of(0);
            let errors = errors.filter(|&at| self.raws[at as usize].is == Is::Error);
            let mut errors: Vec<u32> = errors.collect();
            errors.retain(|&error| {
                let children: Vec<u32> = self.children_of(error).collect();
                children.into_iter().any(|at| self.fits(names, at, rule))
            });
            if errors.is_empty() {
                break;
            }
            let opened = self.without(&errors);
            let closed = std::mem::replace(&mut self.raws, opened);
            before.get_or_insert(closed);
        }
        let before = before?;
        let children = self.children_of(0);
        let regular = children.filter(|&at| self.raws[at as usize].is == Is::Regular);
        let mut unfit: Vec<u32> = regular.collect();
        unfit.retain(|&at| !self.fits(names, at, rule));
        for at in unfit {
            self.raws[at as usize].is = Is::Unfit;
        }
        let is_regular = |at: u32| self.raws[at as usize].is == Is::Regular;
        let some_fit = self.children_of(0).any(is_regular);
        let explained = some_fit.then(|| self.align(names, 0, rule)).flatten();
        if explained.is_none() {
            self.raws = before;
        }
        explained
    }

    /// Returns the nodes without the removed nodes. Children of a removed node become children of
    /// the enclosing node.
    fn without(&self, removed: &[u32]) -> Vec<Raw> {
        let before = |index: u32| removed.partition_point(|&at| at < index) as u32;
        let kept = (0..).zip(&self.raws);
        let kept = kept.filter(|(at, _)| removed.binary_search(at).is_err());
        kept.map(|(_, raw)| Raw {
            next: raw.next - before(raw.next),
            ..*raw
        })
        .collect()
    }

    /// Returns whether a node may be the only child of a rule.
    fn fits(&mut self, names: &Names, index: u32, rule: SymbolId) -> bool {
        if self.raws[index as usize].is != Is::Regular {
            return false;
        }
        self.children.clear();
        self.add_child(names, index);
        let base = self.align_children(rule);
        if let Some(base) = base {
            self.ways.truncate(base as usize);
        }
        base.is_some()
    }

    /// Returns the children of a node.
    fn children_of(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.raws[index as usize].next;
        let next = move |&at: &u32| Some(self.raws[at as usize].next).filter(|&next| next < end);
        std::iter::successors(Some(index + 1).filter(|&first| first < end), next)
    }

    /// Adds one node, and pushes its children onto the stack.
    fn node(&mut self, writing: &mut Writing<'_>, index: u32, mention: Option<ExprId>) {
        let raw = self.raws[index as usize];
        let shown = writing.shown(raw.kind);
        writing.out.in_field(writing.names.field(raw.field));
        match raw.is {
            Is::Missing => {
                writing.out.open(NodeKind::Missing, shown, mention);
                writing.out.close();
            }
            Is::Error => {
                let error = writing.names.error;
                writing.out.open(NodeKind::Error, error, None);
                self.frame(index, error, None);
            }
            Is::Unfit => {
                writing.out.open(NodeKind::Error, writing.names.error, None);
                self.raws[index as usize].is = Is::Regular;
                self.todo.push(Todo::Close);
                self.todo.push(Todo::Node(index, None));
            }
            Is::Regular | Is::Extra => {
                let meant = mention.and_then(|mention| writing.meant(mention));
                let is_token = |symbol: SymbolId| {
                    !matches!(writing.grammar.symbol(symbol).kind, SymbolKind::Rule(_))
                };
                let contents = writing.names.contents(raw.grammar);
                if raw.next == index + 1
                    && (raw.end > writing.at
                        || meant.or(contents.first().copied()).is_some_and(is_token))
                {
                    let by_itself = || match *contents {
                        [first, ..] if !contents.contains(&shown) => {
                            writing.names.mention(first, shown)
                        }
                        _ => None,
                    };
                    let mention = mention.or_else(by_itself);
                    writing.leaf(NodeKind::Token, shown, mention, raw.end);
                    return;
                }
                // The mention in the grammar, if any, determines the rule. Otherwise, each rule
                // that the parser names is tried.
                let others = contents.iter().copied().filter(|&rule| Some(rule) != meant);
                let mut rule = None;
                let mut explained = None;
                for candidate in meant.into_iter().chain(others) {
                    explained = self.align(writing.names, index, candidate);
                    if explained.is_some() {
                        rule = Some(candidate);
                        break;
                    }
                }
                let mention = match rule {
                    Some(rule) if Some(rule) != meant && (meant.is_some() || rule != shown) => {
                        writing.names.mention(rule, shown)
                    }
                    _ => mention,
                };
                writing.alignment.nodes += 1;
                writing.out.open(NodeKind::Rule, shown, mention);
                writing.alignment.unexplained += usize::from(explained.is_none());
                self.frame(index, shown, explained);
            }
        }
    }

    /// Returns the path of the children of a node through a rule.
    fn align(&mut self, names: &Names, index: u32, rule: SymbolId) -> Option<u32> {
        self.children.clear();
        let end = self.raws[index as usize].next;
        let mut at = index + 1;
        while at < end {
            let raw = self.raws[at as usize];
            if matches!(raw.is, Is::Regular | Is::Missing) {
                self.add_child(names, at);
            }
            at = raw.next;
        }
        self.align_children(rule)
    }

    /// Adds a node to the children that are aligned.
    fn add_child(&mut self, names: &Names, index: u32) {
        let raw = self.raws[index as usize];
        let key = (raw.kind, raw.grammar);
        let kinds = self.kinds.entry(key).or_insert_with(|| {
            let symbol = names.shown(raw.kind).unwrap_or(names.error);
            let contents = names.contents(raw.grammar).into();
            let strict = self.aligner.kind(Shown { symbol, contents });
            let contents = Box::default();
            (strict, self.aligner.kind(Shown { symbol, contents }))
        });
        self.children.push(*kinds);
    }

    /// Returns the path of the children that were added through a rule.
    fn align_children(&mut self, rule: SymbolId) -> Option<u32> {
        let base = self.ways.len();
        for relaxed in [false, true] {
            self.strict.clear();
            let children = self.children.iter();
            self.strict.extend(children.map(|kinds| match relaxed {
                false => kinds.0,
                true => kinds.1,
            }));
            if self.aligner.align(rule, &self.strict, &mut self.ways) {
                return Some(base as u32);
            }
        }
        None
    }

    fn frame(&mut self, index: u32, symbol: SymbolId, way: Option<u32>) {
        let raw = self.raws[index as usize];
        self.todo.push(Todo::Children(Frame {
            symbol,
            at: index + 1,
            end: raw.next,
            way: way.map(|base| (base, base)),
            stop: raw.end,
        }));
    }

    /// Pushes onto the stack the events before the next child, that child, and the remaining
    /// children.
    ///
    /// Text between two children, such as comments and text that does not fit, is placed where the
    /// fewest quantifiers are open. An iteration therefore begins and ends with its own content.
    fn children(&mut self, frame: Frame) {
        let mut child = frame.at;
        while child < frame.end
            && matches!(
                self.raws[child as usize].is,
                Is::Extra | Is::Error | Is::Unfit
            )
        {
            child = self.raws[child as usize].next;
        }
        let path = frame.way.map(|(_, at)| self.ways[at as usize]);
        let events = path.map_or(&[][..], |path| self.aligner.events(path));
        let count = events.len() as u32;
        let split = shallowest(events);
        let from = self.todo.len();
        if let Some(path) = path {
            self.todo.push(Todo::Events(path, 0, split, frame.symbol));
        }
        let mut at = frame.at;
        while at < child {
            let raw = self.raws[at as usize];
            self.todo.push(Todo::Gap(raw.start, frame.symbol));
            self.todo.push(match raw.is {
                Is::Error | Is::Unfit => Todo::Node(at, None),
                _ => Todo::Extra(at),
            });
            at = raw.next;
        }
        let more = child < frame.end;
        let stop = match more {
            true => self.raws[child as usize].start,
            false => frame.stop,
        };
        self.todo.push(Todo::Gap(stop, frame.symbol));
        if let Some(path) = path {
            self.todo
                .push(Todo::Events(path, split, count, frame.symbol));
        }
        if more {
            let mention = path.and_then(|path| self.aligner.mention(path));
            self.todo.push(Todo::Node(child, mention));
            self.todo.push(Todo::Children(Frame {
                at: self.raws[child as usize].next,
                way: frame.way.map(|(base, at)| (base, at + 1)),
                ..frame
            }));
        } else {
            if let Some((base, _)) = frame.way {
                self.ways.truncate(base as usize);
            }
            self.todo.push(Todo::Close);
        }
        self.todo[from..].reverse();
    }
}

/// Returns the index of the first place among the events where the fewest quantifiers are open.
fn shallowest(events: &[Event]) -> u32 {
    let (mut depth, mut least, mut split) = (0i32, 0i32, 0u32);
    for (i, event) in (1u32..).zip(events) {
        depth += match event {
            Event::Open(..) => 1,
            Event::Close => -1,
        };
        if depth < least {
            (least, split) = (depth, i);
        }
    }
    split
}

/// The tree under construction.
struct Writing<'t> {
    grammar: &'t Arc<Grammar>,
    names: &'t Names,
    text: &'t [u8],
    at: u32,
    out: TreeBuilder,
    alignment: Alignment,
}

impl Writing<'_> {
    fn shown(&self, kind: u16) -> SymbolId {
        self.names.shown(kind).unwrap_or(self.names.error)
    }

    /// Returns the symbol of a mention without its alias.
    fn meant(&self, mention: ExprId) -> Option<SymbolId> {
        match self.grammar.expr(mention) {
            Expr::Symbol { symbol, .. } => Some(symbol),
            _ => None,
        }
    }

    fn leaf(&mut self, kind: NodeKind, symbol: SymbolId, expr: Option<ExprId>, end: u32) {
        let end = end.max(self.at);
        self.out.leaf(kind, symbol, expr, (end - self.at) as usize);
        self.at = end;
    }

    /// Adds text that is in no child: white space, or tokens that the parser does not show. White
    /// space is a separate leaf, so that it can be removed without the other text.
    fn gap(&mut self, to: u32, symbol: SymbolId) {
        let text = self.text.get(self.at as usize..to as usize);
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return;
        };
        let visible = |byte: &u8| !byte.is_ascii_whitespace() && *byte != 0x0b;
        let first = text.iter().position(visible).unwrap_or(text.len()) as u32;
        let last = text
            .iter()
            .rposition(visible)
            .map_or(first, |at| at as u32 + 1);
        let base = self.at;
        for end in [base + first, base + last, to] {
            if end > self.at {
                self.leaf(NodeKind::Gap, symbol, None, end);
            }
        }
    }
}
