//! The state of Grabr in a tree.

use super::super::combinations::Columns;
use super::super::search::NodeList;
use super::Grabr;
use crate::tree::{Draft, Expansions, Piece};
use nubbin_engine::work::Lists;
use nubbin_grammar::grammar::SymbolId;
use std::sync::Arc;

pub(super) struct TreeFacts {
    pub(super) expansions: Expansions,
    /// The height of each subtree as it was parsed, which is never less than its present height.
    pub(super) heights: Vec<u32>,
    /// The number of nodes before each node, and of all nodes. A rule without text has a leaf,
    /// which is empty.
    pub(super) counts: Vec<u32>,
}

#[derive(Clone)]
pub(super) struct Reducing {
    pub(super) options: Grabr,
    pub(super) known: Arc<TreeFacts>,
    pub(super) lists: Lists,
    pub(super) draft: Draft,
    /// The depth at which this pass looks for subtrees; `None` for any depth.
    pub(super) depth: Option<u32>,
    /// Whether this pass has found anything.
    pub(super) reduced: bool,
    pub(super) frames: Arc<Vec<Frame>>,
    /// The candidates for the present child of the last frame.
    pub(super) candidates: Arc<[Candidate]>,
    /// The ways to fill alternatives that come after these.
    pub(super) ways: Option<Ways>,
    pub(super) tried: usize,
    /// The list to begin with, of the iterations of the last frame.
    pub(super) list: Option<NodeList>,
}

/// A node whose children are being replaced, or descended into.
#[derive(Clone)]
pub(super) struct Frame {
    /// `None` for the frame around the root.
    pub(super) piece: Option<Piece>,
    pub(super) slots: Arc<[u32]>,
    pub(super) stage: Stage,
}

#[derive(Clone, Copy)]
pub(super) enum Stage {
    /// The child to replace next, and whether one has been replaced since the first.
    Replace(usize, bool),
    /// The child to descend into next.
    Descend(usize),
}

#[derive(Clone)]
pub(super) enum Candidate {
    Put(Piece),
    Fill(SymbolId, Arc<[Part]>),
    Remove,
}

/// All ways to fill the alternatives of a node, made when their turn comes: those with the fewest
/// nodes first, then in the order of the alternatives.
#[derive(Clone)]
pub(super) struct Ways {
    pub(super) alternatives: Arc<[Alternative]>,
    /// The number of nodes that a way has to have fewer of.
    pub(super) below: u32,
    /// The number of nodes of the present ways.
    pub(super) count: u32,
    pub(super) at: usize,
    /// The present way to fill the present alternative.
    pub(super) chosen: Vec<usize>,
}

pub(super) struct Alternative {
    pub(super) symbol: SymbolId,
    /// The number of nodes besides those that fill it.
    pub(super) own: u32,
    pub(super) columns: Columns<Part>,
}

/// The filling of one symbol of an alternative.
#[derive(Clone)]
pub(super) enum Part {
    Found(Piece),
    /// The smallest text of the symbol.
    Phrase(SymbolId, Arc<[u8]>),
    /// An alternative made of subtrees that were found.
    Filled(SymbolId, Arc<[Piece]>),
}
