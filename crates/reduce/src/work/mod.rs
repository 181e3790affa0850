//! Proposals in the making: what a pass hands to the engine.
//!
//! A pass does not loop and does not test. It opens a [`Work`]: a list of units that any
//! [list algorithm](crate::list_minimizer) can work through, or a [`Machine`] of its own. Both end up as a
//! machine that is asked for the next [`Edit`] and told whether it was adopted. All edits of one
//! work are about the input it was opened on; the engine carries them over to what the input has
//! become since, so a machine never has to look at the text again.

mod alternatives;
mod blocks;
mod chain;
mod heaviest_first;
mod optional;
mod replacements;
mod tiles;

pub use alternatives::{Alternatives, Places};
pub use blocks::{Blocks, Rewrite};
pub use chain::Chain;
pub use heaviest_first::{Forest, HeaviestFirst, Nested};
pub use optional::Optional;
pub(crate) use optional::{all_or_some, optional};
pub use replacements::Replacements;
pub(crate) use tiles::{pieces, tiling};

use crate::edit::{Edit, Fingerprint, Splice};
use crate::list_minimizer::{ListMinimizer, ListShape, MinimizerChoice, Removal};
use crate::span::Span;
use smallvec::{SmallVec, smallvec};
use std::ops::Range;
use std::sync::Arc;

/// A state machine that proposes edits.
///
/// The rules are those of [`ListMinimizer`]: `next` is idempotent until `record`, the machine is
/// deterministic, and a fork costs little.
pub trait Machine: Send {
    /// The next proposal, about the input the work was opened on; `None` at the end.
    fn next(&mut self) -> Option<Edit>;

    /// Whether the proposal was adopted.
    fn record(&mut self, adopted: bool);

    /// A copy that can be driven into a hypothetical future.
    fn fork(&self) -> Box<dyn Machine>;

    /// The units that the present proposal takes out, where the machine works through a list.
    fn taken(&self) -> Option<Taken<'_>> {
        None
    }

    /// Where proposals are whole inputs and not changes to one: what the present one is known by.
    /// Two proposals that are known by the same have the same verdict.
    ///
    /// Such a proposal replaces the whole input the work was opened on, and stands in the place of
    /// whatever has been adopted since.
    fn known_by(&self) -> Option<Fingerprint> {
        None
    }
}

/// Units of a list that a proposal takes out.
#[derive(Clone, Copy)]
pub struct Taken<'a> {
    /// The list.
    pub list: &'a Arc<dyn Units>,
    /// The units: sorted, disjoint ranges.
    pub units: &'a [Range<u32>],
}

/// What a pass proposes for one file.
pub enum Work {
    /// Units of which as many as possible are to go, in an order that a list algorithm decides.
    List(List),
    /// A search of its own.
    Machine(Box<dyn Machine>),
}

impl Work {
    /// The machine that does the work.
    pub fn start(self, lists: &Lists) -> Box<dyn Machine> {
        match self {
            Work::List(list) => list.start(lists),
            Work::Machine(machine) => machine,
        }
    }
}

/// How the lists of a plan are worked through.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    /// The list algorithm, for lists that ask for none themselves.
    pub algorithm: MinimizerChoice,
    /// Also for those that do: the user has named it.
    pub insist: bool,
    /// Seed of what list algorithms draw at random.
    pub seed: u64,
}

/// A list of units: each can be taken out of the input, or, more generally, each is a proposal
/// that can be adopted together with others.
#[derive(Clone)]
pub struct List {
    units: Arc<dyn Units>,
    try_all: bool,
    algorithm: Option<MinimizerChoice>,
}

impl List {
    /// A list that any list algorithm can work through.
    pub fn new(units: impl Units + 'static) -> Self {
        List {
            units: Arc::new(units),
            try_all: false,
            algorithm: None,
        }
    }

    /// Begins with the proposal to take all units at once, which list algorithms by themselves
    /// never make. Right where that is likely (all comments), or cheap to know.
    #[must_use]
    pub fn try_all(mut self) -> Self {
        self.try_all = true;
        self
    }

    /// Asks for a list algorithm that suits these units better than the plan's default. A user
    /// who named one has the last word.
    #[must_use]
    pub fn with_algorithm(mut self, algorithm: MinimizerChoice) -> Self {
        self.algorithm = Some(algorithm);
        self
    }

    /// The units.
    pub fn units(&self) -> &Arc<dyn Units> {
        &self.units
    }

    fn start(self, lists: &Lists) -> Box<dyn Machine> {
        let len = self.units.len();
        let weights: Vec<u32> = (0..len).map(|unit| self.units.weight(unit)).collect();
        let equal = weights.windows(2).all(|pair| pair[0] == pair[1]);
        let weights = (!equal).then(|| weights.into());
        let shape = ListShape {
            len,
            weights,
            seed: lists.seed,
        };
        let own = self.algorithm.as_ref().filter(|_| !lists.insist);
        let minimizer = own.unwrap_or(&lists.algorithm).start(&shape);
        Box::new(ListMachine {
            units: self.units,
            minimizer,
            asked: SmallVec::new(),
            all: self.try_all && len > 0,
            done: false,
        })
    }
}

/// The units of a [`List`].
pub trait Units: Send + Sync {
    /// How many there are.
    fn len(&self) -> u32;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What a unit is worth, in bytes that go with it. At least 1.
    fn weight(&self, unit: u32) -> u32;

    /// The edit that takes these units (sorted, disjoint ranges) out.
    fn edit(&self, units: &[Range<u32>]) -> Edit;
}

struct ListMachine {
    units: Arc<dyn Units>,
    minimizer: Box<dyn ListMinimizer>,
    /// What the present proposal takes out.
    asked: SmallVec<[Range<u32>; 2]>,
    /// The proposal to take everything is still to be made.
    all: bool,
    done: bool,
}

impl Machine for ListMachine {
    fn next(&mut self) -> Option<Edit> {
        self.asked = if self.all {
            smallvec![0..self.units.len()]
        } else if self.done {
            return None;
        } else {
            let Removal { remove } = self.minimizer.next()?;
            remove
        };
        Some(self.units.edit(&self.asked))
    }

    fn record(&mut self, adopted: bool) {
        if self.all {
            self.all = false;
            self.done = adopted;
        } else {
            self.minimizer.record(adopted);
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(ListMachine {
            units: Arc::clone(&self.units),
            minimizer: self.minimizer.fork(),
            asked: self.asked.clone(),
            all: self.all,
            done: self.done,
        })
    }

    fn taken(&self) -> Option<Taken<'_>> {
        Some(Taken {
            list: &self.units,
            units: &self.asked,
        })
    }
}

/// Units that lie end to end: bytes, characters, lines, tokens with the space behind them. A
/// range of units is one deletion however long it is.
#[derive(Clone, Debug)]
pub struct Tiling {
    bounds: Arc<[u32]>,
}

impl Tiling {
    /// The units between consecutive bounds (increasing offsets; one more than there are units).
    pub fn new(bounds: impl Into<Arc<[u32]>>) -> Self {
        let bounds = bounds.into();
        debug_assert!(bounds.is_sorted());
        Tiling { bounds }
    }
}

impl Units for Tiling {
    fn len(&self) -> u32 {
        (self.bounds.len() as u32).saturating_sub(1)
    }

    fn weight(&self, unit: u32) -> u32 {
        (self.bounds[unit as usize + 1] - self.bounds[unit as usize]).max(1)
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        Edit::delete_all(units.iter().map(|range| {
            Span::new(
                self.bounds[range.start as usize],
                self.bounds[range.end as usize],
            )
        }))
    }
}

/// Every single byte of a span, without a table.
#[derive(Clone, Copy, Debug)]
pub struct EachByte {
    /// The bytes.
    pub span: Span,
}

impl Units for EachByte {
    fn len(&self) -> u32 {
        self.span.len()
    }

    fn weight(&self, _unit: u32) -> u32 {
        1
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let start = self.span.start;
        Edit::delete_all(
            units
                .iter()
                .map(|range| Span::new(start + range.start, start + range.end)),
        )
    }
}

/// Units anywhere in the input: they may leave gaps, nest and overlap.
#[derive(Clone, Debug)]
pub struct Spans {
    spans: Arc<[Span]>,
}

impl Spans {
    /// The units, in the order a list algorithm is to see them (usually by position).
    pub fn new(spans: impl Into<Arc<[Span]>>) -> Self {
        Spans {
            spans: spans.into(),
        }
    }
}

impl Units for Spans {
    fn len(&self) -> u32 {
        self.spans.len() as u32
    }

    fn weight(&self, unit: u32) -> u32 {
        self.spans[unit as usize].len().max(1)
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let spans = units
            .iter()
            .flat_map(|range| &self.spans[range.start as usize..range.end as usize]);
        Edit::delete_all(spans.copied())
    }
}

/// Proposals of any kind, each an [`Edit`]; several are adopted together by combining them. Where
/// two conflict, the earlier one in the list is taken.
#[derive(Clone, Debug)]
pub struct Proposals {
    edits: Arc<[Edit]>,
}

impl Proposals {
    /// The proposals, in the order a list algorithm is to see them.
    pub fn new(edits: impl Into<Arc<[Edit]>>) -> Self {
        Proposals {
            edits: edits.into(),
        }
    }
}

impl Units for Proposals {
    fn len(&self) -> u32 {
        self.edits.len() as u32
    }

    fn weight(&self, unit: u32) -> u32 {
        (-self.edits[unit as usize].growth()).clamp(1, i64::from(u32::MAX)) as u32
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let chosen = || {
            units
                .iter()
                .flat_map(|r| &self.edits[r.start as usize..r.end as usize])
        };
        let splices: Vec<Splice> = chosen()
            .flat_map(|edit| edit.splices().iter().cloned())
            .collect();
        // All at once is linear; one by one, which is only needed on a conflict, is not.
        Edit::new(splices).unwrap_or_else(|_| {
            chosen().fold(Edit::none(), |all, edit| all.combine(edit).unwrap_or(all))
        })
    }
}

/// A machine over a fixed list of proposals, tried one by one in order, each whatever came of the
/// others. For proposals of which only one can be right, or that are best tried smallest first.
#[derive(Clone, Debug)]
pub struct OneByOne {
    edits: Arc<[Edit]>,
    at: usize,
    stop_at_success: bool,
}

impl OneByOne {
    /// Tries each.
    pub fn new(edits: impl Into<Arc<[Edit]>>) -> Self {
        OneByOne {
            edits: edits.into(),
            at: 0,
            stop_at_success: false,
        }
    }

    /// Ends after the first one that was adopted.
    #[must_use]
    pub fn first_only(mut self) -> Self {
        self.stop_at_success = true;
        self
    }
}

impl Machine for OneByOne {
    fn next(&mut self) -> Option<Edit> {
        self.edits.get(self.at).cloned()
    }

    fn record(&mut self, adopted: bool) {
        self.at = if adopted && self.stop_at_success {
            self.edits.len()
        } else {
            self.at + 1
        };
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}
