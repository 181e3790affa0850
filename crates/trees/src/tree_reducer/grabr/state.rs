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
    /// The height of each subtree as it was parsed, which is at least its current height.
    pub(super) heights: Vec<u32>,
    /// The number of nodes before each node. The last element is the number of all nodes. A rule
    /// without text has an empty leaf.
    pub(super) counts: Vec<u32>,
}

#[derive(Clone)]
pub(super) struct Reducing {
    pub(super) options: Grabr,
    pub(super) known: Arc<TreeFacts>,
    pub(super) lists: Lists,
    pub(super) draft: Draft,
    /// The depth at which this pass searches for subtrees; `None` for any depth.
    pub(super) depth: Option<u32>,
    /// Whether this pass has replaced anything.
    pub(super) reduced: bool,
    pub(super) frames: Arc<Vec<Frame>>,
    /// The candidates for the current child of the last frame.
    pub(super) candidates: Arc<[Candidate]>,
    /// The ways to fill alternatives that come after these candidates.
    pub(super) ways: Option<Ways>,
    pub(super) tried: usize,
    /// The list of iterations of the last frame, with which the frame begins.
    pub(super) list: Option<NodeList>,
}

/// A node whose children are being replaced, or into whose children the search descends.
#[derive(Clone)]
pub(super) struct Frame {
    /// The node; `None` for the frame around the root.
    pub(super) piece: Option<Piece>,
    pub(super) slots: Arc<[u32]>,
    pub(super) stage: Stage,
}

#[derive(Clone, Copy)]
pub(super) enum Stage {
    /// The child to replace next, and whether a child was replaced since the first one.
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

/// All ways to fill the alternatives of a node, computed on demand. Ways with fewer nodes come
/// first, and then the order of the alternatives decides.
#[derive(Clone)]
pub(super) struct Ways {
    pub(super) alternatives: Arc<[Alternative]>,
    /// The number of nodes that a way must stay below.
    pub(super) below: u32,
    /// The number of nodes of the current ways.
    pub(super) count: u32,
    pub(super) at: usize,
    /// The current way to fill the current alternative.
    pub(super) chosen: Vec<usize>,
}

pub(super) struct Alternative {
    pub(super) symbol: SymbolId,
    /// The number of nodes of the alternative itself.
    pub(super) own: u32,
    pub(super) columns: Columns<Part>,
}

/// The filling of one symbol of an alternative.
#[derive(Clone)]
pub(super) enum Part {
    Found(Piece),
    /// The smallest text of the symbol.
    Phrase(SymbolId, Arc<[u8]>),
    /// An alternative that is filled with existing subtrees.
    Filled(SymbolId, Arc<[Piece]>),
}
