//! Published list minimizers. The crate `nubbin-minimize` contains the list minimizers of the
//! default plans, and the [interface](nubbin_minimize).
//!
//! | list | algorithm |
//! |---|---|
//! | independent elements, few needed | [`Ddrmin`] |
//! | independent elements, most needed | [`Cdd`], with a higher prior |
//! | sizes differ much | [`WeightedProbdd`], [`WeightedDdmin`] |
//! | many workers that prefetch | [`Cdd`]: its group sizes are known beforehand |
//! | in an outer loop | [`Adaptive`] |
//! | to compare with published numbers | [`DdminStar`], [`Probdd`], [`Cdd`], the weighted ones |
//! | to repeat a published log | [`DdminBook`], [`DdminHalving`], [`Ddrmin`] |
//! | a plain baseline | [`ChunkHalving`] |

mod adaptive;
mod cdd;
mod chunk_halving;
mod ddmin_book;
mod ddmin_halving;
mod ddmin_star;
mod ddrmin;
mod probdd;
mod singles;
#[cfg(test)]
mod tests;
mod weighted_ddmin;
mod weighted_probdd;

pub use adaptive::Adaptive;
pub use cdd::Cdd;
pub use chunk_halving::{ChunkHalving, ChunkOptions, ChunkRepeat};
pub use ddmin_book::DdminBook;
pub use ddmin_halving::DdminHalving;
pub use ddmin_star::DdminStar;
pub use ddrmin::Ddrmin;
pub use probdd::{PriorOptions, Probdd};
pub use weighted_ddmin::WeightedDdmin;
pub use weighted_probdd::WeightedProbdd;

use nubbin_minimize::Minimizer;

const CATALOGUE: &[Minimizer] = &[
    Minimizer::of::<Adaptive>(),
    Minimizer::of::<ChunkHalving>(),
    Minimizer::of::<DdminStar>(),
    Minimizer::of::<DdminBook>(),
    Minimizer::of::<DdminHalving>(),
    Minimizer::of::<Ddrmin>(),
    Minimizer::of::<Probdd>(),
    Minimizer::of::<Cdd>(),
    Minimizer::of::<WeightedDdmin>(),
    Minimizer::of::<WeightedProbdd>(),
];

/// Returns the list minimizers of this crate.
pub fn catalogue() -> &'static [Minimizer] {
    CATALOGUE
}
