use super::TreeReducer;
use super::combinations::{Columns, smaller_combinations};
use super::search::{ListSearch, NodeList, SearchStep, WithLists};
use crate::tree::{Draft, Expansions, LONGEST_PHRASE, NodeId, Outline, Piece, Preparation, Sort};
use nubbin_edit::Edit;
use nubbin_engine::order::Order;
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_grammar::grammar::{SymbolId, SymbolKind};
use nubbin_grammar::tree::NodeKind;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Grammar-based reduction: replaces nodes by subtrees of the same symbol, then by other
/// alternatives made of subtrees.
///
/// From the root down, each child of a node is replaced by something smaller: by a subtree below it
/// of the same symbol, in the order of the text; or by another alternative of its rule whose
/// symbols are all found below it, the fewest nodes first. A replacement that passes the test is
/// dropped, and the next one for that child is tried. After a success all children of the node are
/// tried again. When no child can be made smaller, the same is done for the children of each. Every
/// candidate fits the grammar.
///
/// Other tree reducers delete; this one also changes the shape: `(expr)` becomes a number inside
/// it, a product one of its factors. Take it where the grammar has few repetitions, so that there
/// is little to delete, or where a test that rejects a candidate for its syntax says nothing else
/// about it.
///
/// Four variants:
///
/// * [`Grabr::plain`] looks for subtrees at any depth.
/// * [`Grabr::by_depth`] looks for those exactly 0, 1, 2, … levels below, and begins again at 0
///   after a pass that found something: large subtrees first. Usually fewer tests.
/// * [`Grabr::all_combinations`] tries every way to fill an alternative, not only the first. The
///   option `all` does the same for the other variants, and `most=N` tries at most `N` ways. Their
///   number grows with the power of the symbols of an alternative.
/// * [`Grabr::generative`] fills symbols that are not found below the node with new text: the
///   smallest text of the symbol, or one of its alternatives made of subtrees that are found.
///
/// Trees are not [prepared](crate::tree::Preparation), as in the book. A run of this algorithm
/// alone compares trees by their number of nodes, so that a candidate may be longer than the text
/// before.
///
/// Cost: for each node, one test for each smaller subtree of its symbol and for each alternative; a
/// list minimizer's tests for each repetition. Searching for subtrees takes time linear in the size
/// of the tree for each of its levels, and for each pair of levels in the variants by depth.
///
/// Source: A. Zeller, R. Gopinath, M. Böhme, G. Fraser, C. Holler, *The Fuzzing Book* (2019),
/// chapter "Reducing Failure-Inducing Inputs" (`GrammarReducer`; the last variant is its second
/// exercise).
///
/// Changed: optional parts and repetitions, which the book's grammars do not have. An optional part
/// may be removed; the iterations of a repetition are a list for a list minimizer. A replacement
/// with the same text as before is made without a test. The generative variant, which the book
/// leaves to its readers, also replaces the root, tries empty alternatives, and replaces new text
/// by shorter new text.
///
/// ```
/// use nubbin_reduce::tree_reducer::{Grabr, trace};
///
/// let numbers = "<n> ::= <float> | <int> | 'NaN'\n<float> ::= <ds> '.' <ds>\n<int> ::= <ds>\n<ds> ::= [0-9] <ds> | [0-9]\n";
/// let any = |text: &str| text.contains('9');
/// assert_eq!(trace(&Grabr::by_depth(), numbers, "10.9", any).result, "9.9");
/// assert_eq!(trace(&Grabr::generative(), numbers, "10.9", any).result, "9");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Grabr {
    id: &'static str,
    about: &'static str,
    by_depth: bool,
    all: bool,
    /// The largest number of ways to fill an alternative, with `all`.
    most: Option<usize>,
    generative: bool,
    empty: bool,
    root: bool,
}

/// The options of all variants.
const OPTIONS: [(&str, &str); 4] = [
    ("all", "tries every way to fill an alternative"),
    (
        "most=N",
        "with `all`, tries at most N ways to fill an alternative",
    ),
    (
        "empty",
        "also tries an empty alternative where nothing below the node is empty",
    ),
    ("root", "also replaces the root, if its symbol is recursive"),
];

impl Grabr {
    /// Looks for subtrees at any depth.
    pub const fn plain() -> Self {
        Grabr {
            id: "grabr",
            about: "replace nodes by subtrees of their symbol, then alternatives made of subtrees",
            by_depth: false,
            all: false,
            most: None,
            generative: false,
            empty: false,
            root: false,
        }
    }

    /// Looks for large subtrees first.
    pub const fn by_depth() -> Self {
        Grabr {
            id: "grabr-depth",
            about: "as grabr, with subtrees one level below first, then two levels, and so on",
            by_depth: true,
            ..Grabr::plain()
        }
    }

    /// Tries every way to fill an alternative. `grabr:all` does so with subtrees at any depth.
    pub const fn all_combinations() -> Self {
        Grabr {
            id: "grabr-all",
            about: "as grabr-depth, with every way to fill an alternative with subtrees",
            all: true,
            ..Grabr::by_depth()
        }
    }

    /// Also fills alternatives with text that was not in the input.
    pub const fn generative() -> Self {
        Grabr {
            id: "grabr-generative",
            about: "as grabr-depth, also with smallest texts of symbols that are not found below",
            generative: true,
            empty: true,
            root: true,
            ..Grabr::by_depth()
        }
    }
}

impl TreeReducer for Grabr {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            self.id,
            self.about,
            "Zeller and others: The Fuzzing Book, Reducing Failure-Inducing Inputs, 2019",
        )
        .with_options(&OPTIONS)
    }

    fn with(&self, option: &str, value: Option<&str>) -> Option<Arc<dyn TreeReducer>> {
        let mut new = *self;
        match (option, value) {
            ("all", None) => new.all = true,
            ("most", Some(number)) => {
                new.most = Some(number.parse().ok().filter(|&most| most > 0)?);
            }
            ("empty", None) => new.empty = true,
            ("root", None) => new.root = true,
            _ => return None,
        }
        Some(Arc::new(new))
    }

    fn preparation(&self) -> Preparation {
        Preparation::NONE
    }

    fn order(&self) -> Option<Order> {
        Some(Order::as_proposed())
    }

    /// The program of the book does not test the original.
    fn counts_original(&self) -> bool {
        false
    }

    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work> {
        let is_empty_rule = |id: NodeId| {
            let node = outline.node(id);
            node.kind == NodeKind::Rule && node.end == id + 1
        };
        let leaf = |id| 1 + u32::from(is_empty_rule(id));
        let mut heights: Vec<u32> = (0..outline.len()).map(leaf).collect();
        for id in (1..outline.len()).rev() {
            let parent = outline.node(id).parent as usize;
            heights[parent] = heights[parent].max(heights[id as usize] + 1);
        }
        let mut counts = Vec::with_capacity(outline.len() as usize + 1);
        let mut count = 0;
        for id in 0..outline.len() {
            counts.push(count);
            count += leaf(id);
        }
        counts.push(count);
        let mut draft = Draft::new(Arc::clone(outline));
        if !self.generative {
            draft = draft.superseding();
        }
        let mut search = Reducing {
            options: *self,
            known: Arc::new(TreeFacts {
                expansions: Expansions::of(outline.grammar()),
                heights,
                counts,
            }),
            lists: lists.clone(),
            draft,
            depth: self.by_depth.then_some(0),
            reduced: false,
            frames: Arc::default(),
            candidates: Arc::default(),
            ways: None,
            tried: 0,
            list: None,
        };
        search.begin();
        Some(WithLists::work(search))
    }
}

/// The number of ways to fill an alternative where new text is used.
const MOST_NEW: usize = 8;

/// The same with `all`.
const MOST_WAYS: usize = 1000;

/// The number of candidates that are made at once, where there may be many.
const CHUNK: usize = 256;

struct TreeFacts {
    expansions: Expansions,
    /// The height of each subtree as it was parsed, which is never less than its present height.
    heights: Vec<u32>,
    /// The number of nodes before each node, and of all nodes. A rule without text has a leaf,
    /// which is empty.
    counts: Vec<u32>,
}

#[derive(Clone)]
struct Reducing {
    options: Grabr,
    known: Arc<TreeFacts>,
    lists: Lists,
    draft: Draft,
    /// The depth at which this pass looks for subtrees; `None` for any depth.
    depth: Option<u32>,
    /// Whether this pass has found anything.
    reduced: bool,
    frames: Arc<Vec<Frame>>,
    /// The candidates for the present child of the last frame.
    candidates: Arc<[Candidate]>,
    /// The ways to fill alternatives that come after these.
    ways: Option<Ways>,
    tried: usize,
    /// The list to begin with, of the iterations of the last frame.
    list: Option<NodeList>,
}

/// A node whose children are being replaced, or descended into.
#[derive(Clone)]
struct Frame {
    /// `None` for the frame around the root.
    piece: Option<Piece>,
    slots: Arc<[u32]>,
    stage: Stage,
}

#[derive(Clone, Copy)]
enum Stage {
    /// The child to replace next, and whether one has been replaced since the first.
    Replace(usize, bool),
    /// The child to descend into next.
    Descend(usize),
}

#[derive(Clone)]
enum Candidate {
    Put(Piece),
    Fill(SymbolId, Arc<[Part]>),
    Remove,
}

/// All ways to fill the alternatives of a node, made when their turn comes: those with the fewest
/// nodes first, then in the order of the alternatives.
#[derive(Clone)]
struct Ways {
    alternatives: Arc<[Alternative]>,
    /// The number of nodes that a way has to have fewer of.
    below: u32,
    /// The number of nodes of the present ways.
    count: u32,
    at: usize,
    /// The present way to fill the present alternative.
    chosen: Vec<usize>,
}

struct Alternative {
    symbol: SymbolId,
    /// The number of nodes besides those that fill it.
    own: u32,
    columns: Columns<Part>,
}

impl Ways {
    fn next(&mut self) -> Option<Candidate> {
        while self.count < self.below {
            let Some(alternative) = self.alternatives.get(self.at) else {
                (self.count, self.at) = (self.count + 1, 0);
                continue;
            };
            let inner = self.count.checked_sub(alternative.own);
            let parts = inner.and_then(|count| alternative.columns.next(count, &mut self.chosen));
            if let Some(parts) = parts {
                return Some(Candidate::Fill(alternative.symbol, parts.into()));
            }
            self.at += 1;
            self.chosen.clear();
        }
        None
    }
}

/// The filling of one symbol of an alternative.
#[derive(Clone)]
enum Part {
    Found(Piece),
    /// The smallest text of the symbol.
    Phrase(SymbolId, Arc<[u8]>),
    /// An alternative made of subtrees that were found.
    Filled(SymbolId, Arc<[Piece]>),
}

impl Frame {
    fn child(&self, draft: &Draft, at: usize) -> Option<Piece> {
        let slot = *self.slots.get(at)?;
        Some(match self.piece {
            Some(piece) => draft.child(piece, slot),
            None => draft.root(),
        })
    }

    /// Drops the slots of children that have been removed.
    fn refresh(&mut self, draft: &Draft) {
        if let Some(piece) = self.piece {
            let left = draft.children(piece);
            self.slots = left.iter().map(|piece| piece.slot).collect();
        }
    }
}

impl Reducing {
    /// Begins a pass. The root itself is only replaced where that can make a difference.
    fn begin(&mut self) {
        let root = self.draft.root();
        let facts = self.draft.outline().grammar().facts();
        let may_change = |sort| match sort {
            Sort::Symbol(symbol) => self.options.generative || facts.recursive(symbol),
            _ => false,
        };
        if !self.options.root || !self.draft.sorts(root).any(may_change) {
            return self.enter(root);
        }
        Arc::make_mut(&mut self.frames).push(Frame {
            piece: None,
            slots: Arc::new([root.slot]),
            stage: Stage::Replace(0, false),
        });
        self.look();
    }

    /// Goes on to the children of a node.
    fn enter(&mut self, piece: Piece) {
        let slots: Arc<[u32]> = self.draft.children(piece).iter().map(|p| p.slot).collect();
        if slots.is_empty() {
            return;
        }
        let is_repeat = self.draft.kind(piece) == NodeKind::Repeat;
        if is_repeat && self.depth.unwrap_or(0) == 0 {
            let is_iteration = |piece: &Piece| self.draft.kind(*piece) == NodeKind::Iteration;
            let nodes = self.draft.children(piece);
            let nodes: Vec<Piece> = nodes.into_iter().filter(is_iteration).collect();
            let draft = &self.draft;
            let outline = draft.outline();
            self.list = Some(NodeList::new(
                nodes,
                |piece| outline.tokens(piece.slot),
                outline.least_iterations(piece.node),
                &self.lists,
            ));
        }
        Arc::make_mut(&mut self.frames).push(Frame {
            piece: Some(piece),
            slots,
            stage: Stage::Replace(0, false),
        });
        self.look();
    }

    /// Looks for candidates for the present child.
    fn look(&mut self) {
        self.tried = 0;
        (self.candidates, self.ways) = match self.child() {
            Some(child) if self.list.is_none() => {
                let (candidates, ways) = self.candidates(child);
                (candidates.into(), ways)
            }
            _ => (Arc::default(), None),
        };
    }

    /// Returns the next candidate for the present child.
    fn candidate(&mut self) -> Option<Candidate> {
        if self.tried == self.candidates.len()
            && let Some(ways) = &mut self.ways
        {
            self.candidates = std::iter::from_fn(|| ways.next()).take(CHUNK).collect();
            self.tried = 0;
        }
        self.candidates.get(self.tried).cloned()
    }

    fn child(&self) -> Option<Piece> {
        let frame = self.frames.last()?;
        let Stage::Replace(at, _) = frame.stage else {
            return None;
        };
        frame.child(&self.draft, at)
    }

    /// Whether a subtree has fewer levels than this, so that no replacement can come from it.
    fn is_too_flat(&self, piece: Piece, levels: u32) -> bool {
        let height = match self.draft.height_of_made(piece) {
            Some(height) => height,
            None => self.known.heights[piece.node as usize],
        };
        height < levels
    }

    fn count(&self, piece: Piece) -> u32 {
        let counts = &self.known.counts;
        self.draft.count_by(piece, |range| {
            counts[range.end as usize] - counts[range.start as usize]
        })
    }

    /// Whether the node is a rule without text, whose leaf is empty.
    fn has_empty_leaf(&self, piece: Piece) -> bool {
        self.draft.kind(piece) == NodeKind::Rule && self.draft.children(piece).is_empty()
    }

    fn candidates(&self, child: Piece) -> (Vec<Candidate>, Option<Ways>) {
        let draft = &self.draft;
        let depth = self.depth;
        let mut found = vec![];
        let first_pass = depth.unwrap_or(0) == 0;
        let kind = draft.kind(child);
        let searches = depth != Some(0) && !self.is_too_flat(child, depth.map_or(2, |d| d + 1));
        if matches!(kind, NodeKind::Optional | NodeKind::Error) && first_pass {
            found.push(Candidate::Remove);
        }
        if kind == NodeKind::Repeat
            && first_pass
            && draft.outline().least_iterations(child.node) == 0
        {
            found.push(Candidate::Remove);
        }
        let symbols = self.symbols_at(child);
        let rows = || {
            let rows = symbols.iter();
            rows.flat_map(|&symbol| self.known.expansions.of_symbol(symbol))
        };
        // Subtrees by the symbols that they are instances of, each in the order of the text.
        let mut below: FxHashMap<SymbolId, Vec<(Piece, u32)>> = FxHashMap::default();
        let mut has_empty = self.options.empty;
        if searches && draft.sorts(child).next().is_some() {
            for &symbol in rows().flat_map(|row| row.iter()) {
                below.entry(symbol).or_default();
                if self.options.generative {
                    let inner = self.known.expansions.of_symbol(symbol).iter();
                    for &symbol in inner.flat_map(|row| row.iter()) {
                        below.entry(symbol).or_default();
                    }
                }
            }
            let wanted = |at: u32| depth.is_none_or(|depth| depth == at);
            draft.each_below(child, depth.unwrap_or(u32::MAX), |piece, at| {
                has_empty |= wanted(at + 1) && self.has_empty_leaf(piece);
                if wanted(at) {
                    if draft.are_alike(child, piece) {
                        found.push(Candidate::Put(piece));
                    }
                    for sort in draft.sorts(piece) {
                        if let Sort::Symbol(symbol) = sort
                            && let Some(list) = below.get_mut(&symbol)
                        {
                            list.push((piece, 0));
                        }
                    }
                }
                true
            });
            for (piece, count) in below.values_mut().flatten() {
                *count = self.count(*piece);
            }
        }
        let searches = searches || (self.options.generative && kind == NodeKind::Rule);
        let mut ways = None;
        if searches {
            ways = self.fill(&symbols, &below, has_empty, child, &mut found);
        }
        (found, ways)
    }

    /// The symbols that a node is an instance of.
    fn symbols_at(&self, piece: Piece) -> Vec<SymbolId> {
        let names = self.draft.sorts(piece).filter_map(|sort| match sort {
            Sort::Symbol(symbol) => Some(symbol),
            _ => None,
        });
        names.collect()
    }

    /// Adds other alternatives, the fewest nodes first. Where every way to fill them is tried,
    /// returns them instead.
    fn fill(
        &self,
        symbols: &[SymbolId],
        below: &FxHashMap<SymbolId, Vec<(Piece, u32)>>,
        has_empty: bool,
        child: Piece,
        found: &mut Vec<Candidate>,
    ) -> Option<Ways> {
        let whole = self.count(child);
        let mut filled: Vec<(u32, Candidate)> = vec![];
        let nothing_new = self.depth.is_some_and(|depth| depth > 0)
            && below.values().all(Vec::is_empty)
            && (self.options.empty || !has_empty);
        if nothing_new {
            return None;
        }
        let makes_new = self.options.generative;
        let most = match (self.options.all, self.options.most) {
            (true, Some(most)) => most,
            (true, None) if makes_new => MOST_WAYS,
            (true, None) => return Some(self.ways(symbols, below, has_empty, whole)),
            _ if makes_new => MOST_NEW,
            _ => 1,
        };
        let rows = symbols.iter().flat_map(|&symbol| {
            let rows = self.known.expansions.of_symbol(symbol).iter();
            rows.map(move |row| (symbol, row))
        });
        for (symbol, row) in rows.filter(|(_, row)| has_empty || !row.is_empty()) {
            let columns: Option<Vec<Vec<(Part, u32)>>> = row
                .iter()
                .map(|&symbol| self.column(symbol, below))
                .collect();
            let Some(columns) = columns else { continue };
            // The node itself counts as well, and so does the leaf of an empty alternative.
            let own = 1 + u32::from(row.is_empty());
            let below = (whole + u32::from(self.options.generative)).saturating_sub(own);
            for (count, parts) in smaller_combinations(&columns, below, most) {
                let candidate = Candidate::Fill(symbol, parts.into());
                if count + own < whole || self.is_shorter(&candidate, child) {
                    filled.push((count + own, candidate));
                }
            }
            if self.options.generative {
                let smallest: Option<Vec<(Part, u32)>> =
                    row.iter().map(|&symbol| self.phrase(symbol)).collect();
                if let Some(parts) = smallest {
                    let count = parts.iter().map(|(_, count)| count).sum::<u32>();
                    let parts: Arc<[Part]> = parts.into_iter().map(|(part, _)| part).collect();
                    let candidate = Candidate::Fill(symbol, parts);
                    let is_smaller = count + own < whole
                        || count + own == whole && self.is_shorter(&candidate, child);
                    if is_smaller {
                        filled.push((count + own, candidate));
                    }
                }
            }
        }
        filled.sort_by_key(|&(count, _)| count);
        found.extend(filled.into_iter().map(|(_, candidate)| candidate));
        None
    }

    /// Returns all ways to fill other alternatives with subtrees.
    fn ways(
        &self,
        symbols: &[SymbolId],
        below: &FxHashMap<SymbolId, Vec<(Piece, u32)>>,
        has_empty: bool,
        whole: u32,
    ) -> Ways {
        let rows = symbols.iter().flat_map(|&symbol| {
            let rows = self.known.expansions.of_symbol(symbol).iter();
            rows.map(move |row| (symbol, row))
        });
        let rows = rows.filter(|(_, row)| has_empty || !row.is_empty());
        let alternatives = rows.filter_map(|(symbol, row)| {
            let columns = row.iter().map(|&symbol| self.column(symbol, below));
            let columns: Vec<Vec<(Part, u32)>> = columns.collect::<Option<_>>()?;
            // The node itself counts as well, and so does the leaf of an empty alternative.
            let own = 1 + u32::from(row.is_empty());
            Some(Alternative {
                symbol,
                own,
                columns: Columns::new(columns, whole.saturating_sub(own)),
            })
        });
        Ways {
            alternatives: alternatives.collect(),
            below: whole,
            count: 0,
            at: 0,
            chosen: vec![],
        }
    }

    /// Whether a candidate has less text than a node. New text counts as two nodes however long it
    /// is, so that a made alternative would stay where a shorter one of as many nodes exists.
    fn is_shorter(&self, candidate: &Candidate, than: Piece) -> bool {
        let mut draft = self.draft.clone();
        let made = self.build(&mut draft, candidate);
        made.is_some_and(|made| draft.render(made).len() < draft.render(than).len())
    }

    /// Returns the parts with which a symbol of an alternative may be filled; `None` if there are
    /// none.
    fn column(
        &self,
        symbol: SymbolId,
        below: &FxHashMap<SymbolId, Vec<(Piece, u32)>>,
    ) -> Option<Vec<(Part, u32)>> {
        let found = |symbol| below.get(&symbol).filter(|list| !list.is_empty());
        if let Some(list) = found(symbol) {
            let parts = list
                .iter()
                .map(|&(piece, count)| (Part::Found(piece), count));
            return Some(parts.collect());
        }
        if !self.options.generative {
            return None;
        }
        let mut made = vec![];
        for row in self.known.expansions.of_symbol(symbol) {
            let columns = row.iter().map(|&symbol| {
                let parts = found(symbol)?.iter();
                Some(parts.map(|&(piece, count)| (piece, count)).collect())
            });
            let Some(columns) = columns.collect::<Option<Vec<Vec<_>>>>() else {
                continue;
            };
            if !row.is_empty() {
                for (count, parts) in smaller_combinations(&columns, u32::MAX, MOST_NEW) {
                    made.push((Part::Filled(symbol, parts.into()), count + 1));
                }
            }
        }
        made.truncate(MOST_NEW);
        if made.is_empty() {
            made.extend(self.phrase(symbol));
        }
        (!made.is_empty()).then_some(made)
    }

    fn phrase(&self, symbol: SymbolId) -> Option<(Part, u32)> {
        let grammar = self.draft.outline().grammar();
        if matches!(grammar.symbol(symbol).kind, SymbolKind::External) {
            return None;
        }
        let text = grammar.facts().min_yield(grammar, symbol, LONGEST_PHRASE)?;
        let is_rule = grammar.body(symbol).is_some();
        Some((Part::Phrase(symbol, text.into()), 1 + u32::from(is_rule)))
    }

    fn build(&self, draft: &mut Draft, candidate: &Candidate) -> Option<Piece> {
        match candidate {
            Candidate::Put(piece) => Some(*piece),
            Candidate::Remove => None,
            Candidate::Fill(symbol, parts) => {
                let mut built = vec![];
                let mut height = 0;
                for part in &**parts {
                    let piece = match part {
                        Part::Found(piece) => *piece,
                        Part::Phrase(symbol, text) => {
                            let is_rule = draft.outline().grammar().body(*symbol).is_some();
                            draft.make_leaf(*symbol, Arc::clone(text), !is_rule)
                        }
                        Part::Filled(symbol, parts) => {
                            let height = parts.iter().map(|&part| self.height(draft, part));
                            let height = 1 + height.max().unwrap_or(0);
                            draft.make(*symbol, parts, height)
                        }
                    };
                    height = height.max(self.height(draft, piece));
                    built.push(piece);
                }
                // An empty alternative has an empty leaf.
                height = height.max(1);
                Some(draft.make(*symbol, &built, height + 1))
            }
        }
    }

    fn height(&self, draft: &Draft, piece: Piece) -> u32 {
        let own = draft.height_of_made(piece);
        own.unwrap_or_else(|| self.known.heights[piece.node as usize])
    }

    /// Applies the present candidate, which was adopted or has the same text as before.
    fn adopt(&mut self) {
        if let (Some(child), Some(candidate)) =
            (self.child(), self.candidates.get(self.tried).cloned())
        {
            let mut draft = self.draft.clone();
            match self.build(&mut draft, &candidate) {
                Some(with) => draft.put(child, with),
                None => draft.remove(&[child]),
            }
            self.draft = draft;
        }
        self.reduced = true;
        (self.candidates, self.ways) = (Arc::default(), None);
        if let Some(frame) = Arc::make_mut(&mut self.frames).last_mut()
            && let Stage::Replace(_, found) = &mut frame.stage
        {
            *found = true;
        }
    }

    /// Advances from child to child, to the children of each, and to the next pass. Returns `false`
    /// at the end.
    fn advance(&mut self) -> bool {
        let draft = &self.draft;
        let Some(frame) = Arc::make_mut(&mut self.frames).last_mut() else {
            return self.next_pass();
        };
        match frame.stage {
            Stage::Replace(at, found) => {
                frame.stage = if at + 1 < frame.slots.len() {
                    Stage::Replace(at + 1, found)
                } else {
                    if found {
                        frame.refresh(draft);
                    }
                    match found && !frame.slots.is_empty() {
                        true => Stage::Replace(0, false),
                        false => Stage::Descend(0),
                    }
                };
                self.look();
            }
            Stage::Descend(at) => match frame.child(draft, at) {
                Some(child) => {
                    frame.stage = Stage::Descend(at + 1);
                    let levels = self.depth.map_or(2, |depth| depth + 2);
                    if !self.is_too_flat(child, levels.max(2)) {
                        self.enter(child);
                    }
                }
                None => {
                    Arc::make_mut(&mut self.frames).pop();
                }
            },
        }
        true
    }

    fn next_pass(&mut self) -> bool {
        let Some(depth) = self.depth else {
            return false;
        };
        let depth = if self.reduced { 0 } else { depth + 1 };
        let root = self.draft.root();
        if self.is_too_flat(root, depth + 1) {
            return false;
        }
        self.depth = Some(depth);
        self.reduced = false;
        self.begin();
        true
    }
}

impl ListSearch for Reducing {
    fn step(&mut self) -> Option<SearchStep> {
        loop {
            if let Some(list) = self.list.take() {
                return Some(SearchStep::List(list));
            }
            if let Some(child) = self.child()
                && let Some(candidate) = self.candidate()
            {
                let mut draft = self.draft.clone();
                let Some(with) = self.build(&mut draft, &candidate) else {
                    return Some(SearchStep::Try(self.draft.remove_edit(&[child])));
                };
                if draft.same_text(child, with) {
                    self.adopt();
                    continue;
                }
                return Some(SearchStep::Try(draft.put_edit(child, with)));
            }
            if !self.advance() {
                return None;
            }
        }
    }

    fn settle(&mut self, adopted: bool) {
        if adopted {
            self.adopt();
        } else {
            self.tried += 1;
        }
    }

    fn edit(&self, nodes: &[Piece]) -> Option<Edit> {
        Some(self.draft.remove_edit(nodes))
    }

    fn remove(&mut self, nodes: &[Piece]) {
        self.draft.remove(nodes);
        self.reduced = true;
    }

    fn list_ended(&mut self) {
        if let Some(frame) = Arc::make_mut(&mut self.frames).last_mut() {
            frame.refresh(&self.draft);
        }
        self.look();
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::{EXPRESSIONS, mystery, stays_in_the_grammar};
    use super::super::trace;
    use super::*;

    #[test]
    fn the_run_is_that_of_the_book() {
        let run = trace(&Grabr::plain(), EXPRESSIONS, "1 + (2 * 3)", mystery);
        assert_eq!(run.texts(), ["(2 * 3)", "2 * 3", "3", "2", "(3)"]);
        assert_eq!(run.result, "(3)");
    }

    #[test]
    fn the_run_by_depth_is_that_of_the_book() {
        let run = trace(&Grabr::by_depth(), EXPRESSIONS, "1 + (2 * 3)", mystery);
        assert_eq!(run.texts(), ["(2 * 3)", "(3)", "3"]);
        assert_eq!(run.result, "(3)");
    }

    #[test]
    fn a_replacement_is_replaced_by_a_longer_one_with_fewer_nodes() {
        let query = "<q> ::= '?' <ps>\n<ps> ::= <p> | <p> '&' <ps>\n\
            <p> ::= <id> '=' <id> | <id> '=' <n>\n<id> ::= 'abc' | 'x'\n\
            <n> ::= <d> <d> | <d>\n<d> ::= '0' | '5'\n";
        let has_b = |text: &str| text.contains('b');
        // After the parameters have become `abc=5`, this is replaced by `abc=abc`, which has one
        // node less.
        for reducer in [Grabr::plain(), Grabr::by_depth(), Grabr::all_combinations()] {
            let run = trace(&reducer, query, "?abc=abc&abc=5", has_b);
            assert_eq!(run.texts().last(), Some(&"?abc=abc"), "{}", reducer.id());
            assert_eq!(run.result, "?abc=abc", "{}", reducer.id());
        }
        let run = trace(&Grabr::plain(), query, "?abc=abc&abc=5", has_b);
        assert_eq!(run.texts(), ["?abc=5", "?abc=abc"]);
    }

    #[test]
    fn every_candidate_fits_the_grammar() {
        for reducer in [
            Grabr::plain(),
            Grabr::by_depth(),
            Grabr::all_combinations(),
            Grabr::generative(),
        ] {
            stays_in_the_grammar(&reducer);
        }
    }
}
