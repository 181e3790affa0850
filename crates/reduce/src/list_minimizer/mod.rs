//! List algorithms: which elements of one list to leave out next.
//!
//! A *minimizer* looks for a small sub-list that still fails. It knows nothing of what the elements
//! are (bytes, lines, subtrees, files, choices) and it never runs a test: it is a state machine
//! that says which elements to leave out in the next test ([`ListMinimizer::next`]) and is told the
//! outcome ([`ListMinimizer::record`]). That shape, rather than a loop that calls the oracle, is what
//! lets one engine cache, count, run in parallel and speculate for all of them: a copy of the
//! machine ([`ListMinimizer::fork`]) can be asked what it *would* test if the running test failed.
//!
//! Each algorithm is a file here, under the name it has in the literature, with its source, cost
//! and a worked example in the documentation of its type. [`catalogue`] lists them, [`parse`]
//! reads one with its options.
//!
//! # Which one when
//!
//! | list | algorithm |
//! |---|---|
//! | nothing known | [`Sweep`]: backwards, groups that grow; 1-minimal |
//! | later elements use earlier ones (code, choices) | [`Sweep`]; [`DfsHalving`] or [`Adaptive`] in an outer loop |
//! | independent elements, few needed | [`DfsHalving`], [`Ddrmin`] |
//! | independent elements, most needed | [`Sweep`] or [`Cdd`], with a higher prior |
//! | sizes differ much | [`Sweep`], [`WeightedProbdd`], [`WeightedDdmin`] |
//! | many workers that run ahead | [`Cdd`]: its group sizes are known beforehand |
//! | one large piece in the middle is enough (bytes) | [`Ddmin`], which tries parts alone |
//! | to compare with published numbers | [`Ddmin`], [`DdminStar`], [`Probdd`], [`Cdd`], the weighted ones |
//! | to repeat a published log | [`DdminBook`], [`DdminHalving`], [`Ddrmin`] |
//! | a plain baseline | [`ChunkHalving`] |
//!
//! Tests to 1-minimality on synthetic lists: `notes/minimizers.md`.
//!
//! # Contract
//! * Elements are numbered `0..n`; a [`Removal`] names the elements to leave out by these original
//!   numbers, whatever has gone in the meantime.
//! * `next` is idempotent until `record` is called; after `None` it stays `None`.
//! * `record(true)` means that the probe still failed **and was adopted**: its elements are gone.
//! * Given the same outcomes, a machine makes the same probes. Random orders are drawn from the
//!   seed in [`ListShape`], never from the environment.
//! * No machine probes the empty removal, nor (unless its algorithm does) the empty list.

mod adaptive;
mod catalogue;
mod cdd;
mod chunk_halving;
mod configuration;
mod ddmin;
mod ddmin_book;
mod ddmin_halving;
mod ddmin_star;
mod ddrmin;
mod dfs_halving;
mod drive;
mod options;
mod probdd;
pub(crate) mod shuffle;
mod singles;
mod sweep;
mod weighted_ddmin;
mod weighted_probdd;

#[cfg(test)]
mod cases;

pub use adaptive::Adaptive;
pub use catalogue::{MinimizerChoice, MinimizerError, MinimizerInfo, catalogue, parse};
pub use cdd::Cdd;
pub use chunk_halving::{ChunkHalving, ChunkOptions, Repeat};
pub use configuration::Configuration;
pub use ddmin::{AfterSuccess, Ddmin, DdminOptions, Direction, Order, Split};
pub use ddmin_book::DdminBook;
pub use ddmin_halving::DdminHalving;
pub use ddmin_star::DdminStar;
pub use ddrmin::Ddrmin;
pub use dfs_halving::DfsHalving;
pub use drive::drive;
pub use probdd::{PriorOptions, Probdd};
pub(crate) use sweep::floor;
pub use sweep::{Sweep, SweepOptions};
pub use weighted_ddmin::WeightedDdmin;
pub use weighted_probdd::WeightedProbdd;

use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// The elements a test leaves out: sorted, disjoint, non-empty ranges of original element
/// numbers. Elements inside a range that are gone already are harmless.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Removal {
    /// The ranges.
    pub remove: SmallVec<[Range<u32>; 2]>,
}

impl Removal {
    /// The probe that leaves out these elements, given in any order.
    pub fn of(elements: impl IntoIterator<Item = u32>) -> Self {
        let mut elements: SmallVec<[u32; 16]> = elements.into_iter().collect();
        elements.sort_unstable();
        let mut remove: SmallVec<[Range<u32>; 2]> = SmallVec::new();
        for element in elements {
            match remove.last_mut() {
                Some(last) if element <= last.end => last.end = last.end.max(element + 1),
                _ => remove.push(element..element + 1),
            }
        }
        Removal { remove }
    }
}

/// What a list algorithm may know of its list.
#[derive(Clone, Debug)]
pub struct ListShape {
    /// Number of elements.
    pub len: u32,
    /// Size of each element (bytes or tokens), or `None` where all count the same.
    pub weights: Option<Arc<[u32]>>,
    /// For algorithms that draw at random.
    pub seed: u64,
}

impl ListShape {
    /// A list of `len` elements of equal weight.
    pub fn uniform(len: u32) -> Self {
        ListShape {
            len,
            weights: None,
            seed: 0,
        }
    }

    /// A list of elements with these weights.
    pub fn weighted(weights: impl Into<Arc<[u32]>>) -> Self {
        let weights = weights.into();
        ListShape {
            len: weights.len() as u32,
            weights: Some(weights),
            seed: 0,
        }
    }

    /// The weight of one element.
    pub fn weight(&self, element: u32) -> u32 {
        self.weights
            .as_ref()
            .map_or(1, |weights| weights[element as usize])
    }
}

/// A list algorithm in the middle of its work. See the [module documentation](self).
pub trait ListMinimizer: Send {
    /// The elements to leave out in the next test, or `None` when the algorithm has ended.
    fn next(&mut self) -> Option<Removal>;

    /// The outcome of the test that [`ListMinimizer::next`] asked for: `true` where the list without
    /// these elements still fails (they are gone now).
    fn record(&mut self, fails: bool);

    /// A copy that can be driven into a hypothetical future. Cheap: machines share what they do
    /// not change.
    fn fork(&self) -> Box<dyn ListMinimizer>;
}
