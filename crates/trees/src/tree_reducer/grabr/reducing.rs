//! The search of Grabr through a tree.

use super::super::search::{ListSearch, NodeList, SearchStep};
use super::state::{Candidate, Frame, Reducing, Stage};
use crate::tree::{Draft, Piece, Sort};
use nubbin_edit::Edit;
use nubbin_grammar::tree::NodeKind;
use std::sync::Arc;

/// The number of candidates that are made at once, where there may be many.
const CHUNK: usize = 256;

impl Frame {
    pub(super) fn child(&self, draft: &Draft, at: usize) -> Option<Piece> {
        let slot = *self.slots.get(at)?;
        Some(match self.piece {
            Some(piece) => draft.child(piece, slot),
            None => draft.root(),
        })
    }

    /// Drops the slots of children that have been removed.
    pub(super) fn refresh(&mut self, draft: &Draft) {
        if let Some(piece) = self.piece {
            let left = draft.children(piece);
            self.slots = left.iter().map(|piece| piece.slot).collect();
        }
    }
}

impl Reducing {
    /// Starts a pass. The root itself is only replaced if this can make a difference.
    pub(super) fn begin(&mut self) {
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

    /// Continues with the children of a node.
    pub(super) fn enter(&mut self, piece: Piece) {
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

    /// Searches for candidates for the current child.
    pub(super) fn look(&mut self) {
        self.tried = 0;
        (self.candidates, self.ways) = match self.child() {
            Some(child) if self.list.is_none() => {
                let (candidates, ways) = self.candidates(child);
                (candidates.into(), ways)
            }
            _ => (Arc::default(), None),
        };
    }

    /// Returns the next candidate for the current child.
    pub(super) fn candidate(&mut self) -> Option<Candidate> {
        if self.tried == self.candidates.len()
            && let Some(ways) = &mut self.ways
        {
            self.candidates = std::iter::from_fn(|| ways.next()).take(CHUNK).collect();
            self.tried = 0;
        }
        self.candidates.get(self.tried).cloned()
    }

    pub(super) fn child(&self) -> Option<Piece> {
        let frame = self.frames.last()?;
        let Stage::Replace(at, _) = frame.stage else {
            return None;
        };
        frame.child(&self.draft, at)
    }

    pub(super) fn height(&self, draft: &Draft, piece: Piece) -> u32 {
        let own = draft.height_of_made(piece);
        own.unwrap_or_else(|| self.known.heights[piece.node as usize])
    }

    /// Applies the current candidate, which was adopted or has the same text as before.
    pub(super) fn adopt(&mut self) {
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

    /// Advances from child to child, then to the children of each child, then to the next pass.
    /// Returns `false` at the end.
    pub(super) fn advance(&mut self) -> bool {
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

    pub(super) fn next_pass(&mut self) -> bool {
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
