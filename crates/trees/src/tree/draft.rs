use super::{Gone, NodeId, Outline, ROOT};
use nubbin_edit::Edit;
use nubbin_grammar::grammar::{ExprId, SymbolId};
use nubbin_grammar::tree::NodeKind;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// A tree that a tree reducer changes: an [`Outline`], and the nodes that have been moved, created,
/// or removed since.
///
/// Nodes are in *slots*. At first, every node is in the slot of its own number. Later, another node
/// may be put into the slot, either a node from below or a created node. The cost of a change
/// therefore depends only on the size of the change, and node numbers never change.
///
/// A node that replaces a node around it keeps its position in the text, and so does everything
/// below it: changes there are small edits. A node that was made, or moved out of its order, is
/// written out again as a whole with each change inside it. Each [`Piece`] says which of the two
/// applies. A clone costs four reference counts until it changes.
#[derive(Clone, Debug)]
pub struct Draft {
    outline: Arc<Outline>,
    /// The node in each slot that no longer has its own node.
    moved: Arc<FxHashMap<u32, Moved>>,
    /// The slots of the outline in which something has changed, in order.
    touched: Arc<Vec<u32>>,
    /// The nodes that are not in the outline. They are numbered after its nodes.
    made: Arc<Made>,
    gone: Gone,
    /// All changes so far, as one edit.
    applied: Arc<Edit>,
    /// The rank of the next edit, if later changes of a span supersede earlier ones.
    rank: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Moved {
    node: u32,
    in_place: bool,
}

#[derive(Clone, Debug, Default)]
struct Made {
    nodes: Vec<MadeNode>,
    /// The first node of each slot that belongs to a created node.
    slots: Vec<u32>,
}

#[derive(Clone, Debug)]
struct MadeNode {
    symbol: SymbolId,
    /// The text of a leaf.
    text: Arc<[u8]>,
    first: u32,
    count: u32,
    height: u32,
}

/// A node in its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The slot that contains the node.
    pub slot: u32,
    /// The node. A number after the nodes of the outline is a created node.
    pub node: u32,
    /// Whether the text of the node is still at the position at which it was parsed.
    pub in_place: bool,
    /// The nearest slot around the node, or its own slot, that has kept its place in the text.
    anchor: u32,
}

/// The property that makes two nodes instances of the same sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Nodes of the same symbol.
    Symbol(SymbolId),
    /// Nodes of the same quantifier in the grammar.
    Quantifier(ExprId),
    /// Nodes that are instances of nothing: gaps, errors, and the parts of a repetition.
    Nothing,
}

impl Draft {
    /// Creates a draft of a tree as it was parsed.
    pub fn new(outline: Arc<Outline>) -> Self {
        Draft {
            outline,
            moved: Arc::default(),
            touched: Arc::default(),
            made: Arc::default(),
            gone: Gone::default(),
            applied: Arc::default(),
            rank: None,
        }
    }

    /// Returns the draft with later changes of a span that supersede earlier ones, for texts of any
    /// length. By default, the shorter of two replacements of one span is kept, so that edits
    /// combine in any order. See [`Edit::combine`].
    #[must_use]
    pub fn superseding(self) -> Self {
        Draft {
            rank: Some(1),
            ..self
        }
    }

    /// Returns the tree as it was parsed.
    pub fn outline(&self) -> &Arc<Outline> {
        &self.outline
    }

    /// Returns the removed nodes.
    pub fn gone(&self) -> &Gone {
        &self.gone
    }

    /// Returns the root.
    pub fn root(&self) -> Piece {
        self.in_slot(ROOT)
    }

    /// Returns the node in a slot, if all nodes around the slot have kept their position in the
    /// text.
    pub fn in_slot(&self, slot: u32) -> Piece {
        self.stands(slot, None)
    }

    /// Returns the node in a slot that belongs to `around`.
    pub fn child(&self, around: Piece, slot: u32) -> Piece {
        self.stands(slot, Some(around))
    }

    fn stands(&self, slot: u32, around: Option<Piece>) -> Piece {
        let outside = around.filter(|around| !around.in_place);
        let (node, in_place) = match self.moved.get(&slot) {
            Some(moved) => (moved.node, moved.in_place),
            None if slot < self.outline.len() => (slot, true),
            None => (self.made.slots[(slot - self.outline.len()) as usize], false),
        };
        Piece {
            slot,
            node,
            in_place: in_place && outside.is_none(),
            anchor: outside.map_or(slot, |around| around.anchor),
        }
    }

    /// Returns the current node in the slot of a piece.
    pub fn again(&self, piece: Piece) -> Piece {
        let stands = self.stands(piece.slot, None);
        Piece {
            node: stands.node,
            in_place: stands.in_place && piece.anchor == piece.slot,
            ..piece
        }
    }

    fn made(&self, node: u32) -> Option<&MadeNode> {
        let index = node.checked_sub(self.outline.len())?;
        self.made.nodes.get(index as usize)
    }

    /// Returns the kind of the node. A created node is an instance of a rule, or a token.
    pub fn kind(&self, piece: Piece) -> NodeKind {
        match self.made(piece.node) {
            Some(made) if made.count == 0 && !made.text.is_empty() => NodeKind::Token,
            Some(_) => NodeKind::Rule,
            None => self.outline.node(piece.node).kind,
        }
    }

    /// Returns the symbol or quantifier of which the node is an instance.
    pub fn sort(&self, piece: Piece) -> Sort {
        match self.made(piece.node) {
            Some(made) => Sort::Symbol(made.symbol),
            None => self.outline.sort(piece.node),
        }
    }

    /// Returns all symbols and quantifiers of which the node is an instance: first the symbols of
    /// the nodes that were [squeezed](super::squeeze()) into it, from the outside in, then its own.
    /// The iterator is empty for [`Sort::Nothing`].
    pub fn sorts(&self, piece: Piece) -> impl Iterator<Item = Sort> + '_ {
        let squeezed = match self.made(piece.node) {
            Some(_) => &[],
            None => self.outline.chains.of(piece.node),
        };
        let own = Some(self.sort(piece)).filter(|&sort| sort != Sort::Nothing);
        let squeezed = squeezed.iter().map(|name| Sort::Symbol(name.symbol));
        squeezed.chain(own)
    }

    /// Returns whether two nodes are instances of one symbol or quantifier, by any of their names.
    /// Each of them may then replace the other.
    pub fn are_alike(&self, one: Piece, other: Piece) -> bool {
        self.sorts(one)
            .any(|sort| self.sorts(other).any(|other| other == sort))
    }

    /// Calls `visit` with the node in each slot of a node, from left to right.
    ///
    /// Separators whose iterations have been removed are not visited.
    pub fn each_child(&self, piece: Piece, mut visit: impl FnMut(Piece)) {
        if let Some(made) = self.made(piece.node) {
            let first = self.outline.len() + made.first;
            for slot in first..first + made.count {
                visit(self.child(piece, slot));
            }
            return;
        }
        let is_repeat = self.outline.node(piece.node).kind == NodeKind::Repeat;
        let mut any = false;
        let mut separator = None;
        for slot in self.outline.children(piece.node) {
            if self.gone.contains(slot) {
                if is_repeat {
                    separator = None;
                }
                continue;
            }
            if is_repeat {
                match self.outline.node(slot).kind {
                    NodeKind::Separator => {
                        separator = Some(slot);
                        continue;
                    }
                    NodeKind::Iteration => {
                        if let Some(slot) = separator.take().filter(|_| any) {
                            visit(self.child(piece, slot));
                        }
                        any = true;
                    }
                    _ => {}
                }
            }
            visit(self.child(piece, slot));
        }
    }

    /// Returns the nodes in the slots of a node.
    pub fn children(&self, piece: Piece) -> Vec<Piece> {
        let mut found = vec![];
        self.each_child(piece, |child| found.push(child));
        found
    }

    /// Calls `visit` with each node below a node and its depth, parents before children, left
    /// before right. The visit does not descend deeper than `deepest` levels, nor below a node for
    /// which `visit` returns `false`.
    pub fn each_below(
        &self,
        piece: Piece,
        deepest: u32,
        mut visit: impl FnMut(Piece, u32) -> bool,
    ) {
        let mut todo = vec![(piece, 0)];
        while let Some((piece, depth)) = todo.pop() {
            if depth > 0 && !visit(piece, depth) || depth == deepest {
                continue;
            }
            let from = todo.len();
            self.each_child(piece, |child| todo.push((child, depth + 1)));
            todo[from..].reverse();
        }
    }

    /// Returns whether the whole subtree of a node is as it was parsed.
    fn is_untouched(&self, node: u32) -> bool {
        let Some(below) = self.outline.nodes().get(node as usize) else {
            return false;
        };
        let after = self.touched.partition_point(|&slot| slot <= node);
        self.touched
            .get(after)
            .is_none_or(|&slot| slot >= below.end)
    }

    /// Calls `visit` with the largest subtrees that are as they were parsed, and with all nodes
    /// around them.
    fn each_part(&self, piece: Piece, mut visit: impl FnMut(Piece, bool)) {
        let mut todo = vec![piece];
        while let Some(piece) = todo.pop() {
            let whole = self.is_untouched(piece.node);
            visit(piece, whole);
            if !whole {
                let from = todo.len();
                self.each_child(piece, |child| todo.push(child));
                todo[from..].reverse();
            }
        }
    }

    /// Returns the number of nodes in the subtree.
    pub fn count(&self, piece: Piece) -> u32 {
        self.count_by(piece, |range| range.end - range.start)
    }

    /// Returns the number of nodes in the subtree. `of_range` counts nodes of the outline that have
    /// not changed since they were parsed.
    pub fn count_by(&self, piece: Piece, of_range: impl Fn(Range<NodeId>) -> u32) -> u32 {
        let mut count = 0;
        self.each_part(piece, |part, whole| {
            count += match whole {
                true => of_range(self.outline.subtree(part.node)),
                // A phrase counts as two nodes: its symbol and a leaf.
                false => {
                    1 + u32::from(
                        self.made(part.node)
                            .is_some_and(|made| made.height > 1 && made.count == 0),
                    )
                }
            };
        });
        count
    }

    /// Returns an upper bound of the height of a created node. The bound is exact as long as
    /// nothing in the node has changed. Returns `None` for other nodes.
    pub fn height_of_made(&self, piece: Piece) -> Option<u32> {
        self.made(piece.node).map(|made| made.height)
    }

    /// Returns the text of the node.
    pub fn render(&self, piece: Piece) -> Vec<u8> {
        let mut text: Vec<u8> = vec![];
        let mut end = None;
        self.each_part(piece, |part, whole| {
            let (from, bytes) = match self.made(part.node) {
                Some(made) => (None, &*made.text),
                None if whole || self.outline.node(part.node).end == part.node + 1 => {
                    let span = self.outline.node(part.node).span;
                    (Some(span), self.outline.text_of(part.node))
                }
                None => return,
            };
            let Some(&first) = bytes.first() else { return };
            let follows = end.is_some() && end == from.map(|span| span.start);
            if !follows && let Some(&last) = text.last() {
                text.extend(self.outline.joins(last, first).then_some(b' '));
            }
            text.extend_from_slice(bytes);
            end = from.map(|span| span.end);
        });
        text
    }

    /// Returns whether two nodes have the same text. `inner` may be below `outer`.
    pub fn same_text(&self, outer: Piece, inner: Piece) -> bool {
        let len = |piece| {
            let mut sum = 0;
            self.each_part(piece, |part, whole| match self.made(part.node) {
                Some(made) => sum += made.text.len(),
                None if whole || self.outline.node(part.node).end == part.node + 1 => {
                    sum += self.outline.text_of(part.node).len();
                }
                None => {}
            });
            sum
        };
        len(outer) == len(inner)
            && ((outer.in_place && inner.in_place) || self.render(outer) == self.render(inner))
    }

    /// Creates a node from parts, for [`Draft::put`].
    pub fn make(&mut self, symbol: SymbolId, parts: &[Piece], height: u32) -> Piece {
        let made = Arc::make_mut(&mut self.made);
        let first = made.slots.len() as u32;
        made.slots.extend(parts.iter().map(|part| part.node));
        self.add(MadeNode {
            symbol,
            text: Arc::default(),
            first,
            count: parts.len() as u32,
            height,
        })
    }

    /// Creates a leaf with a text, for [`Draft::put`]: a terminal, or a whole symbol.
    pub fn make_leaf(&mut self, symbol: SymbolId, text: Arc<[u8]>, is_terminal: bool) -> Piece {
        self.add(MadeNode {
            symbol,
            text,
            first: 0,
            count: 0,
            height: if is_terminal { 1 } else { 2 },
        })
    }

    fn add(&mut self, node: MadeNode) -> Piece {
        let made = Arc::make_mut(&mut self.made);
        made.nodes.push(node);
        Piece {
            slot: u32::MAX,
            node: self.outline.len() + made.nodes.len() as u32 - 1,
            in_place: false,
            anchor: u32::MAX,
        }
    }

    /// Returns the edit that replaces `piece` with `with`, which is a node below it or a created
    /// node.
    pub fn put_edit(&self, piece: Piece, with: Piece) -> Edit {
        self.ranked(self.plain_put_edit(piece, with))
    }

    fn plain_put_edit(&self, piece: Piece, with: Piece) -> Edit {
        if piece.anchor != piece.slot {
            let mut after = self.clone();
            after.stand(piece, with);
            return after.rewrite(piece.anchor);
        }
        if with.in_place {
            return self.outline.hoist(piece.slot, with.node);
        }
        self.replace(piece.slot, &self.render(with))
    }

    /// Replaces `piece` with `with`, which is a node below it or a created node.
    pub fn put(&mut self, piece: Piece, with: Piece) {
        let edit = self.put_edit(piece, with);
        self.apply(&edit);
        self.stand(piece, with);
    }

    fn stand(&mut self, piece: Piece, with: Piece) {
        let moved = Moved {
            node: with.node,
            in_place: with.in_place && piece.anchor == piece.slot,
        };
        Arc::make_mut(&mut self.moved).insert(piece.slot, moved);
        self.touch(piece.slot);
    }

    /// Returns the edit that removes the given nodes.
    pub fn remove_edit(&self, pieces: &[Piece]) -> Edit {
        let (in_place, moved): (Vec<&Piece>, Vec<&Piece>) =
            pieces.iter().partition(|piece| piece.anchor == piece.slot);
        let (iterations, others): (Vec<&Piece>, Vec<&Piece>) = in_place
            .into_iter()
            .partition(|piece| self.kind(**piece) == NodeKind::Iteration);
        let iterations = iterations.into_iter().map(|piece| piece.slot);
        let mut splices = self.outline.prune(iterations, &self.gone).into_splices();
        for piece in others {
            splices.extend(self.replace(piece.slot, b"").into_splices());
        }
        if !moved.is_empty() {
            let mut after = self.clone();
            after.take(pieces);
            let mut anchors: Vec<u32> = moved.iter().map(|piece| piece.anchor).collect();
            anchors.sort_unstable();
            anchors.dedup();
            for anchor in anchors {
                splices.extend(after.rewrite(anchor).into_splices());
            }
        }
        self.ranked(Edit::new(splices).unwrap_or_default())
    }

    fn ranked(&self, edit: Edit) -> Edit {
        match self.rank {
            Some(rank) => edit.ranked(rank),
            None => edit,
        }
    }

    /// Removes the given nodes.
    pub fn remove(&mut self, pieces: &[Piece]) {
        let edit = self.remove_edit(pieces);
        self.apply(&edit);
        self.take(pieces);
    }

    fn take(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            self.gone.insert(piece.slot);
            self.touch(piece.slot);
        }
    }

    fn touch(&mut self, slot: u32) {
        if slot < self.outline.len()
            && let Err(at) = self.touched.binary_search(&slot)
        {
            Arc::make_mut(&mut self.touched).insert(at, slot);
        }
    }

    /// Returns the edit that writes out the node in a slot.
    fn rewrite(&self, slot: NodeId) -> Edit {
        self.replace(slot, &self.render(self.in_slot(slot)))
    }

    fn apply(&mut self, edit: &Edit) {
        if let Ok(applied) = self.applied.combine(edit) {
            self.applied = Arc::new(applied);
        }
        self.rank = self.rank.map(|rank| rank + 1);
    }

    /// Returns the edit that puts a text in a slot.
    ///
    /// A deletion at the border of the slot may have been merged with a deletion next to it. In
    /// that case only the rest of the slot is replaced.
    fn replace(&self, slot: NodeId, text: &[u8]) -> Edit {
        let mut span = self.outline.node(slot).span;
        let splices = self.applied.splices();
        let crossing = |at: u32| {
            let next = splices.partition_point(|splice| splice.span.end <= at);
            let splice = splices.get(next)?;
            (splice.span.start < at && splice.is_deletion()).then_some(splice.span)
        };
        let (before, after) = (crossing(span.start), crossing(span.end));
        if let Some(before) = before {
            span.start = before.end.min(span.end);
        }
        if let Some(after) = after {
            span.end = after.start.max(span.start);
        }
        self.outline.replace_span(span, text)
    }
}

impl Outline {
    /// Returns the symbol or quantifier of which a node is an instance.
    pub fn sort(&self, id: NodeId) -> Sort {
        let node = self.node(id);
        match node.kind {
            NodeKind::Rule | NodeKind::Token | NodeKind::Missing => Sort::Symbol(node.symbol),
            NodeKind::Optional | NodeKind::Repeat => {
                node.place.map_or(Sort::Nothing, Sort::Quantifier)
            }
            _ => Sort::Nothing,
        }
    }
}
