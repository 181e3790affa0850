//! The items and records of a chart.

use super::tables::State;
use rustc_hash::FxHashMap;

/// Stands for no previous item: there is no step before the last one, or those steps derive
/// nothing.
pub(super) const NONE: u32 = u32::MAX;

/// A dotted production with at least one step before the dot that does not derive the empty text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) state: State,
    /// The position at which the item starts.
    pub(super) origin: u32,
    /// The item before the last step, or [`NONE`].
    pub(super) before: u32,
    pub(super) child: Child,
}

/// The last step of an item in one word: a byte, the empty text, or a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Child(pub(super) u32);

impl Child {
    pub(super) const LEO: u32 = 1 << 31;
    pub(super) const CYCLIC: u32 = 1 << 30;
    /// The maximum number of records. A chart that needs more is refused.
    pub(super) const RECORDS: u32 = Child::CYCLIC - 2;
    pub(super) const BYTE: u32 = Child::CYCLIC - 1;
    pub(super) const NULL: u32 = Child::CYCLIC - 2;

    pub(super) fn word(self) -> u32 {
        self.0 & (Child::CYCLIC - 1)
    }

    pub(super) fn record(self) -> Option<u32> {
        (self.word() < Child::RECORDS).then_some(self.word())
    }

    pub(super) fn is_null(self) -> bool {
        self.word() == Child::NULL
    }

    /// Returns whether the record is the lowest of a chain that leads to the record of the last
    /// step.
    pub(super) fn is_leo(self) -> bool {
        self.0 & Child::LEO != 0
    }

    /// Returns whether the last step is the same nonterminal over the same text, possibly through
    /// other nonterminals.
    pub(super) fn is_cyclic(self) -> bool {
        self.0 & Child::CYCLIC != 0
    }

    /// A step that derives the empty text.
    pub(super) const NOTHING: Child = Child(Child::NULL);

    pub(super) fn plain(record: u32) -> Child {
        Child(record)
    }
}

/// A nonterminal over a span of text, with its preferred item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub(super) symbol: u32,
    pub(super) origin: u32,
    pub(super) item: u32,
}

/// The last step of a production that is done up to `state`: the item before it and its child.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastStep {
    pub(super) state: State,
    pub(super) before: u32,
    pub(super) child: Child,
}

/// A derivation of something that has another one.
#[derive(Debug)]
pub(super) enum Rejected {
    /// Another production of a record.
    Item { record: u32, item: u32 },
    /// Another way to an item.
    LastStep {
        item: u32,
        before: u32,
        child: Child,
    },
}

/// All ways to the items and records that have several.
#[derive(Debug, Default)]
pub(super) struct Every {
    pub(super) items: FxHashMap<u32, Vec<(u32, Child)>>,
    pub(super) records: FxHashMap<u32, Vec<u32>>,
}
